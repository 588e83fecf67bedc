import Foundation
import Glibc

/// A folder of a test, removed at its end.
final class TemporaryFolder {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.path + "/roost-test-" + UUID().uuidString
        // Without its folder a test cannot run.
        try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of `name` in the folder.
    func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// Writes a file, making the folders above it.
    @discardableResult
    func write(_ name: String, _ bytes: some Sequence<UInt8>, mode: Int = 0o644) throws -> String {
        let file = self(name)
        let parent = String(file[..<file.lastIndex(of: "/")!])
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        guard chmod(file, mode_t(mode)) == 0 else { throw POSIXError(.EPERM) }
        return file
    }

    /// The bytes of a file.
    func read(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: self(name)))) }

    /// Every path below the folder, sorted.
    func contents(of name: String = "") throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: self(name)).sorted()
    }
}

/// A small generator with a seed, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
