import Testing
import XCTest

/// Where a device's findings go: to the test that made it, be it one of Swift Testing's or of XCTest's.
struct Reporter: Sendable {
    let fail: @Sendable (_ text: String, _ place: SourcePlace) -> Void
    /// Shows a text as a warning, in a test that has failed.
    var tell: @Sendable (_ text: String, _ place: SourcePlace) -> Void = { _, _ in }

    /// The reporter of the test that runs here.
    static var ofThisTest: Reporter { Test.current == nil ? ofXCTest : ofSwiftTesting }

    private static let ofSwiftTesting = Reporter(
        fail: { text, place in Issue.record(Comment(rawValue: text), sourceLocation: place.location) },
        tell: { text, place in
            Issue.record(Comment(rawValue: text), severity: .warning, sourceLocation: place.location)
        })

    private static let ofXCTest = Reporter(fail: { text, place in
        // XCTest takes the path as a literal only, so the place goes into the text.
        XCTFail("\(place.fileID):\(place.line): \(text)")
    })
}

extension SourcePlace {
    fileprivate var location: SourceLocation {
        SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    }
}
