import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation
import LifeCycleText

/// The verb of a step. It is the word of the command line, if there is one.
enum Verb: String, CaseIterable {
    case wait, expect
    case launch, home, `switch`, quit, interrupt, dismiss, accept, lock, unlock, send, settings
    case wake, memory, install, uninstall, clock, sleep, restart, shutdown, powerOff, reboot
    case serve, network, outage
}

extension ScenarioReader {
    private static let verbs = Verb.allCases.map(\.rawValue) + ConcernVerbs.ofSteps.map(\.word) + appVerbs

    mutating func step(_ node: ScenarioNode) throws(ScenarioProblem) -> ScenarioStep {
        let phrase = try Phrase(node, verbs: Self.verbs, "an action")
        let act: ScenarioStep.Act
        if let deed = try Self.appAct(phrase, others: ["in", "at"]) {
            guard let app = phrase["in"] else {
                throw ScenarioProblem(phrase.verb.place, "expected in: and the app, below \(phrase.verb.value)")
            }
            guard deed != .end(nil) else { throw phrase.value.problem("the name of a task") }
            let actor = try self.app(app)
            try note(deed, phrase, of: actor)
            act = .app(actor, deed)
        } else if let verb = ConcernVerbs.ofSteps.first(where: { $0.word == phrase.verb.value }) {
            try phrase.check(verb.others + ["at", "refused"])
            act = try verb.read(phrase, self)
        } else if let verb = Verb(rawValue: phrase.verb.value) {
            act = try self.act(verb, phrase)
        } else {
            throw node.problem("an action: \(Self.verbs.joined(separator: ", "))")
        }
        var refusal: Placed<String>?
        if let node = phrase["refused"] {
            refusal = Placed(place: node.place, value: try node.choice(Self.refusals, "the reason for the refusal"))
        }
        var time: Placed<Nanoseconds>?
        if let node = phrase["at"] { time = Placed(place: node.place, value: try node.time()) }
        return ScenarioStep(
            place: phrase.verb.place, words: phrase.words(hiding: ["at", "refused"]), time: time, act: act,
            refusal: refusal)
    }

    /// The reasons for which an act can be refused.
    private static let refusals: [String] =
        ActRefusal.allCases.map(\.word)
        + [
            WakeRefusal.modeNotDeclared, .fetchDisabled, .forceQuit, .exitsOnSuspend, .ending, .backgroundRefresh,
            .notUnlockedSinceStart, .noScenes,
        ].map(\.rawValue)
        + [
            Refusals.notActive, Refusals.notInstalled, Refusals.awake, Refusals.notRegistered,
            VoIPLoss.tooManyMisses.rawValue, VoIPLoss.tooMany.rawValue,
        ]

    private func act(_ verb: Verb, _ phrase: Phrase) throws(ScenarioProblem) -> ScenarioStep.Act {
        switch verb {
        case .wait:
            try phrase.check([])
            return .wait(try phrase.value.time())
        case .expect:
            try phrase.check(["at"])
            return .expect(try expectations(phrase.value))
        case .sleep:
            try phrase.check(["at", "refused"])
            return .sleep(try phrase.value.time())
        case .restart, .reboot:
            try phrase.check(["at"])
            try phrase.wantsNothing()
            return verb == .restart ? .restart : .reboot
        case .launch, .home, .switch, .quit, .interrupt, .dismiss, .accept, .lock, .unlock, .send, .settings:
            return .user(try userEvent(verb, phrase))
        case .install:
            try phrase.check(["at"])
            return .install(try app(phrase.value))
        case .wake, .memory, .uninstall, .clock, .shutdown, .powerOff:
            return .device(try deviceEvent(verb, phrase))
        case .serve, .network, .outage: return try Self.networkAct(verb, phrase)
        }
    }

