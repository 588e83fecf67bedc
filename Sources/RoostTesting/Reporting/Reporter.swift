import Testing
import XCTest

/// The receiver of a device's findings: the current test, of Swift Testing or XCTest.
struct Reporter: Sendable {
    let fail: @Sendable (_ text: String, _ place: SourcePlace) -> Void
    /// Shows a text as a warning, in a test that has failed.
    var tell: @Sendable (_ text: String, _ place: SourcePlace) -> Void = { _, _ in }

    /// The reporter for the running test.
    static var ofThisTest: Reporter { Test.current == nil ? ofXCTest : ofSwiftTesting }

    private static let ofSwiftTesting = Reporter(
        fail: { text, place in Issue.record(Comment(rawValue: text), sourceLocation: place.location) },
        tell: { text, place in
            Issue.record(Comment(rawValue: text), severity: .warning, sourceLocation: place.location)
        })

    private static let ofXCTest = Reporter(fail: { text, place in
        // XCTest accepts the path only as a literal, so the place is part of the text.
        XCTFail("\(place.fileID):\(place.line): \(text)")
    })
}

extension SourcePlace {
    fileprivate var location: SourceLocation {
        SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    }
}
