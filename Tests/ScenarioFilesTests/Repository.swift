import Foundation

/// The repository of these tests.
enum Repository {
    /// The repository's top directory, three steps above this file.
    static let top: URL = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { place, _ in
        place.deletingLastPathComponent()
    }

    /// The names of the scenarios in the repository, in order.
    static let scenarios: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: top.appendingPathComponent("Scenarios").path)) ?? [])
        .filter { $0.hasSuffix(".yaml") }.sorted()

    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: top.appendingPathComponent(path)))
    }

    static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }
}
