import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The carrier: separate from the supervisor, confined, and replaceable.
    @Suite struct CarrierTests {
        /// Settings for a short test: a failed attempt is soon retried.
        private static let hasty = ["transferRetry=0.2s", "transferRetryMost=1s"]

        private func lines(_ system: TestSystem, _ start: String) -> Int {
            system.log(.downloader).count { $0.hasPrefix(start) }
        }

        /// The supervisor's program links no code that reads what strangers send.
        @Test func theSupervisorLinksNoHTTP() throws {
            func output(_ arguments: String...) throws -> String {
                let (process, output) = (Process(), Pipe())
                process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                process.arguments = arguments
                process.standardOutput = output
                try process.run()
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                #expect(process.terminationStatus == 0)
                return text
            }
            let carrier = URL(fileURLWithPath: TestSystem.program).deletingLastPathComponent().path + "/roost-carry"
            let app = TestSystem.products.appendingPathComponent("DownloadTestApp").path
            for (command, name, user) in [
                ("nm", "curl_", carrier), ("nm", "SSL_", carrier), ("nm", "RoostTransfers", carrier),
                ("ldd", "libcurl", carrier), ("ldd", "libssl", carrier), ("ldd", "libcrypto", carrier),
                ("ldd", "libFoundationNetworking", app),
            ] {
                #expect(try !output(command, TestSystem.program).contains(name), "\(name) is in roost")
                #expect(
                    try output(command, user).contains(name),
                    "\(name) is not in \(user), so the test looks for a wrong name")
            }
        }

        /// HTTP has no status below 100. The attempt fails, and the other downloads continue.
        @Test(arguments: [0, 42, 99]) func aStatusThatHTTPDoesNotHave(status: Int) throws {
            try TestSystem.run(settings: Self.hasty) { system in
                let bad = try BadWebServer()
                let good = bad.url("good", "size=400000&pause=0")
                let (low, file) = ("status=\(status)&size=100", "size=3000000&etag=%22a%22")
                try system.installDownloader([bad.url("low", low), good, bad.url("once", low, file)])
                let supervisor = try #require(system.supervisor?.pid)
                try system.launch(.downloader)
                try system.untilPrinted(.downloader, "completed 2 ")
                try system.untilPrinted(.downloader, "completed 3 ")
                #expect(lines(system, "completed 1 ") == 0, "the system still retries: \(system.log(.downloader))")
                #expect(lines(system, "completed 2 well") == 1)
                #expect(lines(system, "completed 3 well") == 1, "completes once the server answers correctly")
                #expect(system.supervisor?.pid == supervisor)
                try system.until(.downloader, is: .active)
            }
        }

        /// A download whose carrier dies three times in a row has failed. Another download completes.
        @Test func threeDeathsEndADownload() throws {
            try TestSystem.run(settings: Self.hasty) { system in
                let bad = try BadWebServer()
                try system.installDownloader([
                    bad.url("stalls", "size=3000000&stall=2000000"), bad.url("good", "size=400000&pause=0"),
                ])
                try system.launch(.downloader)
                try system.untilPrinted(.downloader, "completed 2 well")
                var killed: Set<Int32> = []
                for _ in 1...3 {
                    let pid = try system.until("a new carrier runs", lookingAgainAfter: 0.05) {
                        system.carriers.first { !killed.contains($0) }
                    }
                    try system.untilTransfer("the download makes progress") { $0.received > 1_000_000 }
                    kill(pid, SIGKILL)
                    killed.insert(pid)
                }
                try system.untilPrinted(.downloader, "completed 1 ")
                #expect(lines(system, "completed 1 -997") == 1, "\(system.log(.downloader))")
                let why = try system.roost("why", BundleIdentifier.downloader.rawValue).out
                #expect(why.contains("roost-carry"), "\(why)")
            }
        }

        /// The carrier starts with the first download and ends after the last.
        @Test func theCarrierRunsOnlyDuringDownloads() throws {
            try TestSystem.run(settings: Self.hasty) { system in
                let bad = try BadWebServer()
                #expect(system.carriers.isEmpty)
                let steps = "size=3000000&etag=%22a%22"
                try system.installDownloader([bad.url("stalls", steps + "&stall=2000000", steps)])
                try system.launch(.downloader)
                let pid = try system.until("a carrier runs", lookingAgainAfter: 0.1) { system.carriers.first }
                try system.untilTransfer("the download makes progress") { $0.received > 1_000_000 }
                // If the supervisor dies, so does its carrier. The new supervisor has another carrier.
                try system.crashAndRestart(.supervisor)
                try system.untilPrinted(.downloader, "completed 1 well")
                try system.until("the carrier has ended", lookingAgainAfter: 0.1) {
                    system.carriers.isEmpty ? true : nil
                }
                #expect(kill(pid, 0) != 0)
            }
        }

        /// A carrier that is killed during a download is replaced, and the download resumes from the received bytes.
        @Test func aKilledCarrierIsReplaced() throws {
            try TestSystem.run(settings: Self.hasty) { system in
                let bad = try BadWebServer()
                let steps = "size=9000000&etag=%22a%22"
                try system.installDownloader([bad.url("stalls", steps + "&stall=5000000", steps)])
                try system.launch(.downloader)
                try system.untilTransfer("the download makes progress") { $0.received > 1_000_000 }
                let pid = try #require(system.carriers.first)
                kill(pid, SIGKILL)
                try system.untilPrinted(.downloader, "completed 1 well")
                #expect(lines(system, "resumed 1") <= 1)
            }
        }

        /// The carrier's confinement, read from the kernel: no capabilities, a filter, no way to gain rights, and its
        /// own uid if apps have theirs.
        @Test func theCarrierIsConfined() throws {
            try TestSystem.run(settings: Self.hasty) { system in
                let bad = try BadWebServer()
                try system.installDownloader([bad.url("stalls", "size=3000000&stall=2000000")])
                try system.launch(.downloader)
                try system.untilTransfer("the download makes progress") { $0.received > 1_000_000 }
                let pid = try #require(system.carriers.first)
                let status = try #require(Kernel.text("/proc/\(pid)/status"))
                func field(_ name: String) -> [String] {
                    status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
                        .map { $0.split(whereSeparator: \.isWhitespace).dropFirst().map(String.init) } ?? []
                }
                #expect(field("NoNewPrivs") == ["1"])
                #expect(field("Seccomp") == ["2"])
                #expect(Set(field("CapEff") + field("CapPrm") + field("CapAmb")) == ["0000000000000000"])
                guard case .status(let summary) = try system.ask(.status) else {
                    throw TestFailure(description: "the system does not report its status")
                }
                if summary.sandbox.hasPrefix("uids") {
                    #expect(Set(field("Uid")).count == 1 && field("Uid") != ["0", "0", "0", "0"])
                    #expect(field("Groups").isEmpty)
                }
                let environment = Kernel.text("/proc/\(pid)/environ") ?? ""
                #expect(!environment.contains("ROOST_"), "the carrier has none of the system's variables")
            }
        }

        /// Without the carrier's program the system reports that, and continues.
        @Test func theProgramIsMissing() throws {
            try TestSystem.run(settings: Self.hasty, starting: false) { system in
                let place = system.directory + "/bin"
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
                try TestSystem.copyPrograms(["roost", "roost-guardian"], to: place)
                chmod(place, 0o755)
                system.program = place + "/roost"
                try system.start()
                #expect(system.systemLog.contains("install roost-carry beside roost"))
                try system.installDownloader(["http://localhost:1/"])
                try system.launch(.downloader)
                try system.untilTransfer("the download waits for its retry") { $0.wait == "retry" }
                #expect(try system.roost("why", BundleIdentifier.downloader.rawValue).out.contains("roost-carry"))
            }
        }
    }
}
