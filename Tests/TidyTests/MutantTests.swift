import Testing

/// A mutant of `Tests/Mutants`, as far as it can be judged without building it.
private struct Mutant {
    static let operators = [
        "constant ± 1", "guard negated", "effect dropped", "wrong app", "limit swapped", "release forgotten",
    ]

    /// What its header says, by the words before the colon.
    private(set) var header: [(name: String, value: String)] = []
    private(set) var files: [String] = []
    /// The lines its hunks expect to find, and those they leave.
    private(set) var hunks: [(old: [String], new: [String])] = []

    init(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("@@") {
                hunks.append(([], []))
            } else if let last = hunks.indices.last {
                // After the newline that ends the file comes nothing.
                guard let mark = line.first else { continue }
                if mark != "+" { hunks[last].old.append(String(line.dropFirst())) }
                if mark != "-" { hunks[last].new.append(String(line.dropFirst())) }
            } else if line.hasPrefix("+++ b/") {
                files.append(String(line.dropFirst("+++ b/".count)))
            } else if !line.hasPrefix("---"), let colon = line.firstRange(of: ": ") {
                header.append((String(line[..<colon.lowerBound]), String(line[colon.upperBound...])))
            }
        }
    }

    private func value(_ name: String) -> String? { header.first { $0.name == name }?.value }

    /// What is wrong with it, `sources` being the repository's files.
    func complaints(among sources: [SourceFile]) -> [String] {
        var found: [String] = []
        if !Self.operators.contains(value("Operator") ?? "") { found.append("its operator is none of the six") }
        if value("Noticed by") == nil, value("Survives") == nil {
            found.append("neither what noticed it nor why it survives: run scripts/mutants --write")
        }
        guard files.count == 1, let source = sources.first(where: { $0.path == files[0] }) else {
            return found + ["it is not a change of one file that is there"]
        }
        if value("Place")?.hasPrefix(source.path + ", ") != true { found.append("its place is not in \(source.path)") }
        let lines = source.lines.map(String.init)
        if hunks.isEmpty { found.append("it changes nothing") }
        for hunk in hunks {
            if hunk.old == hunk.new { found.append("it changes nothing") }
            let last = lines.count - hunk.old.count
            if last < 0 || !(0...last).contains(where: { Array(lines[$0..<$0 + hunk.old.count]) == hunk.old }) {
                found.append("it does not apply any more: draw another for it, scripts/make-mutants")
            }
        }
        return found
    }
}

@Suite struct MutantTests {
    private let patches = Repository.files.filter { $0.path.hasPrefix("Tests/Mutants/") }

    @Test func mutantsApplyAndSayWhatNoticesThem() {
        let found = patches.flatMap { patch in
            Mutant(patch.text).complaints(among: Repository.files).map {
                Finding(path: patch.path, line: 0, complaint: $0)
            }
        }
        #expect(found.isEmpty, "\(found.report)")
    }

    @Test func thereAreAHundredAndEveryOperatorHasItsShare() {
        let names = patches.flatMap { Mutant($0.text).header.filter { $0.name == "Operator" }.map(\.value) }
        #expect(names.count >= 100)
        for name in Mutant.operators { #expect(names.count { $0 == name } >= 10, "\(name)") }
    }

    @Test func objects() {
        let source = SourceFile(path: "Sources/A/B.swift", text: "one\ntwo\nthree\n")
        let good = """
            Operator: wrong app
            Place: Sources/A/B.swift, f
            Noticed by: explorer: liveness, seed 1

            --- a/Sources/A/B.swift
            +++ b/Sources/A/B.swift
            @@ -1,3 +1,3 @@
             one
            -two
            +2
             three

            """
        func complaints(_ text: String) -> [String] { Mutant(text).complaints(among: [source]) }
        #expect(complaints(good) == [])
        for (old, new) in [
            ("wrong app", "wrong"), ("Noticed by", "Noted by"), ("Place: Sources/A", "Place: Sources/C"),
            ("-two", "-four"), ("+++ b/Sources/A/B", "+++ b/Sources/A/C"), ("+2", "+two"),
        ] {
            #expect(complaints(good.replacing(old, with: new)).count == 1, "\(new)")
        }
        #expect(complaints(good.replacing("@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n", with: "")).count == 1)
    }
}
