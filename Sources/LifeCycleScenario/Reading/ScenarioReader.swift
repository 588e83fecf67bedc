public import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation

/// Reads a scenario word by word. Anything that is not understood is a problem with its position.
public struct ScenarioReader {
    static let mostApps = 100
    /// The longest name of an app, in bytes.
    static let longestName = 200
    static let mostSteps = 10_000

    private static let words = [
        "title", "about", "shows", "policy", "limits", "settings", "serves", "apps", "steps",
    ]
    /// The words in `expect` for the device, which no app may have as its name.
    static let deviceWords = ["foreground", "locked", "interrupted", "awake"]

    /// The names of the apps by number: the first is number 1.
    var names: [String] = []
    /// The background sessions of each app, as named by its downloads; and below them the sessions whose
    /// `discretionary` was given.
    var sessions: [AppID: [SessionIdentifier: TransferSessionConfiguration]] = [:]
    var discretions: [NamedSession: Bool] = [:]

    /// The scenario in `root`. `policy` replaces the scenario's own policy. `overrides` are of the form `limit=value`,
    /// as for `roost up`, and take precedence over the scenario's limits. Throws `ScenarioProblem`.
    public static func scenario(
        from root: ScenarioNode, policy: Policy? = nil, overrides: [String] = []
    ) throws(ScenarioProblem) -> Scenario {
        var reader = ScenarioReader()
        return try reader.read(root, policy: policy, overrides: overrides)
    }

    private mutating func read(
        _ root: ScenarioNode, policy: Policy?, overrides: [String]
    ) throws(ScenarioProblem) -> Scenario {
        let entries = try root.entries("a scenario: a map with \(Self.words.joined(separator: ", "))")
        try Self.check(entries, words: Self.words)
        func node(_ word: String) -> ScenarioNode? { entries.first { $0.key.value == word }?.value }
        var scenario = Scenario()
        scenario.title = try node("title")?.text("a title") ?? ""
        scenario.about = try node("about")?.text("a sentence") ?? ""
        for row in try node("shows")?.list("rows of the rule book such as T03") ?? [] {
            scenario.shows.append(try row.text("a row of the rule book such as T03"))
        }
        scenario.policy = try Self.policy(node("policy"), node("limits"), policy, overrides)
        scenario.settings = try node("settings").map(Self.settings) ?? []
        scenario.serves = try node("serves").map(Self.serves) ?? []
        guard let apps = node("apps") else {
            throw ScenarioProblem(root.place, "expected apps: the apps by name")
        }
        try readApps(apps, into: &scenario)
        guard let steps = node("steps"), case .list(let nodes) = steps.content, !nodes.isEmpty else {
            throw ScenarioProblem(
                node("steps")?.place ?? root.place, "expected steps: a list of actions and expectations")
        }
        guard nodes.count <= Self.mostSteps else {
            throw ScenarioProblem(nodes[Self.mostSteps].place, "expected at most \(Self.mostSteps) steps")
        }
        for node in nodes { scenario.steps.append(try step(node)) }
        for index in scenario.apps.indices {
            scenario.apps[index].script.sessions = sessions[AppID(Int32(index + 1))] ?? [:]
        }
        return scenario
    }

    /// Throws `ScenarioProblem` unless every key is one of `words`.
    static func check(_ entries: [ScenarioNode.Entry], words: [String]) throws(ScenarioProblem) {
        for entry in entries where !words.contains(entry.key.value) {
            throw ScenarioProblem(
                entry.key.place,
                "unknown word \"\(Words.shown(entry.key.value))\", expected one of \(words.joined(separator: ", "))")
        }
    }

    // MARK: The device

    private static func policy(
        _ name: ScenarioNode?, _ limits: ScenarioNode?, _ chosen: Policy?, _ overrides: [String]
    ) throws(ScenarioProblem) -> Policy {
        var policy = Policy.iOS26
        if let name {
            let names = Policy.presets.map(\.name)
            policy = Policy.preset(named: try name.choice(names, "a generation of iOS")) ?? policy
        }
        if let chosen { policy = chosen }
        for entry in try limits?.entries("limits by name, such as backgroundTime: 10s") ?? [] {
            let value = try entry.value.text("the value of the limit \(Words.shown(entry.key.value))")
            // With a `=` in the name, a different setting would be applied.
            guard !entry.key.value.contains("=") else {
                throw ScenarioProblem(entry.key.place, "expected the name of a limit")
            }
            do throws(PolicySetting.Invalid) {
                try PolicySetting.apply("\(entry.key.value)=\(value)", to: &policy)
            } catch {
                throw ScenarioProblem(entry.key.place, Words.shown(error.description, longest: 600))
            }
        }
        let place = limits?.place ?? name?.place ?? .start
        do throws(PolicySetting.Invalid) {
            for override in overrides { try PolicySetting.apply(override, to: &policy) }
            try PolicySetting.check(policy)
        } catch {
            throw ScenarioProblem(place, Words.shown(error.description, longest: 600))
        }
        return policy
    }

