import Foundation
import LifeCycleModel
import LifeCycleScenario
import ScenarioFiles
import Testing

/// The scenarios as documentation and as pictures.
@Suite struct PageTests {
    private func bundled() throws -> [(file: String, scenario: Scenario)] {
        try Repository.scenarios.map { ($0, try ScenarioFile.scenario(from: Repository.bytes("Scenarios/\($0)"))) }
    }

    /// A scenario shows every transition that has a section in the rule book. No scenario shows a rule without a
    /// section.
    @Test func everyTransitionHasAScenario() throws {
        let book = try Repository.text("docs/rules.md")
        let rules = book.matches(of: /(?m)^### ([RTKX]-?\d+)$/).map { String($0.output.1) }
        let shown = Set(try bundled().flatMap(\.scenario.shows))
        #expect(rules.filter { $0.hasPrefix("T") && !shown.contains($0) } == [])
        #expect(shown.filter { !rules.contains($0) } == [])
    }

    /// A scenario's file is named after the first rule it shows, without the rule's hyphen.
    @Test func everyFileIsNamedAfterItsRule() throws {
        for (file, scenario) in try bundled() {
            let rule = try #require(scenario.shows.first)
            #expect(file.hasPrefix("\(rule.replacing("-", with: ""))-"), "\(file) shows \(rule)")
        }
    }

    /// docs/scenarios.md has a row for each scenario. The test writes the rows if ROOST_WRITE_DOCS is set.
    @Test func theListIsUpToDate() throws {
        let rows = try bundled().map { file, scenario in
            "| [\(file)](../Scenarios/\(file)) | \(scenario.shows.joined(separator: ", ")) | \(scenario.title) | "
                + "\(scenario.about) |"
        }
        let path = "docs/scenarios.md"
        let (begin, end) = ("<!-- The rows are made from the files. -->\n", "\n<!-- End of the rows. -->")
        let text = try Repository.text(path)
        let parts = text.components(separatedBy: begin)
        let rest = try #require(parts.last).components(separatedBy: end)
        try #require(parts.count == 2 && rest.count == 2)
        let table =
            "| file | rules | subject | description |\n|---|---|---|---|\n"
            + rows.joined(separator: "\n")
        if ProcessInfo.processInfo.environment["ROOST_WRITE_DOCS"] != nil {
            try (parts[0] + begin + table + end + rest[1]).write(
                to: Repository.top.appendingPathComponent(path), atomically: true, encoding: .utf8)
        } else {
            #expect(rest[0] == table, "run this test once with ROOST_WRITE_DOCS=1")
        }
    }

    /// The examples of the language in the documentation are scenarios that pass.
    @Test(arguments: ["docs/scenarios.md", "docs/ko/guide.md"])
    func examplesInTheDocumentationHold(path: String) throws {
        let text = try Repository.text(path)
        let examples = text.matches(of: /(?s)```yaml\n(.*?)```/).map { String($0.output.1) }
        #expect(!examples.isEmpty)
        for example in examples {
            let outcome = ScenarioRun(try ScenarioFile.scenario(from: Array(example.utf8))).run()
            #expect(outcome.problems.isEmpty && outcome.met > 0, "\(outcome.problems)")
        }
    }

    /// Below each scenario in docs/life-cycle.md is its picture. The test writes the pictures if ROOST_WRITE_DOCS is set.
    @Test func thePicturesAreUpToDate() throws {
        let text = try Repository.text("docs/life-cycle.md")
        let examples = text.matches(of: /(?s)```yaml\n(.*?)```\s*!\[[^\]]+\]\((images\/[a-z]+\.svg)\)/)
        #expect(examples.count == 5 && text.components(separatedBy: "```yaml").count == 6)
        for example in examples {
            let path = "docs/\(example.output.2)"
            let scenario = try ScenarioFile.scenario(from: Array(example.output.1.utf8))
            let outcome = ScenarioRun(scenario).run()
            #expect(outcome.problems.isEmpty && outcome.met > 0, "\(path): \(outcome.problems)")
            let image = Timeline.image(Timeline.Picture(scenario, outcome, file: path))
            if ProcessInfo.processInfo.environment["ROOST_WRITE_DOCS"] != nil {
                try image.write(to: Repository.top.appendingPathComponent(path), atomically: true, encoding: .utf8)
            } else {
                let isSame = try Repository.text(path) == image
                #expect(isSame, "\(path): run this test once with ROOST_WRITE_DOCS=1")
            }
            #expect(Elements(image).error == nil && image.utf8.count < 20_000)
        }
    }

    @Test func aPageIsWholeByItself() throws {
        let pictures = try bundled().map {
            Timeline.Picture($0.scenario, ScenarioRun($0.scenario).run(), file: $0.file)
        }
        let page = Timeline.page(pictures)
        for word in ["src=", "href", "url(", "<script", "@import"] { #expect(!page.contains(word), "\(word)") }
        // The addresses of the scenarios' servers are text, and load nothing.
        let style = try #require(page.firstMatch(of: /(?s)<style>.*<\/style>/)).output
        let markup = page.matches(of: /<[^>]*>/).map(\.output) + [style]
        #expect(page.contains("https://example.org/"))
        #expect(markup.filter { $0.contains("http") } == [])
        #expect(page.components(separatedBy: "<section>").count == pictures.count + 1)
        #expect(page == Timeline.page(pictures))
        let parser = Elements(page)
        #expect(parser.error == nil, "\(parser.error ?? "")")
    }

    @Test func namesAreNoMarkup() throws {
        let text = """
            title: "</style><script>alert(1)</script>"
            about: "a & b"
            apps:
              "<b>\\"노트's\\u202e 📝</b>": {scenes: false}
            steps:
              - launch: "<b>\\"노트's\\u202e 📝</b>"
              - begin: "<i>"
                in: "<b>\\"노트's\\u202e 📝</b>"
              - home
              - expect: {"<b>\\"노트's\\u202e 📝</b>": background}
            """
        let scenario = try ScenarioFile.scenario(from: Array(text.utf8))
        let outcome = ScenarioRun(scenario).run()
        #expect(outcome.problems.isEmpty)
        let page = Timeline.page([Timeline.Picture(scenario, outcome, file: "<x>")])
        for word in ["<script", "<b>", "<i>", "<x>", "\u{202E}"] { #expect(!page.contains(word), "\(word)") }
        #expect(page.contains("&lt;b&gt;&quot;노트&#39;s\\u{202e} 📝&lt;/b&gt;"))
        #expect(Elements(page).error == nil)
    }
}

/// A check that a page's elements close in the reverse order of opening.
private struct Elements {
    private(set) var error: String?

    init(_ page: String) {
        var open: [Substring] = []
        for match in page.matches(of: /<(\/?)([a-zA-Z0-9]+)([^>]*?)(\/?)>/) {
            let (_, closing, name, _, isEmpty) = match.output
            if !isEmpty.isEmpty || ["meta"].contains(name) { continue }
            if closing.isEmpty {
                open.append(name)
            } else if open.popLast() != name {
                error = "</\(name)> closes what is not open"
                return
            }
        }
        if !open.isEmpty { error = "\(open) is not closed" }
    }
}
