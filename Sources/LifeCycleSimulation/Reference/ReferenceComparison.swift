import LifeCycleModel
import LifeCyclePolicy

/// The reference model beside the brain: after each event both must agree.
///
/// These are compared:
/// - for each launch, in order: everything done to it (start, messages, freeze, thaw, exit request, kill and its
///   reason, measurement), and its states
/// - refusals, and the reasons of ends
/// - the foreground app, the device's record and the switcher
/// - for each app: its state, launch, tasks, background time, assertions and flags
/// - the next deadline with its owner, except the ends of turns of transfers
/// - for the concerns: all decisions, adapter work, messages and records
///
/// These are not compared:
/// - the transient states of adopted apps
/// - other records, and shares of the processor
/// - the details of other decisions
/// - the decisions about transfers that wait
/// - the order of effects on different launches
struct ReferenceComparison: Sendable {
    private(set) var model: ReferenceModel
    private var concerns = ReferenceModel.concerns.map { $0.comparison }

    init(policy: Policy) { model = ReferenceModel(policy: policy) }

    /// nil if both agree on the effects of `event`; otherwise the difference.
    mutating func check(_ event: Event, at moment: Moment, _ effects: [Effect], _ device: Device) -> String? {
        model.handle(event, at: moment)
        defer { model.sessions.take(clocksIn: effects) }
        return compareDone(effects) ?? compareSaid(effects) ?? compareRefusal(event, effects)
            ?? compareConcerns(effects, device) ?? compare(device)
    }

    private mutating func compareConcerns(_ effects: [Effect], _ device: Device) -> String? {
        for index in concerns.indices {
            if let finding = concerns[index].check(effects, device, model) { return finding }
        }
        return nil
    }

    /// The system was killed and started again.
    mutating func systemRestarted() {
        model.systemRestarted()
        for index in concerns.indices { concerns[index].systemRestarted() }
    }

    // MARK: Effects

    private func compareDone(_ effects: [Effect]) -> String? {
        let brain = effects.filter(Self.isDone)
        if brain == model.done { return nil }
        for launch in brain.map(Self.launch) + model.done.map(Self.launch) {
            let ours = brain.filter { Self.launch($0) == launch }
            let reference = model.done.filter { Self.launch($0) == launch }
            if ours != reference { return "the brain does \(ours), the model \(reference)" }
        }
        return nil
    }

    private static func isDone(_ effect: Effect) -> Bool {
        switch effect {
        case .launch(_, .send(.concern)), .launch(_, .send(.restoreIdentifiers)):
            false
        case .launch(_, .prioritize), .concern, .store, .decided: false
        case .launch, .device: true
        }
    }

    /// The launch that an effect is about; nil for the others.
    private static func launch(_ effect: Effect) -> LaunchID? {
        switch effect {
        case .launch(let launch, _): launch
        case .device, .concern, .store, .decided: nil
        }
    }

    private func compareSaid(_ effects: [Effect]) -> String? {
        var brain: [Decision] = []
        for case .decided(let decision) in effects where isSaid(decision) { brain.append(decision) }
        let reference = model.said.filter(isSaid)
        if brain == reference { return nil }
        for decision in brain + reference {
            let (ours, theirs) = (brain.count { $0 == decision }, reference.count { $0 == decision })
            if ours != theirs { return "the brain says \(decision) \(ours) times, the model \(theirs) times" }
        }
        let (ours, theirs) = (brain.filter(Self.isState), reference.filter(Self.isState))
        for case .launch(let launch, .stateChanged(_, _)) in ours {
            let isOf = { (decision: Decision) in
                if case .launch(launch, .stateChanged(_, _)) = decision { true } else { false }
            }
            if ours.filter(isOf) != theirs.filter(isOf) { return "the brain says \(ours), the model \(theirs)" }
        }
        return nil
    }

    private static func isState(_ decision: Decision) -> Bool {
        if case .launch(_, .stateChanged) = decision { true } else { false }
    }

    private func isSaid(_ decision: Decision) -> Bool {
        switch decision {
        case .launch(let launch, .stateChanged(_, _)):
            // An adopted app has no callbacks, so its transient states need not be decided.
            !model.apps.contains { $0.launch?.id == launch && $0.launch?.isAdopted == true }
        case .launch(_, .scenesAdvised), .launch(_, .interrupted), .launch(_, .interruptionEnded),
            .launch(_, .suspending), .launch(_, .resumed), .launch(_, .backgroundTimeGranted),
            .launch(_, .tasksExpiring):
            false
        case .launch, .device(.actRefused), .app(_, .inputDropped), .app(_, .unknown): true
        case .device, .app, .concern: false
        }
    }