    static func settings(_ node: ScenarioNode) throws(ScenarioProblem) -> [DeviceSetting] {
        var settings: [DeviceSetting] = []
        for entry in try node.entries("settings by name, such as passcode: on") {
            let value = try entry.value.text("the value of the setting \(Words.shown(entry.key.value))")
            do throws(DeviceSetting.Invalid) {
                settings.append(try DeviceSetting(name: entry.key.value, value: value))
            } catch {
                throw ScenarioProblem(entry.key.place, Words.shown(error.description, longest: 600))
            }
        }
        return settings
    }

    // MARK: The apps

    private mutating func readApps(_ node: ScenarioNode, into scenario: inout Scenario) throws(ScenarioProblem) {
        let entries = try node.entries("the apps by name")
        guard (1...Self.mostApps).contains(entries.count) else {
            throw ScenarioProblem(node.place, "expected 1 to \(Self.mostApps) apps, found \(entries.count)")
        }
        for entry in entries {
            let name = entry.key.value
            guard !name.isEmpty, name.utf8.count <= Self.longestName else {
                throw ScenarioProblem(
                    entry.key.place, "expected an app's name of 1 to \(Self.longestName) bytes")
            }
            guard !Self.deviceWords.contains(name) else {
                throw ScenarioProblem(
                    entry.key.place,
                    "an app cannot be called \(name): in expect, this word is about the device")
            }
            names.append(name)
            scenario.apps.append(try app(name, number: names.count, entry.value))
        }
    }

    private mutating func app(_ name: String, number: Int, _ node: ScenarioNode) throws(ScenarioProblem) -> ScenarioApp
    {
        guard let identifier = BundleIdentifier("org.example.app\(number)") else {
            preconditionFailure("letters, digits and full stops only")
        }
        var entries: [ScenarioNode.Entry] = []
        if node.content != .nothing { entries = try node.entries("properties of the app, or nothing") }
        var manifest = AppManifest(identifier: identifier, executable: "app", displayName: name)
        var script = AppScript()
        var usesScenes: Bool?
        var isInstalled = true
        for entry in entries {
            let value = entry.value
            switch entry.key.value {
            case "scenes": usesScenes = try value.flag()
            case "modes":
                var modes: [BackgroundMode] = []
                for mode in try value.list("values of UIBackgroundModes") {
                    let name = try mode.choice(BackgroundMode.allCases.map(\.rawValue), "a background mode")
                    modes += BackgroundMode(rawValue: name).map { [$0] } ?? []
                }
                manifest.backgroundModes = Set(modes).sorted()
            case "exitsOnSuspend": manifest.exitsOnSuspend = try value.flag()
            case "adopted": manifest.isAdopted = try value.flag()
            case "memory": script.footprint = try Self.size(value, "an amount of memory such as 200MB, below 1024GB")
            case "leavesAfter": script.leavesAfter = try value.time()
            case "startError": script.startError = Int32(try value.number(1...4095))
            case "installed": isInstalled = try value.flag()
            case "does": script.reactions = try reactions(value, of: AppID(Int32(number)))
            default:
                try Self.check(
                    [entry],
                    words: [
                        "scenes", "modes", "exitsOnSuspend", "adopted", "memory", "does", "installed", "leavesAfter",
                        "startError",
                    ])
            }
        }
        manifest.usesScenes = usesScenes ?? !manifest.isAdopted
        return ScenarioApp(name: name, manifest: manifest, script: script, isInstalled: isInstalled)
    }

