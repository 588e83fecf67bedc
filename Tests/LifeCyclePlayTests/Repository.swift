import Foundation

/// The repository of these tests.
enum Repository {
    /// The repository's top directory, three steps above this file.
    static let top: URL = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { place, _ in
        place.deletingLastPathComponent()
    }

    static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: top.appendingPathComponent(path)), as: UTF8.self)
    }
}
