public import LifeCycleModel
public import LifeCycleScenario
import Yams

/// Scenarios as YAML files.
public enum ScenarioFile {
    /// The largest file that is read, in bytes.
    public static let largest = 256 << 10
    /// The deepest nesting of maps and lists.
    static let deepest = 16

    /// The scenario in `bytes`. `policy` replaces the scenario's own policy; `overrides` take precedence over its
    /// limits.
    public static func scenario(
        from bytes: [UInt8], policy: Policy? = nil, overrides: [String] = []
    ) throws(ScenarioProblem) -> Scenario {
        try ScenarioReader.scenario(from: node(from: bytes), policy: policy, overrides: overrides)
    }

    private static func node(from bytes: [UInt8]) throws(ScenarioProblem) -> ScenarioNode {
        guard bytes.count <= largest else {
            throw ScenarioProblem(.start, "the file is too large: expected at most \(largest) bytes")
        }
        let text = try ScenarioText(bytes)
        let (parser, root): (Parser, Node?)
        do {
            parser = try Parser(yaml: text.value, resolver: .basic, encoding: .utf8)
            root = try parser.singleRoot()
        } catch let error as YamlError {
            throw problem(error, in: text)
        } catch {
            throw ScenarioProblem(.start, "cannot read the file: \(error)")
        }
        // A node knows its anchor only while its parser exists.
        defer { withExtendedLifetime(parser) {} }
        guard let root else { throw ScenarioProblem(.start, "the file is empty: expected a scenario") }
        return try node(root, depth: 0)
    }

    private static func place(_ mark: Mark?) -> Place {
        mark.map { Place(line: $0.line, column: $0.column) } ?? .start
    }

    private static func problem(_ error: YamlError, in text: ScenarioText) -> ScenarioProblem {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            ScenarioProblem(place(mark), "this is not YAML: \(context.map { "\($0.text), " } ?? "")\(problem)")
        case .reader(let problem, let offset, _, _):
            // The parser counts characters, and a character may be several scalars.
            ScenarioProblem(
                text.place(at: text.value.prefix(offset ?? 0).unicodeScalars.count), "this is not YAML: \(problem)")
        case .duplicatedKeysInMapping(let names, let context):
            ScenarioProblem(
                place(context.mark),
                "\(names.map { "\"\($0.prefix(120))\"" }.joined(separator: ", ")) is here, and again further down in "
                    + "the same map: expected each name once")
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            ScenarioProblem(.start, "cannot read the file: \(error)")
        }
    }

    private static func node(_ node: Node, depth: Int) throws(ScenarioProblem) -> ScenarioNode {
        let place = place(node.mark)
        guard depth <= deepest else {
            throw ScenarioProblem(place, "expected maps and lists at most \(deepest) deep")
        }
        guard node.anchor == nil else {
            throw ScenarioProblem(place, "anchors and aliases are not allowed here: write values out")
        }
        switch node {
        case .scalar(let scalar):
            let isNothing = scalar.string.isEmpty && scalar.style == .plain
            return ScenarioNode(place, isNothing ? .nothing : .text(scalar.string))
        case .sequence(let sequence):
            var nodes: [ScenarioNode] = []
            for node in sequence { nodes.append(try self.node(node, depth: depth + 1)) }
            return ScenarioNode(place, .list(nodes))
        case .mapping(let mapping):
            var entries: [ScenarioNode.Entry] = []
            for (key, value) in mapping {
                guard case .text(let name) = try self.node(key, depth: depth + 1).content else {
                    throw ScenarioProblem(self.place(key.mark), "expected a name before the colon")
                }
                entries.append(
                    ScenarioNode.entry(name, at: self.place(key.mark), try self.node(value, depth: depth + 1)))
            }
            return ScenarioNode(place, .map(entries))
        case .alias:
            throw ScenarioProblem(place, "anchors and aliases are not allowed here: write values out")
        }
    }
}