    static func size(_ node: ScenarioNode, _ expected: String) throws(ScenarioProblem) -> Int64 {
        let text = try node.text(expected)
        for (unit, shift) in [("GB", 30), ("MB", 20), ("KB", 10)] where text.hasSuffix(unit) {
            let digits = text.dropLast(unit.count)
            guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int64(digits), count <= 1 << 40,
                count << shift < 1 << 40
            else { throw node.problem(expected) }
            return count << shift
        }
        throw node.problem(expected)
    }

    // MARK: Acts of apps

    private mutating func reactions(
        _ node: ScenarioNode, of app: AppID
    ) throws(ScenarioProblem) -> [AppScript.Occasion: [AppScript.Act]] {
        let words = AppScript.Occasion.all.map(\.name)
        let entries = try node.entries("the app's actions, by callback: \(words.joined(separator: ", "))")
        try Self.check(entries, words: words)
        var reactions: [AppScript.Occasion: [AppScript.Act]] = [:]
        for entry in entries {
            guard let occasion = AppScript.Occasion.all.first(where: { $0.name == entry.key.value }) else { continue }
            var nodes: [ScenarioNode]
            if case .map = entry.value.content {
                nodes = [entry.value]
            } else {
                nodes = try entry.value.list("actions")
            }
            guard nodes.count <= 100 else { throw ScenarioProblem(nodes[100].place, "expected at most 100 actions") }
            var acts: [AppScript.Act] = []
            for node in nodes {
                let phrase = try Phrase(node, verbs: Self.appVerbs, "an action of an app")
                guard let act = try Self.appAct(phrase, others: []) else { continue }
                acts.append(act)
                try note(act, phrase, of: app)
            }
            reactions[occasion] = acts
        }
        return reactions
    }

    /// The verbs for actions of apps.
    static let appVerbs = OwnVerb.allCases.map(\.rawValue) + ConcernVerbs.ofApps.map(\.word)

    /// An act of an app's code, if the verb is one; otherwise nil. `others` are words that the caller interprets.
    static func appAct(_ phrase: Phrase, others: [String]) throws(ScenarioProblem) -> AppScript.Act? {
        if let verb = ConcernVerbs.ofApps.first(where: { $0.word == phrase.verb.value }) {
            try phrase.check(verb.others + others)
            return try verb.read(phrase)
        }
        guard let verb = OwnVerb(rawValue: phrase.verb.value) else { return nil }
        switch verb {
        case .take:
            try phrase.check(others)
            return .take(try phrase.value.time())
        case .begin:
            try phrase.check(["ends", "handler"] + others)
            let name = try taskName(phrase.value)
            return .begin(
                name, ends: try phrase["ends"].map { node throws(ScenarioProblem) in try node.time() },
                hasHandler: try phrase["handler"]?.flag() ?? true)
        case .end:
            try phrase.check(others)
            return .end(phrase.value.content == .nothing ? nil : try taskName(phrase.value))
        case .keepScreenOn:
            try phrase.check(others)
            return .keepScreenOn(phrase.value.content == .nothing ? true : try phrase.value.flag())
        case .flood:
            try phrase.check(others)
            return .flood(Int(try phrase.value.number(1...10_000)))
        case .download: return .download(try download(phrase, others: others))
        case .hang, .callHandler:
            try phrase.check(others)
            try phrase.wantsNothing()
            return verb == .hang ? .hang : .callHandler
        case .fetched:
            try phrase.check(others)
            guard phrase.value.content != .nothing else { return .fetched(.newData) }
            let word = try phrase.value.choice(
                BackgroundFetchResult.allCases.map(\.rawValue), "the result of a fetch or a push")
            return .fetched(BackgroundFetchResult(rawValue: word) ?? .newData)
        case .crash:
            try phrase.check(others)
            return .crash(phrase.value.content == .nothing ? 11 : Int32(try phrase.value.number(1...64)))
        case .exit:
            try phrase.check(others)
            return .exit(phrase.value.content == .nothing ? 0 : Int32(try phrase.value.number(0...255)))
        }
    }

    private static func taskName(_ node: ScenarioNode) throws(ScenarioProblem) -> String {
        let name = try node.text("the name of a task")
        guard !name.isEmpty, name.utf8.count <= 200 else {
            throw node.problem("the name of a task, of 1 to 200 bytes")
        }
        return name
    }
}

/// The verbs that every app has, as in scenarios.
private enum OwnVerb: String, CaseIterable {
    case take, begin, end, keepScreenOn, flood, download, callHandler, fetched, hang, crash, exit
}
