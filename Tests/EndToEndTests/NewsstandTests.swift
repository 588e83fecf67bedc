import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension BundleIdentifier {
    fileprivate static let newsstand = named("org.roost.test.Newsstand")
}

extension TestSystem {
    /// Installs the app of Tests/NewsstandTestApp with these modes, opens it, waits until it has registered,
    /// and suspends it.
    fileprivate func installNewsstand(modes: [String] = ["newsstand-content"]) throws {
        try installTestApp("NewsstandTestApp", as: .newsstand, modes: modes)
        try launch(.newsstand)
        try untilPrinted(.newsstand, "registered")
        try suspend(.newsstand)
    }

    fileprivate func killNewsstand() throws {
        let process = try process(.newsstand)
        process.send(SIGKILL)
        try process.waitUntilGone()
        try until(.newsstand, is: .notRunning)
    }

    /// Sends a provider's push about an issue.
    fileprivate func push(_ issue: String, _ urls: [String]) throws {
        let list = urls.map { "\"\($0)\"" }.joined(separator: ",")
        let payload = "{\"aps\":{\"content-available\":1},\"issue\":\"\(issue)\",\"urls\":[\(list)]}"
        try tell(.notification(.push(.newsstand, try RemoteNotification(payload: Array(payload.utf8)))))
    }

    fileprivate func newsstandLines(_ start: String) -> Int { log(.newsstand).count { $0.hasPrefix(start) } }
}

extension EndToEnd {
    /// Newsstand with real processes (R-110).
    @Suite(.whereNginxIs) struct NewsstandTests {
        private static let size = 24 << 20

        /// The file was moved into the app's container, into the issue's directory.
        private func expectWhole(_ system: TestSystem, _ server: WebServer, _ name: String, _ arrived: String) throws {
            let directory = try #require(arrived.split(separator: " ").last.map(String.init))
            let number = try #require(arrived.split(separator: " ").dropLast().last.map(String.init))
            #expect(directory.contains("/Library/Newsstand/Issues/"), "\(directory)")
            let issue = directory.split(separator: "/").last.map(String.init) ?? ""
            let kept = "\(system.container(.newsstand))/Library/Newsstand/Issues/\(issue)/\(number).bin"
            #expect(FileManager.default.contentsEqual(atPath: server.path(name), andPath: kept), "\(kept)")
        }

        /// An app without a process is launched by a push, begins its download and is killed. The file still arrives.
        /// The app is launched again, names the issue of the download, and finds the file in its container. Another
        /// push on the same day does not wake the app.
        @Test func aPushBeginsADownloadThatOutlivesTheApp() throws {
            try TestSystem.run { system in
                let server = try WebServer(in: system.directory + "/web", rate: "8m")
                try server.make("file", bytes: Self.size)
                try system.installNewsstand()
                try system.killNewsstand()
                try system.push("May", [server.url("file")])
                try system.untilPrinted(.newsstand, "begun May 1")
                #expect(system.newsstandLines("launched state=2 push=true downloads=-1") == 1)
                #expect(system.newsstandLines("pushed") == 0, "the push was in the launch options")
                try system.untilTransfer("the download makes progress") { $0.state == "running" && $0.received > 0 }
                try system.until(.newsstand, is: .suspended)
                try system.expectFrozen(.newsstand)
                try system.killNewsstand()
                // A crash of the system does not matter either.
                try system.crashAndRestart(.supervisor)
                let arrived = try system.untilPrinted(.newsstand, "arrived May 1")
                try system.untilPrinted(.newsstand, "status May available")
                try expectWhole(system, server, "file", arrived)
                for line in [
                    "launched state=2 push=false downloads=1", "named true", "again May 1", "arrived May 1",
                ] { #expect(system.newsstandLines(line) == 1, "\(line): \(system.log(.newsstand))") }
                try system.until(.newsstand, is: .suspended)
                try system.expectFrozen(.newsstand)
                try system.until("no download is left") { try system.transfers().isEmpty ? true : nil }
                let refusal = #expect(throws: ControlFailure.self) { try system.push("June", [server.url("file")]) }
                #expect(refusal?.message.contains("less than a day ago") == true, "\(refusal?.message ?? "")")
                try system.expectFrozen(.newsstand)
                #expect(system.newsstandLines("pushed") == 0)
                let why = try system.why(.newsstand).map(\.text)
                #expect(why.contains { $0.contains("woken") || $0.contains("launched") && $0.contains("newsstand") })
            }
        }

        /// A suspended app is thawed and gets the push by the older method. The app is woken when one of its assets has
        /// failed and the other has arrived.
        @Test func aFailureWakesItToo() throws {
            try TestSystem.run { system in
                let server = try WebServer(in: system.directory + "/web", rate: "16m")
                try server.make("file", bytes: Self.size)
                let bad = try BadWebServer()
                let nowhere = bad.url("nowhere", "status=302&location=http%3A%2F%2F127.0.0.1%3A70000%2F")
                try system.installNewsstand()
                let process = try system.process(.newsstand).pid
                try system.push("May", [nowhere, server.url("file"), server.url("missing")])
                try system.untilPrinted(.newsstand, "pushed May")
                try system.untilPrinted(.newsstand, "begun May 3")
                let arrived = try system.untilPrinted(.newsstand, "arrived May 2")
                try system.untilPrinted(.newsstand, "failed May -1000")
                // An answer without a file counts as a failure.
                try system.untilPrinted(.newsstand, "failed May -1100")
                try expectWhole(system, server, "file", arrived)
                try system.until(.newsstand, is: .suspended)
                #expect(try system.process(.newsstand).pid == process, "the process is still the same")
                #expect(try system.why(.newsstand).contains { $0.kind == "woken" && $0.text.contains("newsstand") })
            }
        }

        @Test func aTerminatedAppIsLaunchedForAFailure() throws {
            try TestSystem.run(settings: ["newsstandPeriod=1ms"]) { system in
                let server = try WebServer(in: system.directory + "/web", rate: "4m")
                try server.make("file", bytes: Self.size)
                try system.installNewsstand()
                try system.push("May", [server.url("file")])
                try system.untilPrinted(.newsstand, "begun May 1")
                let transfer = try system.untilTransfer("it progresses") { $0.state == "running" && $0.received > 0 }
                try system.until(.newsstand, is: .suspended)
                try system.killNewsstand()
                #expect(try system.roost("transfers", "cancel", transfer.id).exit == .code(0))
                try system.untilPrinted(.newsstand, "failed May -999")
                try system.untilPrinted(.newsstand, "status May none")
                #expect(system.newsstandLines("launched state=2 push=false downloads=1") == 1)
                try system.until(.newsstand, is: .suspended)
            }
        }

        @Test func aPushDoesNotWakeAnAppWithoutTheMode() throws {
            try TestSystem.run { system in
                try system.installNewsstand(modes: ["fetch"])
                try system.killNewsstand()
                let refusal = #expect(throws: ControlFailure.self) { try system.push("May", []) }
                #expect(refusal?.message.contains("UIBackgroundModes") == true)
                try system.until(.newsstand, is: .notRunning)
                #expect(system.newsstandLines("launched") == 1)
            }
        }
    }
}
