import Foundation
import Testing

@testable import LifeCyclePlay

/// The page, explored once for all tests.
let shared = Result { try PlayPage() }

/// `docs/play.html`: made from the brain, and no other than that.
@Suite struct PageTests {
    /// With ROOST_WRITE_DOCS set the page is written.
    @Test func thePageIsUpToDate() throws {
        let text = try shared.get().text
        let path = "docs/play.html"
        if ProcessInfo.processInfo.environment["ROOST_WRITE_DOCS"] != nil {
            try text.write(to: Repository.top.appendingPathComponent(path), atomically: true, encoding: .utf8)
        } else {
            let isSame = try Repository.text(path) == text
            #expect(isSame, "run this test once with ROOST_WRITE_DOCS=1")
        }
        #expect(text.utf8.count < 500_000, "\(text.utf8.count) bytes are too many for a page")
    }

    /// Each transition of the rule book is there, but for those of code that hangs (T21, T22), of files that are locked and
    /// of graphics (T23, T24), and of apps that listen for calls (T27).
    @Test func everyTransitionThatCanBeReachedIsThere() throws {
        let rules = try shared.get().rules.filter { $0.hasPrefix("T") }
        let left = ["T21", "T22", "T23", "T24", "T27"]
        let all = (1...28).map { $0 < 10 ? "T0\($0)" : "T\($0)" }
        #expect(rules == all.filter { !left.contains($0) })
    }

    /// Whatever it names is in the rule book.
    @Test func everyRuleHasARow() throws {
        let book = try Repository.text("docs/rules.md")
        let rows = Set(book.matches(of: /(?m)^\| ([RTKX]-?\d+) \|/).map { String($0.output.1) })
        #expect(try shared.get().rules.filter { !rows.contains($0) } == [])
    }

    @Test func itIsWholeByItself() throws {
        let text = try shared.get().text
        let outside = [
            "http:", "https:", "src=", "href=", "@import", "fetch(", "XMLHttp", "/*data*/", "/*script*/", "/*style*/",
        ]
        for word in outside {
            // The namespace of SVG is a name, and nothing is got from there.
            let shown = text.replacing("http://www.w3.org/2000/svg", with: "")
            #expect(!shown.contains(word), "\(word)")
        }
    }
}
