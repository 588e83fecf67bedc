import Testing
import XCTest

/// Where a device's findings go: to the test that made it, be it one of Swift Testing's or of XCTest's.
struct Reporter: Sendable {
    let fail: @Sendable (_ text: String, _ place: SourcePlace) -> Void

    /// The reporter of the test that runs here.
    static var ofThisTest: Reporter { Test.current == nil ? ofXCTest : ofSwiftTesting }

    private static let ofSwiftTesting = Reporter { text, place in
        Issue.record(
            Comment(rawValue: text),
            sourceLocation: SourceLocation(
                fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column))
    }

    private static let ofXCTest = Reporter { text, place in
        // XCTest takes the path as a literal only, so the place goes into the text.
        XCTFail("\(place.fileID):\(place.line): \(text)")
    }
}
