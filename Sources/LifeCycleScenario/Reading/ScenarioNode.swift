import LifeCycleModel

/// A scenario as it is written, before any word of it is understood: what YAML has made of the file.
public struct ScenarioNode: Hashable, Sendable {
    /// What stands there.
    public indirect enum Content: Hashable, Sendable {
        /// Nothing at all, as after the colon of `home:`.
        case nothing
        /// A text, a number, a switch: what it means is for whoever reads it.
        case text(String)
        /// A list.
        case list([ScenarioNode])
        /// Names with what belongs to each, in the order they are written.
        case map([Entry])
    }

    /// A name and what belongs to it.
    public struct Entry: Hashable, Sendable {
        /// The name, and where it stands.
        public let key: Placed<String>
        /// What belongs to it.
        public let value: ScenarioNode
    }

    /// Where it begins.
    public let place: Place
    /// What stands there.
    public let content: Content

    /// A node at `place`.
    public init(_ place: Place, _ content: Content) {
        self.place = place
        self.content = content
    }

    /// An entry of a map.
    public static func entry(_ key: String, at place: Place, _ value: ScenarioNode) -> Entry {
        Entry(key: Placed(place: place, value: key), value: value)
    }

    /// What stands there, in words, for a message.
    var kind: String {
        switch content {
        case .nothing: "nothing"
        case .text(let text): "\"\(Words.shown(text))\""
        case .list: "a list"
        case .map: "a map"
        }
    }

    // MARK: Reading what has to stand there

    func problem(_ expected: String) -> ScenarioProblem {
        ScenarioProblem(place, "expected \(expected), found \(kind)")
    }

    func text(_ expected: String) throws(ScenarioProblem) -> String {
        guard case .text(let text) = content else { throw problem(expected) }
        return text
    }

    func placedText(_ expected: String) throws(ScenarioProblem) -> Placed<String> {
        Placed(place: place, value: try text(expected))
    }

    /// A list; a single thing counts as a list of it, nothing as an empty one.
    func list(_ expected: String) throws(ScenarioProblem) -> [ScenarioNode] {
        switch content {
        case .nothing: []
        case .text: [self]
        case .list(let nodes): nodes
        case .map: throw problem(expected)
        }
    }

    func entries(_ expected: String) throws(ScenarioProblem) -> [Entry] {
        guard case .map(let entries) = content else { throw problem(expected) }
        return entries
    }

    func time(_ expected: String = "a length of time such as 5s, 250ms, 2m or 1h30m") throws(ScenarioProblem)
        -> Nanoseconds
    {
        guard let time = Nanoseconds(parsing: try text(expected)) else { throw problem(expected) }
        guard time <= Scenario.longest else {
            throw ScenarioProblem(place, "expected at most a year, found \(kind)")
        }
        return time
    }

    func flag() throws(ScenarioProblem) -> Bool {
        switch try text("true or false") {
        case "true", "yes", "on": return true
        case "false", "no", "off": return false
        default: throw problem("true or false")
        }
    }

    func choice(_ choices: [String], _ what: String) throws(ScenarioProblem) -> String {
        let expected = "\(what): \(choices.joined(separator: ", "))"
        let text = try text(expected)
        guard choices.contains(text) else { throw problem(expected) }
        return text
    }

    func number(_ range: ClosedRange<Int64>) throws(ScenarioProblem) -> Int64 {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard let number = Int64(try text(expected)), range.contains(number) else { throw problem(expected) }
        return number
    }
}
