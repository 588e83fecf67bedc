import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Downloads that have to survive much before they arrive.
    ///
    /// `ROOST_DOWNLOAD` is the size of the big download in MiB, which nginx then sends at `limit_rate 100m`. Without
    /// it, a smaller download is sent more slowly. `ROOST_SEED` repeats the progress at each kill.
    @Suite(.whereNginxIs) struct DownloadEnduranceTests {
        private static let kills = 10
        /// The most bytes that may be sent in vain at each kill: ten times this is 2 % of 1 GiB. These bytes are in the
        /// kernel's buffers on both sides, so they do not depend on the size.
        private static let lostAtMost = (1 << 30) / 50 / kills

        /// The app is frozen, killed, relaunched, frozen and killed again. The supervisor is killed ten times, at any
        /// point of the download. The file arrives unchanged, and one launch is notified of it once.
        @Test(.whereCgroupsFreeze) func arrivesThroughTenKills() throws {
            let environment = ProcessInfo.processInfo.environment
            let large = environment["ROOST_DOWNLOAD"].flatMap { Int($0) }
            let seed = environment["ROOST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)
            print("download: ROOST_SEED=\(seed)")
            var random = EndToEnd.SmallGenerator(seed: seed)
            let size = (large ?? 96) << 20
            let moments = (0..<Self.kills).map { _ in Int(random.next(below: UInt64(size))) }.sorted()
            try TestSystem.run { system in
                let server = try WebServer(in: system.directory + "/web", rate: large == nil ? "12m" : "100m")
                try server.make("file", bytes: size)
                try system.installDownloader([server.url("file")])
                try system.launch(.downloader)
                try system.untilPrinted(.downloader, "begun 1")
                try system.suspend(.downloader)
                for (round, moment) in moments.enumerated() {
                    try system.untilPartialFile(has: moment)
                    try system.crashAndRestart(.supervisor)
                    switch round {
                    case 2: try killApp(system)
                    case 4: try system.launch(.downloader)
                    case 5:
                        try system.until(.downloader, is: .active)
                        try system.suspend(.downloader)
                        try system.expectFrozen(.downloader)
                    case 7: try killApp(system)
                    default: break
                    }
                }
                try system.untilPrinted(.downloader, "events finished")
                try system.until("no download is left") { try system.transfers().isEmpty ? true : nil }
                let kept = system.documents(.downloader) + "/1.bin"
                #expect(FileManager.default.contentsEqual(atPath: server.path("file"), andPath: kept))
                let log = system.log(.downloader)
                // Twice by the user, and once by the system.
                for line in [
                    "launched off the screen", "finished 1", "completed 1 well", "events of", "events finished",
                ] {
                    #expect(log.count { $0.hasPrefix(line) } == 1, "\(line): \(log)")
                }
                #expect(log.count { $0.hasPrefix("launched") } == 3, "\(log)")
                let answers = server.answers
                let sent = answers.map(\.bytes).reduce(0, +)
                let share = Double(sent) / Double(size)
                print("download: \(size) bytes in \(answers.count) answers, \(sent) sent, \(share) × the size")
                // `bytes=123-`
                let offsets = answers.map { Int($0.range.dropFirst(6).dropLast()) ?? 0 }
                let lost = zip(zip(offsets, answers), offsets.dropFirst()).map { $0.0 + $0.1.bytes - $1 }
                print("download: sent for nothing at each kill: \(lost)")
                #expect(sent <= size + Self.kills * Self.lostAtMost, "\(answers)")
            }
        }

        private func killApp(_ system: TestSystem) throws {
            let process = try system.process(.downloader)
            process.send(SIGKILL)
            try process.waitUntilGone()
            try system.until(.downloader, is: .notRunning)
        }

        /// Two thousand small downloads while the app is frozen: each arrives, and is reported once. This test allows
        /// the app any time to ask for so many.
        @Test(.whereCgroupsFreeze) func twoThousandSmallFilesArrive() throws {
            let count = 2000
            try TestSystem.run(settings: ["launch=600s"]) { system in
                let server = try WebServer(in: system.directory + "/web", rate: "0")
                for number in 1...count { try server.make("\(number)", bytes: 64 << 10) }
                try system.installDownloader((1...count).map { server.url("\($0)") })
                try system.tell(.launch(.downloader))
                func untilPrinted(_ words: String) throws {
                    try system.until("the app prints \"\(words)\"", within: 10 * Deadline.patience) {
                        system.log(.downloader).contains { $0.hasPrefix(words) } ? true : nil
                    }
                }
                try untilPrinted("begun \(count)")
                try system.suspend(.downloader)
                try untilPrinted("events finished")
                try system.until("no download is left") { try system.transfers().isEmpty ? true : nil }
                let log = system.log(.downloader)
                for start in ["finished", "completed"] {
                    let numbers = log.filter { $0.hasPrefix(start + " ") }.compactMap { line in
                        line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
                    }
                    #expect(numbers.sorted() == Array(1...count), "\(start): each number once")
                }
                #expect(log.allSatisfy { !$0.hasPrefix("completed") || $0.hasSuffix(" well") })
                let whole = (1...count).count { number in
                    let kept = system.documents(.downloader) + "/\(number).bin"
                    return FileManager.default.contentsEqual(atPath: server.path("\(number)"), andPath: kept)
                }
                #expect(whole == count)
                #expect(server.answers.count == count)
            }
        }
    }
}

extension TestSystem {
    /// Waits until the only download has received this many bytes, or is complete.
    fileprivate func untilPartialFile(has bytes: Int) throws {
        let directory = state + "/transfers"
        try until("\(bytes) bytes have arrived", lookingAgainAfter: 0.002) {
            let files = try FileManager.default.contentsOfDirectory(atPath: directory)
            guard let part = files.first(where: { $0.hasSuffix(".part") }) else {
                return try transfers().contains { $0.received == 0 } ? nil : true
            }
            var status = stat()
            return stat(directory + "/" + part, &status) != 0 || Int(status.st_size) >= bytes ? true : nil
        }
    }
}
