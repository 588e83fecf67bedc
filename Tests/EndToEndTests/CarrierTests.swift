import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The process that carries downloads: apart from the one that decides, held, and replaceable.
    @Suite struct CarrierTests {
        /// The settings for a short day: what fails is tried again soon.
        private static let hasty = ["transferRetry=0.2s", "transferRetryMost=1s"]

        private func lines(_ system: TestSystem, _ start: String) -> Int {
            system.log(.downloader).count { $0.hasPrefix(start) }
        }

        /// Nothing that reads what strangers send is linked into the program that decides.
        @Test func whatDecidesLinksNoHTTP() throws {
            func symbols(_ program: String) throws -> String {
                let (nm, output) = (Process(), Pipe())
                nm.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                nm.arguments = ["nm", program]
                nm.standardOutput = output
                try nm.run()
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                nm.waitUntilExit()
                #expect(nm.terminationStatus == 0)
                return text
            }
            // Mangled names of modules have their length in front; BoringSSL's C symbols a prefix of their own.
            let strangers = [
                "7NIOCore", "8NIOPosix", "8NIOHTTP1", "6NIOSSL", "15AsyncHTTPClient", "CNIOBoringSSL", "c_nio_llhttp",
            ]
            let (decides, carries) = (
                try symbols(TestSystem.program),
                try symbols(URL(fileURLWithPath: TestSystem.program).deletingLastPathComponent().path + "/roost-carry")
            )
            for name in strangers {
                #expect(!decides.contains(name), "\(name) is in roost")
                #expect(carries.contains(name), "\(name) is not in roost-carry: the test looks for the wrong thing")
            }
        }

        /// A status below 100 with a body ends the process that reads it. The system, its app and the other downloads go on, and
        /// after the third time the download has failed.
        @Test(arguments: [0, 42, 99]) func aStatusThatEndsWhoeverReadsIt(status: Int) throws {
            try TestSystem.run(settings: Self.hasty) { system in
                let bad = try BadWebServer()
                let good = bad.url("good", "size=400000&pause=0")
                let (low, file) = ("status=\(status)&size=100", "size=3000000&etag=%22a%22")
                try system.installDownloader([bad.url("low", low), good, bad.url("once", low, file)])
                let supervisor = try #require(system.supervisor?.pid)
                try system.launch(.downloader)
                try system.untilPrinted(.downloader, "completed 1 ")
                try system.untilPrinted(.downloader, "completed 2 ")
                try system.untilPrinted(.downloader, "completed 3 ")
                #expect(lines(system, "completed 1 -997") == 1, "\(system.log(.downloader))")
                #expect(lines(system, "completed 2 well") == 1)
                #expect(lines(system, "completed 3 well") == 1, "it comes when the server has come to its senses")
                #expect(system.supervisor?.pid == supervisor)
                try system.until(.downloader, is: .active)
                let why = try system.roost("why", BundleIdentifier.downloader.rawValue).out
                #expect(why.contains("roost-carry"), "\(why)")
            }
        }

        /// It comes with the first download and goes after the last.
        @Test func itComesAndGoes() throws {
            try TestSystem.run(settings: Self.hasty) { system in
                let bad = try BadWebServer()
                #expect(try carriers(of: system).isEmpty)
                let steps = "size=3000000&etag=%22a%22"
                try system.installDownloader([bad.url("stalls", steps + "&stall=2000000", steps)])
                try system.launch(.downloader)
                let pid = try system.until("a carrier", lookingAgainAfter: 0.1) { try carriers(of: system).first }
                try system.untilTransfer("it goes on") { $0.received > 1_000_000 }
                // The system's own death is the carrier's, and the successor has another.
                try system.crashAndRestart(.supervisor)
                try system.untilPrinted(.downloader, "completed 1 well")
                try system.until("the carrier has gone", lookingAgainAfter: 0.1) {
                    try carriers(of: system).isEmpty ? true : nil
                }
                #expect(kill(pid, 0) != 0)
            }
        }

        /// Killed under a download it is replaced, and the download goes on from what had come.
        @Test func itIsKilled() throws {
            try TestSystem.run(settings: Self.hasty) { system in
                let bad = try BadWebServer()
                let steps = "size=9000000&etag=%22a%22"
                try system.installDownloader([bad.url("stalls", steps + "&stall=5000000", steps)])
                try system.launch(.downloader)
                try system.untilTransfer("it goes on") { $0.received > 1_000_000 }
                let pid = try #require(try carriers(of: system).first)
                kill(pid, SIGKILL)
                try system.untilPrinted(.downloader, "completed 1 well")
                #expect(lines(system, "resumed 1") <= 1)
            }
        }

        /// What holds it, read from the kernel: no capability, a filter, no way to gain, and its own uid where apps have theirs.
        @Test func whatHoldsIt() throws {
            try TestSystem.run(settings: Self.hasty) { system in
                let bad = try BadWebServer()
                try system.installDownloader([bad.url("stalls", "size=3000000&stall=2000000")])
                try system.launch(.downloader)
                try system.untilTransfer("it goes on") { $0.received > 1_000_000 }
                let pid = try #require(try carriers(of: system).first)
                let status = try #require(Kernel.text("/proc/\(pid)/status"))
                func field(_ name: String) -> [String] {
                    status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
                        .map { $0.split(whereSeparator: \.isWhitespace).dropFirst().map(String.init) } ?? []
                }
                #expect(field("NoNewPrivs") == ["1"])
                #expect(field("Seccomp") == ["2"])
                #expect(Set(field("CapEff") + field("CapPrm") + field("CapAmb")) == ["0000000000000000"])
                guard case .status(let told) = try system.ask(.status) else {
                    throw TestFailure(description: "the system does not tell its status")
                }
                if told.sandbox.hasPrefix("uids") {
                    #expect(Set(field("Uid")).count == 1 && field("Uid") != ["0", "0", "0", "0"])
                    #expect(field("Groups").isEmpty)
                }
                let environment = Kernel.text("/proc/\(pid)/environ") ?? ""
                #expect(!environment.contains("ROOST_"), "what the system was told is none of its business")
            }
        }

        /// Without the program beside it the system says so, and goes on.
        @Test func theProgramIsMissing() throws {
            try TestSystem.run(settings: Self.hasty, starting: false) { system in
                let place = system.directory + "/bin"
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
                try FileManager.default.copyItem(atPath: TestSystem.program, toPath: place + "/roost")
                for path in [place, place + "/roost"] { chmod(path, 0o755) }
                system.program = place + "/roost"
                try system.start()
                #expect(system.systemLog.contains("install roost-carry beside roost"))
                try system.installDownloader(["http://localhost:1/"])
                try system.launch(.downloader)
                try system.untilTransfer("it waits") { $0.wait == "retry" }
                #expect(try system.roost("why", BundleIdentifier.downloader.rawValue).out.contains("roost-carry"))
            }
        }

        private func carriers(of system: TestSystem) throws -> [Int32] {
            let guardian = try #require(system.guardian?.pid)
            let children = Kernel.text("/proc/\(guardian)/task/\(guardian)/children") ?? ""
            return children.split(separator: " ").compactMap { Int32($0) }.filter {
                Kernel.text("/proc/\($0)/comm")?.hasPrefix("roost-carry") ?? false
            }
        }
    }
}
