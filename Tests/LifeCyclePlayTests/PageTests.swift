import Foundation
import Testing

/// `docs/play.html`. That it is what the brain makes of it is checked by `play --check`, in the release build.
@Suite struct PageTests {
    /// Every row of the rule book that the page names.
    private func rules() throws -> Set<String> {
        Set(try Repository.text("docs/play.html").matches(of: /"([RTKX]-?\d+)"/).map { String($0.output.1) })
    }

    @Test func itIsNoLargerThanAPage() throws {
        let count = try Repository.text("docs/play.html").utf8.count
        #expect(count < 500_000, "\(count) bytes are too many for a page")
    }

    /// Each transition of the rule book is there, but for those of code that hangs (T21, T22), of files that are locked and
    /// of graphics (T23, T24), and of apps that listen for calls (T27).
    @Test func everyTransitionThatCanBeReachedIsThere() throws {
        let rules = try rules().filter { $0.hasPrefix("T") }.sorted()
        let left = ["T21", "T22", "T23", "T24", "T27"]
        let all = (1...28).map { $0 < 10 ? "T0\($0)" : "T\($0)" }
        #expect(rules == all.filter { !left.contains($0) })
    }

    /// Whatever it names is in the rule book.
    @Test func everyRuleHasASection() throws {
        let book = try Repository.text("docs/rules.md")
        let sections = Set(book.matches(of: /(?m)^### ([RTKX]-?\d+)$/).map { String($0.output.1) })
        #expect(try rules().filter { !sections.contains($0) } == [])
    }

    @Test func itIsWholeByItself() throws {
        let text = try Repository.text("docs/play.html")
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
