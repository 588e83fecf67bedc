/// A verb with what belongs to it: `home`, or `wake: Notes` and `for: location` below it.
struct Phrase {
    let place: Place
    /// The word that says what happens.
    let verb: Placed<String>
    /// What stands after it.
    let value: ScenarioNode
    /// The other words, in the order they are written.
    let others: [ScenarioNode.Entry]

    /// Reads a text that is one of `verbs`, or a map of which exactly one word is.
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
                    "two things in one step, \(found[0].key.value) and \(found[1].key.value): begin a "
                        + "new one with - ")
            }
            verb = first.key
            value = first.value
            others = entries.filter { $0.key != first.key }
        case .list, .nothing:
            throw node.problem(expected)
        }
    }

    /// What stands after `word`; nil where it is not there.
    subscript(word: String) -> ScenarioNode? { others.first { $0.key.value == word }?.value }

    /// The words beside the verb have to be among `words`.
    func check(_ words: [String]) throws(ScenarioProblem) {
        guard let unknown = others.first(where: { !words.contains($0.key.value) }) else { return }
        let expected = words.isEmpty ? "nothing more" : "one of \(words.joined(separator: ", "))"
        throw ScenarioProblem(
            unknown.key.place,
            "unknown word \"\(Words.shown(unknown.key.value))\" beside \(verb.value), expected \(expected)")
    }

    /// Nothing may stand after the verb.
    func wantsNothing() throws(ScenarioProblem) {
        if value.content != .nothing { throw value.problem("nothing after \(verb.value)") }
    }

    /// It as one line, but for the words in `hidden`.
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