    private func userEvent(_ verb: Verb, _ phrase: Phrase) throws(ScenarioProblem) -> Event {
        switch verb {
        case .send: try phrase.check(["text", "touch", "at", "refused"])
        case .settings: try phrase.check(["of", "at", "refused"])
        default: try phrase.check(["at", "refused"])
        }
        switch verb {
        case .launch: return .device(.appOpened(try app(phrase.value)))
        case .quit: return .device(.appForceQuit(try app(phrase.value)))
        case .switch: return .device(.appSwitched(phrase.value.content == .nothing ? nil : try app(phrase.value)))
        case .accept:
            return .device(.interruptionAccepted(phrase.value.content == .nothing ? nil : try app(phrase.value)))
        case .interrupt:
            let kind = try phrase.value.choice(Interruption.allCases.map(\.rawValue), "a kind of interruption")
            return .device(.interruptionBegan(Interruption(rawValue: kind) ?? .call))
        case .send: return .device(.inputOccurred(try app(phrase.value), try input(phrase)))
        case .settings: return try settingsEvent(phrase)
        default: break
        }
        try phrase.wantsNothing()
        switch verb {
        case .home: return .device(.homePressed)
        case .dismiss: return .device(.interruptionDismissed)
        case .lock: return .device(.deviceLocked)
        default: return .device(.deviceUnlocked)
        }
    }

    private func settingsEvent(_ phrase: Phrase) throws(ScenarioProblem) -> Event {
        let settings = try Self.settings(phrase.value)
        guard settings.count == 1, let setting = settings.first else {
            throw phrase.value.problem("one setting, such as passcode: on")
        }
        guard let app = phrase["of"] else { return .device(.settingChanged(setting)) }
        guard case .backgroundRefresh(let isOn) = setting else {
            throw app.problem("no app: only backgroundRefresh can be set for an app")
        }
        return .device(.backgroundRefreshChanged(try self.app(app), isOn))
    }

    private func input(_ phrase: Phrase) throws(ScenarioProblem) -> UserInput {
        switch (phrase["text"], phrase["touch"]) {
        case (let node?, nil):
            let text = try node.text("the text typed")
            guard !text.isEmpty, text.utf8.count <= UserInput.longestText else {
                throw node.problem("a text of 1 to \(UserInput.longestText) bytes")
            }
            return .text(text)
        case (nil, let node?):
            let numbers = try node.list("a place on the screen, as in [160, 240]")
            guard numbers.count == 2 else { throw node.problem("a place on the screen, as in [160, 240]") }
            return .touch(
                x: try numbers[0].number(0...10_000) * 1000, y: try numbers[1].number(0...10_000) * 1000)
        default:
            throw ScenarioProblem(phrase.verb.place, "expected either text: or touch: below send")
        }
    }

    private func deviceEvent(_ verb: Verb, _ phrase: Phrase) throws(ScenarioProblem) -> Event {
        try phrase.check(verb == .wake ? ["for", "at", "refused"] : ["at", "refused"])
        switch verb {
        case .wake:
            guard let reason = phrase["for"] else {
                throw ScenarioProblem(phrase.verb.place, "expected for: and a reason, below wake")
            }
            let reasons = LaunchReason.allCases.filter(\.isEvent)
            let name = try reason.choice(reasons.map(\.rawValue), "a reason for the wake")
            return .device(.wakeOccurred(try app(phrase.value), LaunchReason(rawValue: name) ?? .locationMonitoring))
        case .memory:
            let level = try phrase.value.choice(MemoryPressure.allCases.map(\.rawValue), "a level of memory pressure")
            return level == MemoryPressure.warning.rawValue ? .device(.memoryRanLow) : .device(.memoryRanShort)
        case .uninstall: return .device(.appUninstalled(try app(phrase.value)))
        default: break
        }
        try phrase.wantsNothing()
        switch verb {
        case .clock: return .device(.clockWasSet)
        case .shutdown: return .device(.shutdownBegan)
        default: return .device(.deviceShutdownBegan)
        }
    }

    // MARK: Expectations

