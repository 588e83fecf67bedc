import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// On real processes: what background downloads wait for, and which calls their app must make.
    @Suite(.whereNginxIs) struct DownloadRuleTests {
        private static let size = 1 << 20

        private func server(_ system: TestSystem, _ names: [String], directory: String = "web") throws -> WebServer {
            let server = try WebServer(in: system.directory + "/" + directory, rate: "16m")
            for name in names { try server.make(name, bytes: Self.size) }
            return server
        }

        private func write(_ text: String, _ name: String, in system: TestSystem) throws {
            let file = system.documents(.downloader) + "/" + name
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            system.give(file)
        }

        private func set(_ name: String, _ value: String, in system: TestSystem) throws {
            try system.tell(.set(name: name, value: value, app: nil))
        }

        /// R-52: a download that is resumed in the background waits for power, and for a network that costs nothing.
        /// Once the user opens the app, the download waits for neither. The reason for the wait is recorded, once for
        /// each change.
        @Test func downloadsBegunInTheBackgroundAreDiscretionary() throws {
            if let obstacle = SetUp.ownNetwork.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(.ownNetwork) { system in
                // Servers on this machine are reachable with any network.
                let pid = try #require(system.supervisor?.pid)
                for words in ["link add out0 type ifb", "link set out0 up", "address add 192.0.2.7/24 dev out0"] {
                    let command =
                        ["nsenter", "-t", "\(pid)", "-n", "ip"] + words.split(separator: " ").map(String.init)
                    let (exit, _, err) = try system.run(command)
                    try #require(exit == .code(0), "ip \(words): \(err)")
                }
                let server = try WebServer(
                    in: system.directory + "/web", rate: "16m", inNetworkOf: pid, at: "192.0.2.7")
                try server.make("file", bytes: Self.size)
                try system.installDownloader([server.url("file")])
                try set("network", "cellular", in: system)
                try system.tell(.wake(.downloader, .locationMonitoring))
                try system.untilPrinted(.downloader, "begun 1")
                for (name, value, wait) in [
                    ("lowDataMode", "off", "wifi"), ("metered", "on", "wifi"), ("network", "wifi", "inexpensive"),
                    ("lowDataMode", "on", "inexpensive"), ("metered", "off", "lowDataMode"),
                    ("batteryLevel", "10", "lowDataMode"), ("power", "battery", "lowDataMode"),
                    ("lowDataMode", "off", "battery"), ("lowPowerMode", "on", "battery"),
                    ("power", "external", "lowPowerMode"),
                ] {
                    try set(name, value, in: system)
                    let status = try system.untilTransfer("the download waits for \(wait)") { $0.wait == wait }
                    #expect(status.state == "waiting" && status.received == 0, "\(name) \(value)")
                }
                let waits = try system.why(.downloader).filter { $0.text.contains(" waits for ") }
                #expect(waits.count == 5, "\(waits.map(\.text))")
                #expect(server.answers.isEmpty)
                // The user opens the app: now even a mobile network will do.
                try set("network", "cellular", in: system)
                try system.launch(.downloader)
                try system.untilPrinted(.downloader, "completed 1 well")
            }
        }

        /// R-58: an app is killed when its time is up if it does not call the handler of its session's events.
        @Test func anAppThatDoesNotCallTheHandlerIsKilled() throws {
            try TestSystem.run(settings: ["sessionEvents=500ms"]) { system in
                let server = try server(system, ["file"])
                try system.installDownloader([server.url("file")])
                try write("", "silent", in: system)
                try set("network", "none", in: system)
                try system.launch(.downloader)
                try system.untilPrinted(.downloader, "begun 1")
                let process = try system.process(.downloader)
                try system.suspend(.downloader)
                try set("network", "wifi", in: system)
                let end = try system.until(.downloader, is: .notRunning)
                #expect(process.isGone && end.lastEnd?.contains("0x2182bad3") == true, "\(end.lastEnd ?? "")")
                // The app had received all callbacks.
                for line in ["events of downloads", "completed 1 well", "events finished"] {
                    #expect(system.log(.downloader).count { $0 == line } == 1, "\(system.log(.downloader))")
                }
            }
        }

        /// R-61: a download that is resumed at the first wake begins at once; at the second wake it waits a minute,
        /// also over a restart of the system. Once the user opens the app, it no longer waits.
        @Test func downloadsResumedAtEachWakeWaitLonger() throws {
            try TestSystem.run { system in
                let server = try server(system, ["a", "c"])
                let secondServer = try self.server(system, ["b"], directory: "second")
                try system.installDownloader(["a \(server.url("a"))"])
                try set("network", "none", in: system)
                try system.launch(.downloader)
                try system.untilPrinted(.downloader, "begun a")
                try system.suspend(.downloader)
                // b must arrive after the events of a are over, or it causes no wake of its own.
                secondServer.pause()
                try write("b \(secondServer.url("b"))", "plan", in: system)
                try set("network", "wifi", in: system)
                try system.untilPrinted(.downloader, "begun b")
                try system.until(.downloader, is: .suspended)
                try write("c \(server.url("c"))", "plan", in: system)
                secondServer.resume()
                try system.untilPrinted(.downloader, "begun c")
                let waiting = try system.untilTransfer("c waits") { $0.wait == "resumptionDelay" }
                #expect(waiting.url == server.url("c") && waiting.state == "waiting")
                let delays = try system.why(.downloader).filter { $0.text.contains("was resumed in the background") }
                #expect(delays.count == 1 && delays[0].text.hasSuffix("it waits 60 s"), "\(delays.map(\.text))")
                try system.until(.downloader, is: .suspended)
                try system.crashAndRestart()
                let after = try system.untilTransfer("c still waits") { $0.wait == "resumptionDelay" }
                #expect(after.id == waiting.id && after.until != nil)
                #expect(server.answers.count == 1, "c has not been requested")
                try system.launch(.downloader)
                try system.untilPrinted(.downloader, "completed c well")
            }
        }
    }
}
