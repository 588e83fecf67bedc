import LifeCycleModel

/// A part of a scenario file as parsed from YAML, before it is interpreted.
public struct ScenarioNode: Hashable, Sendable {
    /// The parsed YAML: a scalar, a list or a map.
    public indirect enum Content: Hashable, Sendable {
        /// Nothing, as after the colon of `home:`.
        case nothing
        /// A scalar: a text, a number or a switch. The reader of the node interprets it.
        case text(String)
        case list([ScenarioNode])
        /// A map, in the order of the file.
        case map([Entry])
    }

    /// A key with its value.
    public struct Entry: Hashable, Sendable {
        /// The key, with its position.
        public let key: Placed<String>
        /// The node after the colon; its content is `nothing` if the key stands alone.
        public let value: ScenarioNode
    }

    /// The position of the beginning.
    public let place: Place
    /// Not interpreted yet: `ScenarioReader` decides whether a text is a number or a switch.
    public let content: Content

    /// Created by the reader of YAML files in `ScenarioFiles`.
    public init(_ place: Place, _ content: Content) {
        self.place = place
        self.content = content
    }

    /// An entry of a map.
    public static func entry(_ key: String, at place: Place, _ value: ScenarioNode) -> Entry {
        Entry(key: Placed(place: place, value: key), value: value)
    }

    /// The content in words, for a message.
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

    /// A list. A scalar counts as a list of itself, and nothing as an empty list.
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