    private func expectations(_ node: ScenarioNode) throws(ScenarioProblem) -> [Expectation] {
        let what = "expectations, by app or one of \(Self.deviceWords.joined(separator: ", "))"
        var expectations: [Expectation] = []
        for entry in try node.entries(what) {
            let value = entry.value
            func add(_ claim: Expectation.Claim) {
                expectations.append(
                    Expectation(place: value.content == .nothing ? entry.key.place : value.place, claim: claim))
            }
            switch entry.key.value {
            case "foreground":
                add(.device(.foreground(try value.text("an app, or none") == "none" ? nil : try app(value))))
            case "locked": add(.device(.locked(try value.flag())))
            case "awake": add(.device(.awake(try value.flag())))
            case "interrupted":
                let kinds = Interruption.allCases.map(\.rawValue) + ["no"]
                add(.device(.interrupted(Interruption(rawValue: try value.choice(kinds, "a kind of interruption")))))
            default:
                let app = try self.app(ScenarioNode(entry.key.place, .text(entry.key.value)))
                expectations += try self.expectations(of: app, value)
            }
        }
        return expectations
    }

    private func expectations(of app: AppID, _ node: ScenarioNode) throws(ScenarioProblem) -> [Expectation] {
        if case .text = node.content {
            return [Expectation(place: node.place, claim: .state(app, try Self.state(node)))]
        }
        let expected = "a state, or a map with \(Self.appWords.joined(separator: ", "))"
        var expectations: [Expectation] = []
        for entry in try node.entries(expected) {
            if entry.key.value == "downloads" {
                expectations += try Self.downloads(entry.value, of: app)
                continue
            }
            let claim = try claim(entry, of: app)
            expectations.append(Expectation(place: entry.key.place, claim: claim))
        }
        return expectations
    }

    private static let appWords = [
        "state", "called", "posted", "received", "decided", "tasks", "backgroundTime", "ended", "code", "prewarmed",
        "downloads", "shows",
    ]

    private func claim(_ entry: ScenarioNode.Entry, of app: AppID) throws(ScenarioProblem) -> Expectation.Claim {
        let value = entry.value
        switch entry.key.value {
        case "state": return .state(app, try Self.state(value))
        case "called": return .called(app, try Self.words(value, Words.called, "a callback"))
        case "posted": return .posted(app, try Self.words(value, Words.posted, "a notification"))
        case "decided": return .decided(app, try Self.words(value, DecisionText.kinds, "a kind of decision"))
        case "received":
            var inputs: [UserInput] = []
            for node in try value.list("the texts received") { inputs.append(.text(try node.text("a text"))) }
            return .received(app, inputs)
        case "tasks":
            var names: [String] = []
            for node in try value.list("the names of tasks") { names.append(try node.text("the name of a task")) }
            return .tasks(app, names)
        case "shows":
            var texts: [String] = []
            for node in try value.list("the texts of notifications") { texts.append(try node.text("a text")) }
            return .shows(app, texts)
        case "backgroundTime":
            if case .text("none") = value.content { return .backgroundTime(app, nil) }
            return .backgroundTime(app, try value.time("a length of time such as 25s, or none"))
        case "ended": return .ended(app, try value.choice(TerminationReason.words, "the reason for the end"))
        case "code": return .code(app, try value.text("the code of the end, such as 0x8badf00d"))
        case "prewarmed": return .prewarmed(app, try value.flag())
        default:
            try Self.check([entry], words: Self.appWords)
            throw entry.value.problem("one of \(Self.appWords.joined(separator: ", "))")
        }
    }

    private static func words(
        _ node: ScenarioNode, _ known: [String], _ what: String
    ) throws(ScenarioProblem) -> [String] {
        var words: [String] = []
        for node in try node.list("a list; each entry is \(what)") { words.append(try node.choice(known, what)) }
        return words
    }

    private static func state(_ node: ScenarioNode) throws(ScenarioProblem) -> AppState {
        let name = try node.choice(AppState.allCases.map(\.name), "a state")
        return AppState.allCases.first { $0.name == name } ?? .notRunning
    }

    // MARK: Apps

    func app(_ node: ScenarioNode) throws(ScenarioProblem) -> AppID {
        let expected = "an app: \(Words.list(names))"
        let name = try node.text(expected)
        guard let index = names.firstIndex(of: name) else {
            throw ScenarioProblem(node.place, "there is no app called \(node.kind), expected \(expected)")
        }
        return AppID(Int32(index + 1))
    }
}

/// The refusals that are in no rule.
enum Refusals {
    static let notActive = "notActive"
    static let notInstalled = "notInstalled"
    static let awake = "awake"
    static let notRegistered = "notRegistered"
}
