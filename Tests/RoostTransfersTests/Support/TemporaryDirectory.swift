import Foundation
import Testing

/// A directory that goes with the test.
final class TemporaryDirectory {
    let path: String

    init(below parent: String = NSTemporaryDirectory()) throws {
        // `mkdtemp` puts something new in the place of the last six letters.
        var template = Array("\(parent)/roost-transfers.XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