    /// A refusal must have a reason that applies. If a reason applies, there must be a refusal.
    private func compareRefusal(_ event: Event, _ effects: [Effect]) -> String? {
        switch event {
        case .device(.wakeOccurred), .device(.appOpened), .device(.appSwitched), .device(.interruptionAccepted): break
        default: return nil
        }
        // The passage of time may refuse a session's app a wake, which is not an answer to the event.
        for case .decided(.app(let app, .wakeRefused(let reason, let refusal))) in effects where reason != .urlSession {
            // The system itself wakes apps for these reasons, too.
            let isOwn = reason == .newsstand || reason == .voip
            if isOwn, event != .device(.wakeOccurred(app, reason)) { continue }
            return model.obstacles.contains(refusal) ? nil : "\(app) is refused for \(refusal): \(model.obstacles)"
        }
        return model.obstacles.isEmpty ? nil : "nothing is refused, in spite of \(model.obstacles)"
    }

    // MARK: The device as it is now

    private func compare(_ device: Device) -> String? {
        if device.foregroundApp != model.foregroundApp {
            return Self.differ("foreground", device.foregroundApp, model.foregroundApp)
        }
        if device.record != model.device { return Self.differ("device", device.record, model.device) }
        let snapshots = device.snapshots
        guard snapshots.count == model.apps.count else {
            return Self.differ("apps", snapshots.map(\.record.app), model.apps.map(\.id))
        }
        for (snapshot, app) in zip(snapshots, model.apps) {
            if let finding = compare(snapshot, app) { return "\(app.id): \(finding)" }
        }
        return compareSwitcher(snapshots) ?? compareDeadline(device.nextLifeCycleDeadline)
            ?? compareConcernDeadline(device.nextDeadline)
    }

    private func compare(_ snapshot: AppSnapshot, _ app: ReferenceApp) -> String? {
        let launch = app.launch
        if snapshot.state != app.state { return Self.differ("state", snapshot.state, app.state) }
        if snapshot.launch != launch?.id { return Self.differ("launch", snapshot.launch, launch?.id) }
        if snapshot.isPrewarmed != (launch?.isEarly ?? false) { return "it is prewarmed: \(snapshot.isPrewarmed)" }
        if snapshot.isEnding != (launch?.ending != nil) { return "it is ending: \(snapshot.isEnding)" }
        if snapshot.isBeingUninstalled != app.isToBeRemoved { return "it is to go: \(snapshot.isBeingUninstalled)" }
        if snapshot.openTasks != launch?.tasks ?? [] {
            return Self.differ("tasks", snapshot.openTasks, launch?.tasks ?? [])
        }
        if snapshot.backgroundTimeUntil != launch?.timeUp {
            return Self.differ("background time", snapshot.backgroundTimeUntil, launch?.timeUp)
        }
        let holds = model.index(of: app.id).flatMap { index in
            launch?.holds(isWanted: model.isWanted(index))
        }
        if snapshot.assertions != holds ?? [] { return Self.differ("holds", snapshot.assertions, holds ?? []) }
        let record = snapshot.record
        if record.isForceQuit != app.isForceQuit { return "it is force-quit: \(record.isForceQuit)" }
        if record.allowsBackgroundRefresh != app.allowsRefresh { return "refresh: \(record.allowsBackgroundRefresh)" }
        if record.lastLaunch != app.launchCount { return Self.differ("launches", record.lastLaunch, app.launchCount) }
        if record.scenes != app.sessions { return Self.differ("sessions", record.scenes, app.sessions) }
        return record.manifest == app.manifest ? nil : Self.differ("manifest", record.manifest, app.manifest)
    }

    private func compareSwitcher(_ snapshots: [AppSnapshot]) -> String? {
        let cards = snapshots.filter { $0.record.switcherPlace > 0 }
            .sorted { $0.record.switcherPlace < $1.record.switcherPlace }.map(\.record.app)
        return cards == model.switcher ? nil : Self.differ("switcher", cards, model.switcher)
    }

    private func compareDeadline(_ next: Deadline?) -> String? {
        let deadlines = model.deadlines
        guard let next else { return deadlines.isEmpty ? nil : "the brain waits for nothing, the model \(deadlines)" }
        let earliest = deadlines.map(\.at).min()
        if next.at != earliest { return Self.differ("deadline", next, deadlines) }
        return deadlines.contains(next) ? nil : Self.differ("deadline", next, deadlines)
    }

    /// The next deadline of the concerns must be the model's, unless an earlier deadline exists.
    private func compareConcernDeadline(_ next: Deadline?) -> String? {
        let deadlines = model.concernDeadlines
        if let next, next.reason == .recovery || ReferenceModel.concerns.contains(where: { $0.knows(next.reason) }) {
            if deadlines.contains(next), next.at == deadlines.map(\.at).min() { return nil }
        } else {
            guard let earliest = deadlines.map(\.at).min() else { return nil }
            if let next, next.at <= earliest { return nil }
        }
        if let next, ReferenceModel.concerns.contains(where: { $0.mayWait(for: next, in: model) }),
            deadlines.allSatisfy({ next.at <= $0.at })
        {
            return nil
        }
        return Self.differ("deadline", next as Any, deadlines)
    }

    static func differ(_ what: String, _ brain: some Any, _ model: some Any) -> String {
        "\(what): the brain has \(brain), the model \(model)"
    }
}
