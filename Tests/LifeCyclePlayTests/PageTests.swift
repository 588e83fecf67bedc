import Foundation
import Testing

/// The page `docs/play.html`. In the release build, `play --check` checks that it agrees with the brain.
@Suite struct PageTests {
    /// The rules that the page names.
    private func rules() throws -> Set<String> {
        Set(try Repository.text("docs/play.html").matches(of: /"([RTKX]-?\d+)"/).map { String($0.output.1) })
    }

    @Test func thePageIsSmallEnough() throws {
        let count = try Repository.text("docs/play.html").utf8.count
        #expect(count < 500_000, "\(count) bytes are too many for a page")
    }

    /// The page has each transition of the rule book, with these exceptions:
    /// - T21 and T22, code that hangs
    /// - T23 and T24, locked files and graphics
    /// - T27, apps that listen for calls
    @Test func everyReachableTransitionIsOnThePage() throws {
        let rules = try rules().filter { $0.hasPrefix("T") }.sorted()
        let left = ["T21", "T22", "T23", "T24", "T27"]
        let all = (1...28).map { $0 < 10 ? "T0\($0)" : "T\($0)" }
        #expect(rules == all.filter { !left.contains($0) })
    }

    /// Each rule that the page names has a section in the rule book.
    @Test func everyRuleHasASection() throws {
        let book = try Repository.text("docs/rules.md")
        let sections = Set(book.matches(of: /(?m)^### ([RTKX]-?\d+)$/).map { String($0.output.1) })
        #expect(try rules().filter { !sections.contains($0) } == [])
    }

    @Test func thePageIsSelfContained() throws {
        let text = try Repository.text("docs/play.html")
        let outside = [
            "http:", "https:", "src=", "href=", "@import", "fetch(", "XMLHttp", "/*data*/", "/*script*/", "/*style*/",
        ]
        for word in outside {
            // The namespace of SVG is only a name, and nothing is loaded from it.
            let shown = text.replacing("http://www.w3.org/2000/svg", with: "")
            #expect(!shown.contains(word), "\(word)")
        }
    }
}
