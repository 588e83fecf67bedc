/// A verb with its words: `home`, or `wake: Notes` with `for: location` below it.
struct Phrase {
    let place: Place
    let verb: Placed<String>
    /// The value after the verb.
    let value: ScenarioNode
    /// The other words, in their order.
    let others: [ScenarioNode.Entry]

    /// Reads a text that is one of `verbs`, or a map with exactly one key of `verbs`. Throws `ScenarioProblem`
    /// otherwise.
    init(_ node: ScenarioNode, verbs: [String], _ what: String) throws(ScenarioProblem) {
        let expected = "\(what): \(verbs.joined(separator: ", "))"
        place = node.place
        switch node.content {
        case .text(let text):
            guard verbs.contains(text) else {
                throw ScenarioProblem(node.place, "unknown word \(node.kind), expected \(expected)")
            }
            verb = Placed(place: node.place, value: text)
            value = ScenarioNode(node.place, .nothing)
            others = []
        case .map(let entries):
            let found = entries.filter { verbs.contains($0.key.value) }
            guard let first = found.first else {
                let place = entries.first?.key.place ?? node.place
                let word = entries.first.map { "\"\(Words.shown($0.key.value))\"" } ?? "nothing"
                throw ScenarioProblem(place, "unknown word \(word), expected \(expected)")
            }
            if found.count > 1 {
                throw ScenarioProblem(
                    found[1].key.place,
                    "two actions in one step, \(found[0].key.value) and \(found[1].key.value): begin a "
                        + "new step with - ")
            }
            verb = first.key
            value = first.value
            others = entries.filter { $0.key != first.key }
        case .list, .nothing:
            throw node.problem(expected)
        }
    }

    /// The value after `word`; nil if there is none.
    subscript(word: String) -> ScenarioNode? { others.first { $0.key.value == word }?.value }

    /// Throws `ScenarioProblem` unless all other words are among `words`.
    func check(_ words: [String]) throws(ScenarioProblem) {
        guard let unknown = others.first(where: { !words.contains($0.key.value) }) else { return }
        let expected = words.isEmpty ? "nothing more" : "one of \(words.joined(separator: ", "))"
        throw ScenarioProblem(
            unknown.key.place,
            "unknown word \"\(Words.shown(unknown.key.value))\" below \(verb.value), expected \(expected)")
    }

    /// Throws `ScenarioProblem` if there is a value after the verb.
    func wantsNothing() throws(ScenarioProblem) {
        if value.content != .nothing { throw value.problem("nothing after \(verb.value)") }
    }

    /// The phrase as one line, without the words in `hidden`.
    func words(hiding hidden: [String]) -> String {
        var line = [verb.value] + Self.words(value)
        for entry in others where !hidden.contains(entry.key.value) {
            line.append(Words.shown(entry.key.value))
            line += Self.words(entry.value)
        }
        return line.joined(separator: " ")
    }

    private static func words(_ node: ScenarioNode) -> [String] {
        switch node.content {
        case .nothing: []
        case .text(let text): [Words.shown(text)]
        case .list(let nodes): [nodes.flatMap(words).joined(separator: ", ")]
        case .map(let entries):
            [
                entries.map { ([Words.shown($0.key.value)] + words($0.value)).joined(separator: " ") }
                    .joined(separator: ", ")
            ]
        }
    }
}
