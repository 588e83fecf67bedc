import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension BundleIdentifier {
    static let downloader = named("org.roost.test.Downloader")
}

extension TestSystem {
    /// Installs the app of Tests/DownloadTestApp, which downloads these URLs. `timeouts` are for a request and for a
    /// resource, in seconds.
    func installDownloader(_ urls: [String], timeouts: (Int, Int)? = nil) throws {
        let bundle = directory + "/bundles/Downloader.app"
        let built = Self.products.appendingPathComponent("DownloadTestApp")
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: built.path, toPath: bundle + "/DownloadTestApp")
        try """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>\(BundleIdentifier.downloader)</string>
        <key>CFBundleExecutable</key><string>DownloadTestApp</string>
        </dict></plist>
        """.write(toFile: bundle + "/Info.plist", atomically: true, encoding: .utf8)
        for path in [bundle, bundle + "/DownloadTestApp", bundle + "/Info.plist"] { give(path) }
        try tell(.install(path: bundle, replacing: false))
        try FileManager.default.createDirectory(atPath: documents(.downloader), withIntermediateDirectories: true)
        let plan = documents(.downloader) + "/plan"
        try urls.joined(separator: "\n").write(toFile: plan, atomically: true, encoding: .utf8)
        for path in [container(.downloader), documents(.downloader), plan] { give(path) }
        guard let (request, resource) = timeouts else { return }
        let file = documents(.downloader) + "/timeouts"
        try "\(request) \(resource)".write(toFile: file, atomically: true, encoding: .utf8)
        give(file)
    }

    /// All downloads.
    func transfers() throws -> [TransferStatus] {
        guard case .transfers(let page) = try ask(.transfer(.list(app: nil, after: nil))) else {
            throw TestFailure(description: "the downloads are not listed")
        }
        return page.transfers
    }

    /// Waits until a download satisfies `condition`. Polls, because progress is not announced.
    @discardableResult func untilTransfer(
        _ what: String, _ condition: (TransferStatus) -> Bool
    ) throws -> TransferStatus {
        try until(what, lookingAgainAfter: 0.1) { try transfers().first(where: condition) }
    }
}

extension EndToEnd {
    /// Background downloads with a real app, a real server and a real system.
    @Suite(.whereNginxIs) struct DownloadTests {
        private static let size = 48 << 20

        private func expectWhole(_ system: TestSystem, _ server: WebServer, _ name: String, _ number: Int = 1) {
            let kept = system.documents(.downloader) + "/\(number).bin"
            #expect(FileManager.default.contentsEqual(atPath: server.path(name), andPath: kept), "\(name)")
        }

        private func lines(_ system: TestSystem, _ start: String) -> Int {
            system.log(.downloader).count { $0.hasPrefix(start) }
        }

        /// A suspended app that has begun a download, and the server of that download.
        private func begin(_ system: TestSystem, rate: String) throws -> WebServer {
            let server = try WebServer(in: system.directory + "/web", rate: rate)
            try server.make("file", bytes: Self.size)
            try system.installDownloader([server.url("file")])
            try system.launch(.downloader)
            try system.untilPrinted(.downloader, "begun 1")
            try system.suspend(.downloader)
            return server
        }

        /// The app is suspended. When the download is complete, the app is woken and notified once.
        @Test func arrivesWhileTheAppIsSuspended() throws {
            try TestSystem.run { system in
                let server = try begin(system, rate: "16m")
                try system.untilTransfer("progress during suspension") { $0.state == "running" && $0.received > 0 }
                try system.expectFrozen(.downloader)
                try system.untilPrinted(.downloader, "events finished")
                expectWhole(system, server, "file")
                try system.until(.downloader, is: .suspended)
                for line in ["launched", "finished 1", "completed 1 well", "events of downloads", "events finished"] {
                    #expect(lines(system, line) == 1, "\(line): \(system.log(.downloader))")
                }
                try system.until("no download is left") { try system.transfers().isEmpty ? true : nil }
                #expect(try FileManager.default.contentsOfDirectory(atPath: system.state + "/transfers").isEmpty)
            }
        }

        /// The app is killed, and the supervisor again and again. The file arrives unchanged, and the app is notified
        /// once.
        @Test func theFileArrivesAfterKillsOfAppAndSupervisor() throws {
            try TestSystem.run { system in
                let server = try begin(system, rate: "16m")
                let process = try system.process(.downloader)
                process.send(SIGKILL)
                try process.waitUntilGone()
                try system.until(.downloader, is: .notRunning)
                for round in 1...3 {
                    let bytes = Int64(Self.size / 5 * round)
                    try system.untilTransfer("\(bytes) bytes arrive") { $0.received > bytes || $0.state != "running" }
                    try system.crashAndRestart(.supervisor)
                }
                try system.untilPrinted(.downloader, "events finished")
                expectWhole(system, server, "file")
                #expect(lines(system, "launched off the screen") == 1)
                for line in ["finished 1", "completed 1 well", "events of downloads", "events finished"] {
                    #expect(lines(system, line) == 1, "\(line): \(system.log(.downloader))")
                }
                let sent = server.answers.map(\.bytes).reduce(0, +)
                print("\(Self.size) bytes in \(server.answers.count) answers, \(sent) bytes sent")
                #expect(server.answers.count == 4 && server.answers.dropFirst().allSatisfy { $0.status == 206 })
                // The bytes in the kernel's buffers at each kill were sent in vain.
                #expect(sent < Self.size + 4 * (8 << 20), "\(server.answers)")
            }
        }

