import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Downloads from servers and by apps that misbehave. Only the offender is affected.
    @Suite(.whereNginxIs) struct BadDownloadTests {
        private static let size = 24 << 20
        /// Settings for a short test: a failed attempt is soon retried.
        private static let hasty = ["transferRetry=0.2s", "transferRetryMost=1s"]

        private func lines(_ system: TestSystem, _ start: String) -> Int {
            system.log(.downloader).count { $0.hasPrefix(start) }
        }

        private func expectWhole(_ path: String, of server: WebServer, _ name: String) {
            #expect(FileManager.default.contentsEqual(atPath: server.path(name), andPath: path), "\(name)")
        }

        /// The app gets the fitting error for each download, once. Meanwhile a good download arrives, and no other app
        /// is affected.
        @Test func badServersDoNotAffectOtherDownloads() throws {
            try TestSystem.run(settings: Self.hasty) { system in
                let good = try WebServer(in: system.directory + "/web", rate: "8m")
                try good.make("file", bytes: Self.size)
                let bad = try BadWebServer()
                let cut = "size=300000&etag=%22a%22&cut=200000"
                let over = "size=300000&etag=%22a%22&chunked=1&extra=5000"
                let faults: [(url: String, code: Int)] = [
                    (bad.url("silent", "silent=1"), -1001),
                    (bad.url("garbage", "garbage=1"), -1001),
                    (bad.url("drip", "size=1000&pause=1000"), -1001),
                    // The server always sends less than it has announced.
                    (bad.url("short", "size=1000&length=2000&cut=1000"), -1001),
                    (bad.url("loop", "status=302&location=itself"), -1007),
                    (bad.url("astray", "status=302&location=ftp%3A%2F%2Flocalhost%2F"), -1002),
                    (bad.url("nowhere", "status=302&location=http%3A%2F%2F127.0.0.1%3A70000%2F"), -1000),
                    (bad.url("metadata", "status=302&location=http%3A%2F%2F169.254.169.254%2F"), -1004),
                    // The server does not speak TLS.
                    (bad.url("plain", "size=1", scheme: "https"), -1200),
                    // The server sends more than the requested part, again and again.
                    (bad.url("over", cut, over, cut, over, cut, over), -1011),
                ]
                try system.installDownloader([good.url("file")] + faults.map(\.url), timeouts: (1, 10))
                let supervisor = try #require(system.supervisor?.pid)
                try system.launch(.downloader)
                for (index, fault) in faults.enumerated() {
                    try system.untilPrinted(.downloader, "completed \(index + 2) ")
                    #expect(lines(system, "completed \(index + 2) \(fault.code)") == 1, "\(fault.url)")
                }
                try system.untilPrinted(.downloader, "completed 1 ")
                #expect(lines(system, "completed 1 well") == 1)
                expectWhole(system.documents(.downloader) + "/1.bin", of: good, "file")
                #expect(lines(system, "finished ") == 1, "no partial file is delivered as complete")
                #expect(lines(system, "completed ") == faults.count + 1, "each ends once: \(system.log(.downloader))")
                #expect(system.supervisor?.pid == supervisor)
                try system.until(.downloader, is: .active)
                try system.until("no download is left") { try system.transfers().isEmpty ? true : nil }
                #expect(try system.roost("why", BundleIdentifier.downloader.rawValue).out.contains("-1007"))
            }
        }

        /// A download from an address that cannot be connected to fails, whether the app or a redirect asks for it. The
        /// system and all other downloads continue, also after a restart.
        @Test func downloadsFromAnInvalidPortFail() throws {
            try TestSystem.run(settings: Self.hasty) { system in
                let good = try WebServer(in: system.directory + "/web", rate: "16m")
                try good.make("file", bytes: Self.size)
                let bad = try BadWebServer()
                let nowhere = "http://127.0.0.1:70000/"
                let redirect = bad.url(
                    "nowhere", "status=301&location=\(nowhere.replacingOccurrences(of: ":", with: "%3A"))")
                try system.installDownloader([good.url("file"), nowhere, redirect])
                let supervisor = try #require(system.supervisor?.pid)
                try system.launch(.downloader)
                for number in 2...3 {
                    try system.untilPrinted(.downloader, "completed \(number) ")
                    #expect(lines(system, "completed \(number) -1000") == 1, "\(system.log(.downloader))")
                }
                #expect(system.supervisor?.pid == supervisor, "the supervisor was not restarted")
                try system.crashAndRestart(.supervisor)
                try system.untilPrinted(.downloader, "completed 1 well")
                expectWhole(system.documents(.downloader) + "/1.bin", of: good, "file")
                try system.until("no download is left") { try system.transfers().isEmpty ? true : nil }
                for number in 1...3 { #expect(lines(system, "completed \(number) ") == 1) }
            }
        }

        /// A server on a link-local address, like a cloud's metadata server: refused, unless the system's owner allows
        /// it.
        @Test(arguments: [nil, "allow"] as [String?])
        func aLinkLocalAddress(setting: String?) throws {
            if let obstacle = SetUp.ownNetwork.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(.ownNetwork, settings: Self.hasty, starting: false) { system in
                system.addedEnvironment["ROOST_LINK_LOCAL"] = setting ?? ""
                try system.start()
                let pid = try #require(system.supervisor?.pid)
                for words in [
                    "link add out0 type ifb", "link set out0 up", "address add 192.0.2.7/24 dev out0",
                    "address add 169.254.169.254/32 dev out0",
                ] {
                    let command =
                        ["nsenter", "-t", "\(pid)", "-n", "ip"] + words.split(separator: " ").map(String.init)
                    let (exit, _, err) = try system.run(command)
                    try #require(exit == .code(0), "ip \(words): \(err)")
                }
                let server = try WebServer(
                    in: system.directory + "/web", rate: "16m", inNetworkOf: pid, at: "169.254.169.254")
                try server.make("file", bytes: 1 << 20)
                try system.installDownloader([server.url("file")])
                try system.launch(.downloader)
                try system.untilPrinted(.downloader, "completed 1 ")
                let outcome = setting == "allow" ? "well" : "-1004"
                #expect(lines(system, "completed 1 \(outcome)") == 1, "\(system.log(.downloader))")
                if setting == "allow" {
                    expectWhole(system.documents(.downloader) + "/1.bin", of: server, "file")
                } else {
                    #expect(server.answers.isEmpty, "\(server.answers)")
                }
            }
        }

        /// An app that speaks the wire protocol itself cannot reach another app's download.
        @Test func anAppCannotReachAnotherAppsDownload() throws {
            try TestSystem.run(settings: Self.hasty) { system in
                let server = try WebServer(in: system.directory + "/web", rate: "2m")
                try server.make("file", bytes: Self.size)
                try server.make("own", bytes: 1 << 20)
                try system.installDownloader([server.url("file")])
                try system.launch(.downloader)
                let victim = try system.untilTransfer("it makes progress") { $0.state == "running" && $0.received > 0 }
                let id = try #require(TransferID(victim.id))
                let bundle = try DownloadThief.bundle(
                    in: system, against: id, named: victim.session, taking: server.url("own"),
                    and: ["http://127.0.0.1:70000/", "http://%5B%5D/", "ftp://localhost/x", "file:///etc/passwd"])
                try system.tell(.install(path: bundle, replacing: false))
                let supervisor = try #require(system.supervisor?.pid)
                try system.launch(DownloadThief.identifier)
                try system.untilPrinted(DownloadThief.identifier, "has received everything")
                let said = system.log(DownloadThief.identifier)
                let received = ["took 1", "failed 2 -1000", "failed 3 -1000", "failed 4 -1002", "failed 5 -1002"]
                #expect(said.filter { received.contains($0) }.sorted() == received.sorted(), "\(said)")
                #expect(!said.contains("went on 1"), "no bytes of the other app's download")
                expectWhole(system.documents(DownloadThief.identifier) + "/taken", of: server, "own")
                // The other app's download continues unaffected.
                let after = try system.transfers().first { $0.id == victim.id }
                #expect(after?.state == "running" && after?.session == victim.session, "\(String(describing: after))")
                try system.launch(.downloader)
                try system.untilPrinted(.downloader, "completed 1 well")
                expectWhole(system.documents(.downloader) + "/1.bin", of: server, "file")
                #expect(server.answers.count == 2, "\(server.answers)")
                #expect(system.supervisor?.pid == supervisor)
            }
        }
    }
}
