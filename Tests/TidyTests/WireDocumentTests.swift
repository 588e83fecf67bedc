import Testing

/// The documented words on the wire, compared with the code that sends them.
@Suite struct WireDocumentTests {
    private let document = Repository.files.first { $0.path == "docs/wire.md" }?.text ?? ""

    private func words(in path: String, _ pattern: some RegexComponent<(Substring, Substring)>) -> [String] {
        let text = Repository.files.first { $0.path == path }?.text ?? ""
        return text.matches(of: pattern).map { String($0.output.1) }
    }

    /// The kinds of decisions are words to program against, so the document names every kind.
    @Test func everyKindOfDecisionIsNamed() {
        let kinds =
            words(in: "Sources/LifeCycleText/DecisionText.swift", #/\("([a-z-]+)", /#)
            + Repository.files.filter { $0.path.hasPrefix("Sources/LifeCycleText/") }.flatMap {
                words(in: $0.path, #/static var kind: String \{ "([a-z-]+)" \}/#)
            }
            + words(in: "Sources/RoostRuntime/Control/Occurrence.swift", #/kind: "([a-z-]+)"/#)
            + words(in: "Sources/RoostRuntime/Control/ControlServer.swift", #/kind: "([a-z-]+)"/#)
        #expect(Set(kinds).isSuperset(of: ["launched", "fetch", "callback", "watching"]) && kinds.count > 25)
        let missing = kinds.filter { !document.contains("`\($0)`") }
        #expect(missing.isEmpty, "docs/wire.md does not name \(missing)")
    }

    /// The document also names everything that an app finds in its environment.
    @Test func everyFieldOfALaunchIsNamed() {
        let fields = words(in: "Sources/RoostWire/App/LaunchContext+Wire.swift", #/fields\["(\w+)"\]/#)
        #expect(fields.contains("reason") && fields.count > 4)
        let row = document.split(separator: "\n").first { $0.hasPrefix("| `ROOST_LAUNCH`") } ?? ""
        let missing = fields.filter { !row.contains("`\($0)`") }
        #expect(missing.isEmpty, "docs/wire.md does not name \(missing)")
    }

    /// A client that asks for the status gets every field that is always there.
    @Test func everyFieldOfTheStatusIsShown() {
        let path = "Sources/RoostWire/Control/SystemStatus.swift"
        let always =
            words(in: path, #/public var (\w+): (?:Int32|String)\n/#) + words(in: path, #/public var (\w+) = /#)
        #expect(always.contains("pid") && always.contains("sandbox") && always.count > 6)
        let missing = always.filter { !document.contains("'\($0)': ") }
        #expect(missing.isEmpty, "the transcript in docs/wire.md lacks \(missing)")
    }
}
