import Testing

/// A word that is forbidden in the code of some targets.
private struct Ban {
    let pattern: Regex<Substring>
    let why: String
    /// The targets that may not contain it.
    let targets: Set<String>
}

private let pure: Set = [
    "LifeCycleModel", "LifeCyclePolicy", "LifeCycleText", "AppCore", "LifeCycleSimulation", "LifeCycleScenario",
    "LifeCyclePlay", "SoundHeaders", "RoostWire", "SourceScan",
]
private let brain: Set = ["LifeCycleModel", "LifeCyclePolicy"]

private func bans() -> [Ban] {
    [
        Ban(pattern: /\bDate\(/, why: "time is an argument", targets: pure),
        Ban(pattern: /\b(?:Continuous|Suspending)Clock\b/, why: "time is an argument", targets: pure),
        Ban(
            pattern: /\b(?:TimeZone|Calendar|Locale)\b/, why: "it answers differently once anything links Foundation",
            targets: pure),
        Ban(
            pattern:
                /\bSystemRandomNumberGenerator\b|\.(?:random|randomElement|shuffle|shuffled)\(\s*(?:\)|in:[^,]*\)$)/,
            why: "randomness is an argument", targets: pure),
        Ban(pattern: /\bTask(?:\.detached)?\s*\{|\bawait\b/, why: "pure code never waits", targets: pure),
        Ban(pattern: /\bprint\(/, why: "pure code says what it has to say by what it returns", targets: pure),
        Ban(
            pattern: /\b(?:Double|Float|TimeInterval)\b/, why: "the brain holds no floating-point number",
            targets: brain),
        Ban(
            pattern: /\bhashValue\b|\bHasher\(/, why: "a hash differs from run to run",
            targets: pure),
    ]
}

/// Matches the declaration of a set or dictionary, whose order of iteration differs from run to run.
private func unordered() -> Regex<Substring> {
    /\b(?:var|let)\s+\w+\s*(?::\s*(?:Set<|Dictionary<|\[\s*[\w.<>?]+\s*:)|=\s*(?:Set<|Set\(|Dictionary<|\[\s*[\w.<>?]+\s*:\s*[\w.<>?\[\]]+\s*\]\())/
}

private func findings(in file: SourceFile) -> [Finding] {
    guard file.isSwift else { return [] }
    let code = SwiftText(file.text).lines
    let raw = file.lines
    var found: [Finding] = []
    func object(_ index: Int, _ complaint: String) {
        found.append(Finding(path: file.path, line: index + 1, complaint: complaint))
    }
    func hasComment(_ index: Int, _ start: String = "//") -> Bool {
        raw[index].contains(start)
            || (index > 0 && raw[index - 1].drop { $0 == " " }.hasPrefix("//") && raw[index - 1].contains(start))
    }
    let bans = bans().filter { file.isSource && $0.targets.contains(file.target ?? "") }
    // By default Unicode's word boundaries apply, by which `TimeZone.current` is a single word.
    let unordered = unordered().wordBoundaryKind(.simple)
    for (index, line) in code.enumerated() {
        for ban in bans {
            if let match = line.firstMatch(of: ban.pattern.wordBoundaryKind(.simple)) {
                object(index, "\(match.output): \(ban.why)")
            }
        }
        if file.isSource, file.target == "LifeCyclePolicy", line.contains(unordered), !hasComment(index, "// ordered:")
        {
            object(index, "a set or dictionary: use a sorted array, or say after \"// ordered:\" why no order shows")
        }
        for word in ["try!", "nonisolated(unsafe)", "@unchecked Sendable"] where line.contains(word) {
            if !hasComment(index) { object(index, "\(word) without a comment that says why it is safe") }
        }
        // Exceptions are an example app's own waits, and a window in which something is measured.
        if file.isTest, line.contains(/\b(?:sleep|usleep|nanosleep)\(/.wordBoundaryKind(.simple)),
            !hasComment(index, "// App:"), !hasComment(index, "// Window:")
        {
            object(index, "a test that sleeps is slow or wrong: wait for what is to happen")
        }
    }
    return found
}

/// Words that may be in no file of any kind. The words are assembled here, so that this file does not contain them.
private let nowhere: [(word: String, why: String)] = [
    ("TO" + "DO", "do it, or write it down where it is planned"), ("FIX" + "ME", "fix it"),
    ("/wo" + "rk/", "a path of one machine"), ("/opt/sw" + "ift", "a path of one machine"),
]

private func findingsAnywhere(in file: SourceFile) -> [Finding] {
    file.lines.enumerated().flatMap { index, line in
        nowhere.filter { line.contains($0.word) }
            .map { Finding(path: file.path, line: index + 1, complaint: "\($0.word): \($0.why)") }
    }
}

@Suite struct WordTests {
    @Test func codeHoldsNoBannedWord() {
        let found = Repository.files.flatMap(findings)
        #expect(found.isEmpty, "\(found.report)")
    }

    @Test func noFileHasForbiddenWords() {
        let found = Repository.files.flatMap(findingsAnywhere)
        #expect(found.isEmpty, "\(found.report)")
    }

    @Test(arguments: [
        "let now = Date()", "let zone = TimeZone.current", "var calendar: Calendar", "Int.random(in: 0...9)",
        "list.shuffled()", "var dice = SystemRandomNumberGenerator()", "Task { go() }", "Task.detached { go() }",
        "await go()", "print(1)", "let half: Double = 1", "let x: Float", "x.hashValue", "var apps: Set<AppID> = []",
        "let apps: [AppID: Int]", "var apps = [AppID: Int]()", "var seen = Set<Int>()", "let x: Dictionary<Int, Int>",
        "let x = try! go()", "nonisolated(unsafe) var x = 1", "final class X: @unchecked Sendable {}",
        "let text = \"a\"; print(text)", "let clock = ContinuousClock()",
    ])
    func objects(text: String) {
        #expect(findings(in: SourceFile(path: "Sources/LifeCyclePolicy/X.swift", text: text)).count == 1, "\(text)")
    }

    @Test(arguments: [
        "// let now = Date()", "/// prints Double(1) /* */", "let text = \"print(1) \\(a(\")\")) Date()\"", "awaited()",
        "let text = \"\"\"\n    await \" Date()\n    \"\"\"", "/* Task { /* */ print( */", "GregorianCalendar()",
        "reprint(1)",
        "Int.random(in: 0...9, using: &generator)", "let x: [(name: String, at: Int)]", "var x: [AppID]",
        "// ordered: looked up only, never iterated\nlet apps: [AppID: Int]", "let a = b ? [c] : d",
        "let x = try! go()  // The literal is right.", "// Guarded by the lock.\nfinal class X: @unchecked Sendable {}",
        "let raw = #\"print(\"1\")\"#", "let backgroundTask: Task", "case dated(Int)",
    ])
    func allows(text: String) {
        let found = findings(in: SourceFile(path: "Sources/LifeCyclePolicy/X.swift", text: text))
        #expect(found.isEmpty, "\(text): \(found.report)")
    }

    @Test func objectsToSleepInTestsOnly() {
        #expect(findings(in: SourceFile(path: "Tests/X/Y.swift", text: "usleep(10)")).count == 1)
        #expect(findings(in: SourceFile(path: "Tests/X/Y.swift", text: "let sleeper = fall(asleep)")).isEmpty)
        #expect(findings(in: SourceFile(path: "Sources/roost/Y.swift", text: "usleep(10)")).isEmpty)
    }

    @Test func objectsAnywhere() {
        for word in nowhere.map(\.word) {
            #expect(findingsAnywhere(in: SourceFile(path: "docs/x.md", text: "a\nb \(word)")).map(\.line) == [2])
        }
    }
}
