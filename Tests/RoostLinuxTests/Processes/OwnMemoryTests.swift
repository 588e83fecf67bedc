import Foundation
import RoostLinux
import Testing

/// The release of the memory that holds code.
@Suite struct OwnMemoryTests {
    /// The released code is loaded again when it is needed, as by this test. Written memory stays.
    @Test func codeIsGivenBackAndComesAgain() throws {
        func resident() throws -> Int {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
            return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        }
        // Other tests run meanwhile and load the code they need, in the worst case between the two measurements.
        var seen: [(before: Int, after: Int)] = []
        while seen.count < 20, !seen.contains(where: { $0.after < $0.before * 3 / 4 }) {
            let before = try resident()
            OwnMemory.releaseCode()
            seen.append((before, try resident()))
        }
        #expect(seen.last.map { $0.after < $0.before * 3 / 4 } == true, "KiB: \(seen)")
        #expect(try JSONDecoder().decode([Int].self, from: JSONEncoder().encode([1, 2, 3])) == [1, 2, 3])
    }
}
