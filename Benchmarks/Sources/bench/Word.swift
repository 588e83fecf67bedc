import Foundation

/// A number that a benchmark and its apps share in a mapped file. The apps define the values.
final class Word {
    let path: String
    private let file: FileHandle

    init(_ bench: Bench, name: String) throws {
        path = "\(try bench.directory(name))/word"
        try Data(count: 4096).write(to: URL(fileURLWithPath: path))
        file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    }

    func set(_ value: UInt32) throws {
        try file.seek(toOffset: 0)
        try file.write(contentsOf: withUnsafeBytes(of: value) { Data($0) })
    }
}
