import Foundation
import LifeCycleModel
import RoostLinux
import RoostPorts
import Testing

/// The machine's time zone files. Foundation reads the same files.
@Suite struct TimeZoneTests {
    private static let root = "/usr/share/zoneinfo"

    @Test(
        arguments: [
            "UTC", "Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Kolkata", "Africa/Casablanca",
            "Europe/Dublin", "Pacific/Apia", "Asia/Tehran", "America/Sao_Paulo", "Australia/Lord_Howe", "GMT+0900",
            "GMT-0330", "GMT+1400", "GMT+9:30", "UTC+3",
        ])
    func zoneOffsetsMatchFoundation(name: String) throws {
        let zones = TimeZones()
        let rules = try #require(zones.rules(of: name))
        let zone = try #require(TimeZone(identifier: name))
        // From 1970 to 2100, in steps of about eleven days.
        for seconds in stride(from: Int64(0), to: 4_102_444_800, by: 953_111) {
            let expected = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
            guard rules.offset(at: seconds) == Int32(expected) else {
                Issue.record("\(name) at \(seconds): \(rules.offset(at: seconds)) instead of \(expected)")
                return
            }
        }
    }

    @Test(
        arguments: [
            "", "Mars/Olympus", "..", "../localtime", "Europe/../../localtime", "/etc/localtime", "Europe/", "Europe",
            ".hidden", "Europe//Berlin", "Europe/Ber\u{0}lin", "Zürich", String(repeating: "a", count: 256),
            "tzdata.zi", "GMT+", "GMT+0960", "GMT+1900", "GMT+09000", "GMT 0900", "GMT+9:3", "GMT+9:30:00",
        ])
    func invalidZonesHaveNoRules(name: String) throws {
        #expect(TimeZones().rules(of: name) == nil)
    }

    @Test func theLocalZoneFollowsTheLink() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "zone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let link = directory.appending(path: "localtime").path
        let zones = TimeZones(root: Self.root, link: link)
        let descriptor = try #require(zones.descriptor)
        #expect(zones.localZone().name == "UTC", "no zone is set yet")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Self.root + "/Europe/Berlin")
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        #expect(Glibc.poll(&poll, 1, 5000) == 1)
        let local = zones.localZone()
        #expect(local.name == "Europe/Berlin")
        #expect(local.rules == zones.rules(of: "Europe/Berlin"))
        #expect(Glibc.poll(&poll, 1, 0) == 0, "the change event was consumed")
    }

    /// If the link's directory cannot be watched, the zone is still read, and the limitation is reported.
    @Test func anUnwatchableZoneIsReadOnce() throws {
        let zones = TimeZones(root: Self.root, link: "/nowhere/localtime")
        #expect(zones.descriptor == nil && zones.limitation?.errno == ENOENT)
        #expect(zones.localZone().name == "UTC")
        #expect(zones.rules(of: "Europe/Berlin") != nil)
    }

    @Test func damagedZoneFilesDoNotTrap() throws {
        let bytes = Array(try Data(contentsOf: URL(filePath: Self.root + "/Europe/Berlin")))
        #expect(ZoneFile.rules(in: bytes) != nil)
        for length in 0..<bytes.count { #expect(ZoneFile.rules(in: Array(bytes.prefix(length))) == nil) }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            var changed = bytes
            for _ in 0..<4 { changed[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255) }
            // The reader must not trap.
            _ = ZoneFile.rules(in: changed)?.offset(at: 1_800_000_000)
        }
    }
}
