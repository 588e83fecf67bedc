import Foundation
import Testing

/// The relative links of a Markdown file that lead nowhere.
private func findings(in file: SourceFile, holds: (String) -> Bool = Repository.holds) -> [Finding] {
    guard file.path.hasPrefix("README.") || file.path.hasPrefix("docs/"), file.isMarkdown else { return [] }
    var isCode = false
    var found: [Finding] = []
    for (index, line) in file.lines.enumerated() {
        if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
        if isCode { continue }
        for match in line.replacing(/`[^`]*`/, with: "").matches(of: /\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/) {
            let link = String(match.output.1)
            if link.hasPrefix("#") || link.contains(/^[a-z][a-z0-9+.-]*:/) { continue }
            let target = link.prefix { $0 != "#" }
            let path = resolve(target.removingPercentEncoding ?? String(target), from: file.path)
            if path.map(holds) != true {
                found.append(Finding(path: file.path, line: index + 1, complaint: "the link to \(link) leads nowhere"))
            }
        }
    }
    return found
}

/// The link's path from the top of the repository; nil if it leads out of the repository.
private func resolve(_ link: String, from path: String) -> String? {
    var parts = link.hasPrefix("/") ? [] : path.split(separator: "/").dropLast().map(String.init)
    for part in link.split(separator: "/") where part != "." {
        if part == ".." {
            guard parts.popLast() != nil else { return nil }
        } else {
            parts.append(String(part))
        }
    }
    return parts.joined(separator: "/")
}

@Suite struct LinkTests {
    @Test func linksLeadSomewhere() {
        let found = Repository.files.flatMap { findings(in: $0) }
        #expect(found.isEmpty, "\(found.report)")
    }

    @Test func followsLinks() {
        let text = """
            [a](there.md) ![b](../there.png "title") [c](#part) [d](https://example.com/x) [e](mailto:a@b.c)
            [f](missing.md#part) and [g](there.md#part), `[h](code.md)`
            ```
            [i](code.md)
            ```
            [j](../../out.md) [k](</there.png>)
            """
        let file = SourceFile(path: "docs/x.md", text: text)
        let found = findings(in: file) { ["docs/there.md", "there.png"].contains($0) }
        #expect(found.map(\.line) == [2, 6])
    }
}
