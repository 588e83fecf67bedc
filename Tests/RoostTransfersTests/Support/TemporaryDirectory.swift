import Foundation
import Testing

/// A directory that is removed with the object.
final class TemporaryDirectory {
    let path: String

    init(below parent: String = NSTemporaryDirectory()) throws {
        // `mkdtemp` replaces the last six letters.
        var template = Array("\(parent)/roost-transfers.XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
