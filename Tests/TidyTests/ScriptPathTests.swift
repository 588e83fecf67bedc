import Foundation
import Glibc
import Testing

/// The paths in scripts. A folder that was renamed would otherwise fail a script that runs only before a release.
@Suite struct ScriptPathTests {
    /// A file that `scripts/mutants` writes in its copy of the sources.
    private static let written = "Sources/LifeCycleModel/Chooser.swift"

    /// The paths that a text names, up to a variable, with their lines. `MODULE` stands for any name.
    private static func paths(in text: String) -> [(path: String, line: Int)] {
        let pattern = /(?:^|[^\w\/}.-])((?:Sources|Tests|Scenarios|Examples|Benchmarks|docs|share)\/[\w.\/*-]*)/
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
            line.matches(of: pattern).map { match in
                let path = String(match.1)
                return (path.hasSuffix(".") ? String(path.dropLast()) : path, index + 1)
            }
        }
        .filter { !$0.path.contains("MODULE") && $0.path != written }
    }

    private static func isThere(_ pattern: String) -> Bool {
        var found = glob_t()
        defer { globfree(&found) }
        return glob(Repository.top.path + "/" + pattern, GLOB_NOSORT, nil, &found) == 0
    }

    @Test func pathsInScriptsExist() {
        let scripts = Repository.files.filter { $0.path.hasPrefix("scripts/") || $0.path.hasPrefix(".ci/") }
        let findings = scripts.flatMap { script in
            Self.paths(in: script.text).filter { !Self.isThere($0.path) }.map { path, line in
                Finding(path: script.path, line: line, complaint: "there is no \(path)")
            }
        }
        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func findsPaths() {
        let text = "cat Sources/No/*.swift | sort  # See docs/no.md.\nls /usr/share/x \"Tests/$name\" Sources/MODULE/x"
        #expect(Self.paths(in: text).map(\.path) == ["Sources/No/*.swift", "docs/no.md", "Tests/"])
        #expect(!Self.isThere("Sources/No/*.swift") && Self.isThere("Sources/RoostWire/*/*.swift"))
    }
}
