import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation
import LifeCycleText

/// The check of expectations.
extension ScenarioRun {
    mutating func check(_ expectation: Expectation) {
        if let finding = finding(expectation.claim) {
            outcome.problems.append(ScenarioProblem(expectation.place, finding))
        } else {
            outcome.met += 1
        }
    }

    /// The difference from the claim; nil if there is none.
    private mutating func finding(_ claim: Expectation.Claim) -> String? {
        switch claim {
        case .state(let app, let state):
            let found = snapshot(app)?.state ?? .notRunning
            guard found != state else { return nil }
            let held = snapshot(app)?.assertions.map(DecisionText.text) ?? []
            let why = found == .background && !held.isEmpty ? ", held by \(held.joined(separator: ", "))" : ""
            let end = found == .notRunning ? end(of: app).map { ": \($0)" } ?? "" : ""
            return "expected \(name(app)) to be \(state.name), but it is \(found.name)\(why)\(end)"
        case .called(let app, let expected):
            return compare(expected, Self.take(&called, app), "\(name(app)) to receive the callbacks", "it received")
        case .posted(let app, let expected):
            return compare(expected, Self.take(&posted, app), "\(name(app)) to post", "it posted")
        case .received(let app, let expected):
            return compare(
                expected.map(Words.text), Self.take(&received, app).map(Words.text),
                "\(name(app)) to receive the input",
                "it received")
        case .decided(let app, let expected):
            let found = decided[place(app)]
            let missing = expected.filter { !found.contains($0) }
            return missing.isEmpty
                ? nil
                : "expected a decision about \(name(app)) of the kind \(Words.list(missing)), but the kinds were "
                    + Words.list(found)
        case .tasks(let app, let expected):
            return compare(
                expected, snapshot(app)?.openTasks.map(\.name) ?? [], "the open tasks of \(name(app)) to be", "they are"
            )
        case .shows(let app, let expected):
            return compare(
                expected, world.shownNotifications(of: app).map { $0.notification.alertBody ?? "" },
                "the displayed notifications of \(name(app)) to be", "they are")
        case .backgroundTime(let app, let expected):
            let found = snapshot(app)?.backgroundTimeUntil.map { $0 - world.now.awake }
            return compare(
                expected.map { "\($0)" } ?? "none", found.map { "\($0)" } ?? "none",
                "the background time of \(name(app)) to be", "it is")
        case .ended(let app, let expected):
            return compare(
                expected, ends[place(app)]?.word ?? "none", "the end of \(name(app)) to be", "it is")
        case .code(let app, let expected):
            return compare(
                expected, ends[place(app)].map { "\($0.code)" } ?? "none",
                "the code of the end of \(name(app)) to be",
                "it is")
        case .download(let app, let url, let expected): return downloadFinding(app, url, expected)
        case .prewarmed(let app, let expected):
            return compare(
                "\(expected)", "\(snapshot(app)?.isPrewarmed ?? false)", "\(name(app)) to be prewarmed:",
                "it is")
        case .device(let claim): return finding(claim)
        }
    }

    private func finding(_ claim: Expectation.DeviceClaim) -> String? {
        switch claim {
        case .foreground(let expected):
            compare(
                expected.map(name) ?? "none", world.device.foregroundApp.map(name) ?? "none",
                "the foreground app to be", "it is")
        case .locked(let expected):
            compare("\(expected)", "\(world.device.record.isLocked)", "the device to be locked:", "it is")
        case .interrupted(let expected):
            compare(
                expected?.rawValue ?? "no", world.device.record.interruption?.rawValue ?? "no",
                "the interruption to be", "it is")
        case .awake(let expected):
            compare("\(expected)", "\(world.isKeptAwake)", "the device to be kept awake:", "it is")
        }
    }

    private func compare(_ expected: [String], _ found: [String], _ what: String, _ but: String) -> String? {
        expected == found ? nil : "expected \(what) \(Words.list(expected)), but \(but) \(Words.list(found))"
    }

    private func compare(_ expected: String, _ found: String, _ what: String, _ but: String) -> String? {
        expected == found ? nil : "expected \(what) \(Words.shown(expected)), but \(but) \(found)"
    }

    private static func take<Element>(_ lists: inout [[Element]], _ app: AppID) -> [Element] {
        defer { lists[Int(app.rawValue - 1)] = [] }
        return lists[Int(app.rawValue - 1)]
    }

    private func snapshot(_ app: AppID) -> AppSnapshot? { world.device.snapshot(of: app) }

    private func end(of app: AppID) -> String? { ends[place(app)].map(DecisionText.text) }

    func place(_ app: AppID) -> Int { Int(app.rawValue - 1) }

    func name(_ app: AppID) -> String { Words.shown(scenario.apps[place(app)].name) }
}