        /// The device loses its power: only the synced part of the file is reliable. The download resumes from there,
        /// and ignores all bytes behind it.
        @Test func arrivesOverAnotherBoot() throws {
            try TestSystem.run { system in
                let server = try begin(system, rate: "6m")
                let process = try system.process(.downloader)
                let store = system.state + "/store.db"
                func edit(_ code: String) throws -> Int {
                    let command = ["/usr/bin/python3", "-c", Self.store + code, store, system.state + "/transfers"]
                    let (exit, text, errors) = try system.run(command)
                    guard exit == .code(0) else { throw TestFailure(description: errors) }
                    return Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
                }
                try system.until("there is a checkpoint", lookingAgainAfter: 0.2) {
                    try edit("print(checkpoint.get('received', 0))") > 0 ? true : nil
                }
                try system.crash(.both)
                process.send(SIGKILL)
                try process.waitUntilGone()
                // After a loss of power, a file may hold anything behind its synced part.
                let kept = try edit(
                    """
                    with open(part, "r+b") as file:
                        file.seek(checkpoint["received"])
                        file.write(b"x" * 3_000_000)
                    checkpoint["boot"] = "another"
                    db.execute("UPDATE transfer SET checkpoint = ?", (json.dumps(checkpoint),))
                    db.commit()
                    print(checkpoint["received"])
                    """)
                #expect(kept > 0 && kept < Self.size)
                try system.startAfterAnotherBoot()
                try system.untilPrinted(.downloader, "events finished")
                expectWhole(system, server, "file")
                for line in ["launched off the screen", "finished 1", "completed 1 well", "events finished"] {
                    #expect(lines(system, line) == 1, "\(line): \(system.log(.downloader))")
                }
                let last = try #require(server.answers.last)
                #expect(last.status == 206 && last.range.contains("bytes=\(kept)-"), "\(server.answers), \(kept)")
            }
        }

        /// Opens the store of a system that does not run, and reads the checkpoint of its only download.
        private static let store = """
            import glob, json, sqlite3, sys
            db = sqlite3.connect(sys.argv[1])
            row = db.execute("SELECT checkpoint FROM transfer").fetchone()
            checkpoint = json.loads(row[0]) if row and row[0] else {}
            part = (glob.glob(sys.argv[2] + "/*.part") or [""])[0]

            """

        /// `roost transfers` and its subcommands.
        @Test func theUserManagesDownloads() throws {
            try TestSystem.run { system in
                let server = try WebServer(in: system.directory + "/web", rate: "2m")
                try server.make("file", bytes: Self.size)
                try system.installDownloader([server.url("file"), server.url("file?2")])
                #expect(try system.roost("transfers").out == "there are no downloads\n")
                try system.launch(.downloader)
                let first = try system.untilTransfer("it makes progress") { $0.state == "running" && $0.received > 0 }
                let table = try system.roost("transfers").out
                for word in ["SPEED", first.id, server.url("file"), "downloading", "48.0 MiB"] {
                    #expect(table.contains(word), "\(table)")
                }
                let paused = try system.roost("transfers", "pause", first.id)
                #expect(paused.exit == .code(0) && paused.out.contains("paused: 1 of 1 download"), "\(paused)")
                try system.untilTransfer("the download is paused") { $0.id == first.id && $0.wait == "paused" }
                #expect(try system.roost("transfers", "pause", first.id).exit == .code(0), "it is already paused")
                let none = try system.roost("transfers", "pause", "1.1.999")
                #expect(none.exit == .code(1) && none.err.hasPrefix("roost: "), "\(none)")
                #expect(try system.roost("transfers", "resume", first.id).exit == .code(0))
                try system.untilTransfer("the download runs again") { $0.id == first.id && $0.state == "running" }
                // Without a network no download makes progress, and `roost transfers` says what they wait for.
                try system.tell(.set(name: "network", value: "none", app: nil))
                try system.untilTransfer("it waits for a network") { $0.id == first.id && $0.wait == "network" }
                #expect(try system.roost("transfers").out.contains("waits for"))
                try system.tell(.set(name: "network", value: "wifi", app: nil))
                try system.untilTransfer("the download runs again") { $0.id == first.id && $0.state == "running" }
                let json = try system.roost("transfers", BundleIdentifier.downloader.rawValue, "--json").out
                #expect(try JSONDecoder().decode([TransferStatus].self, from: Data(json.utf8)).count == 2)
                let canceled = try system.roost("transfers", "cancel", "all")
                #expect(canceled.exit == .code(0) && canceled.out.contains("2 of 2 downloads"), "\(canceled)")
                try system.untilPrinted(.downloader, "completed 1 -999")
                try system.untilPrinted(.downloader, "completed 2 -999")
                try system.until("no download is left") { try system.transfers().isEmpty ? true : nil }
                #expect(try system.roost("why", BundleIdentifier.downloader.rawValue).out.contains("cancel"))
            }
        }
    }
}
