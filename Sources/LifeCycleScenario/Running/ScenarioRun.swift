import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation
import LifeCycleText

/// Runs a scenario in the virtual world, under the rules of the service, and checks the expectations.
///
/// Only the durations in the scenario take time: after each step all its consequences have happened.
public struct ScenarioRun {
    /// The result of a run.
    public struct Outcome: Sendable {
        /// Everything that happened, in order.
        public var story: [StoryLine] = []
        /// The unmet expectations, in the order of the steps. An impossible step is the last problem.
        public var problems: [ScenarioProblem] = []
        /// How many expectations were met.
        public var met = 0
    }

    /// The largest number of happenings: in one step, for each second of a step in addition, and in total. A few
    /// downloads stay below these. An app with more is in an infinite loop.
    static let mostInOneStep = 10_000
    static let mostInASecond = 4
    static let mostInAll = 1_000_000

    let scenario: Scenario
    var world: World
    var outcome = Outcome()
    /// The entries of each app since the last expectation about them, by app number minus 1.
    var called: [[String]]
    var posted: [[String]]
    var received: [[UserInput]]
    var decided: [[String]]
    /// The downloads of each app, in the order in which they were created.
    var downloads: [[Download]]
    /// The index in `downloads` of each download that the brain knows. For look-up only.
    var places: [TransferID: Int] = [:]
    /// The reason for the end of each app's last launch.
    var ends: [TerminationReason?]
    let start: Moment
    private var happened = 0

    /// A run of `scenario`, at its beginning.
    public init(_ scenario: Scenario) {
        self.scenario = scenario
        world = World(policy: scenario.policy, scripts: scenario.apps.map(\.script))
        start = world.now
        let empty: [[String]] = scenario.apps.map { _ in [] }
        (called, posted, decided) = (empty, empty, empty)
        received = scenario.apps.map { _ in [] }
        downloads = scenario.apps.map { _ in [] }
        ends = scenario.apps.map { _ in nil }
        for (index, app) in scenario.apps.enumerated() where app.isInstalled {
            world.handle(.device(.appInstalled(AppID(Int32(index + 1)), app.manifest)))
        }
        for serving in scenario.serves { world.serve(serving.file, at: serving.url) }
        for setting in scenario.settings { pass(.device(.settingChanged(setting))) }
        // The preparation is no part of the story.
        _ = world.takeChronicle()
    }

    /// Runs the scenario to its end, or to the first impossible step.
    public consuming func run() -> Outcome {
        for step in scenario.steps {
            do throws(ScenarioProblem) {
                try apply(step)
                if let violation = world.violation {
                    throw ScenarioProblem(step.place, "an invariant was broken: \(violation)")
                }
            } catch {
                note()
                outcome.problems.append(error)
                break
            }
        }
        return outcome
    }

    /// The time since the beginning, including the device's sleep.
    var now: Nanoseconds { world.now.elapsed - start.elapsed }

    private mutating func apply(_ step: ScenarioStep) throws(ScenarioProblem) {
        if let time = step.time {
            guard time.value >= now else {
                throw ScenarioProblem(
                    time.place,
                    "impossible: it is already \(ClockText.text(now)), later than \(ClockText.text(time.value))")
            }
            try advance(by: time.value - now, step)
        }
        switch step.act {
        case .wait(let span): try advance(by: span, step)
        case .expect(let expectations):
            for expectation in expectations { check(expectation) }
            for index in decided.indices { decided[index] = [] }
        case .user(let event):
            record(.user, step)
            try handle(event, step)
        case .device(let event):
            record(.device, step)
            try handle(event, step)
        case .answer(let app, let answer):
            record(.user, step)
            guard let id = world.shownNotifications(of: app).last?.id else {
                throw ScenarioProblem(step.place, "impossible: no notification of \(name(app)) is displayed")
            }
            try handle(.concern(.notification(answer == .tapped ? .tapped(id) : .dismissed(id))), step)
        case .install(let app):
            record(.device, step)
            try handle(.device(.appInstalled(app, scenario.apps[Int(app.rawValue - 1)].manifest)), step)
        case .serve(let serving):
            record(.device, step)
            world.serve(serving.file, at: serving.url)
        case .network(let kind, let bytesPerSecond):
            record(.device, step)
            world.setNetwork(kind, bytesPerSecond: bytesPerSecond)
        case .outage(let span):
            record(.device, step)
            try check(span, step)
            world.loseNetwork(for: span)
        case .sleep(let span):
            record(.device, step)
            try sleep(for: span, step)
        case .move(let fix):
            record(.device, step)
            try handle(.concern(.location(.moved(fix.at(world.now.wall)))), step)
        case .traffic(let app, let socket, let isOver):
            record(.device, step)
            try bringTraffic(to: app, socket, isOver: isOver, step)
        case .restart:
            record(.device, step)
            world.restartSystem()
        case .reboot:
            record(.device, step)
            world.reboot()
        case .app(let app, let act):
            record(.app(app), step)
            try perform(act, of: app, step)
        }
        try advance(by: .zero, step)
    }

    private mutating func sleep(for span: Nanoseconds, _ step: ScenarioStep) throws(ScenarioProblem) {
        try check(span, step)
        try compare(world.isKeptAwake ? Refusals.awake : nil, step)
        world.fallAsleep(for: span)
    }

    /// A running app reads its sockets itself.
    private mutating func bringTraffic(
        to app: AppID, _ socket: SocketID, isOver: Bool, _ step: ScenarioStep
    ) throws(ScenarioProblem) {
        let snapshot = world.device.snapshot(of: app)
        guard let launch = snapshot?.launch else {
            throw ScenarioProblem(step.place, "impossible: \(name(app)) is not running")
        }
        let event = Event.concern(.socket(.readable(launch, socket, isOver: isOver)))
        pass(event)
        let isKept = snapshot?.state != .suspended || !world.effects(of: event).isEmpty
        try compare(nil, step)
        note()
        guard isKept else {
            throw ScenarioProblem(step.place, "impossible: the system keeps no socket \(socket) of \(name(app))")
        }
    }

    private mutating func perform(
        _ act: AppScript.Act, of app: AppID, _ step: ScenarioStep
    ) throws(ScenarioProblem) {
        let name = Words.shown(scenario.apps[Int(app.rawValue - 1)].name)
        do throws(World.Impossibility) {
            try world.act(act, of: app)
        } catch {
            let why =
                switch error {
                case .notRunning: "\(name) is not running"
                case .suspended: "\(name) is suspended: none of its code runs"
                case .prewarmed: "\(name) was only started early: none of its own code runs before its launch"
                case .hangs: "the main thread of \(name) hangs already"
                case .unknownTask: "\(name) has begun no task of that name in this launch"
                case .noHandler: "\(name) has no pending completion handler"
                }
            throw ScenarioProblem(step.place, "impossible: \(why)")
        }
    }

    // MARK: Time

    private func check(_ span: Nanoseconds, _ step: ScenarioStep) throws(ScenarioProblem) {
        guard now + span <= Scenario.longest else {
            throw ScenarioProblem(step.place, "expected a scenario of at most a year: this step would make it longer")
        }
    }

    /// Lets `span` pass, with everything that happens in it. A zero span runs what happens at once.
    private mutating func advance(by span: Nanoseconds, _ step: ScenarioStep) throws(ScenarioProblem) {
        try check(span, step)
        let end = world.now.awake + span
        let most = Self.mostInOneStep + Self.mostInASecond * Int(span.rawValue / 1_000_000_000)
        var count = 0
        while world.step(until: end) {
            count += 1
            happened += 1
            note()
            guard count <= most, happened <= Self.mostInAll else {
                throw ScenarioProblem(
                    step.place,
                    "too many events: \(count) in this step, \(happened) so far; is an app in an "
                        + "endless loop?")
            }
        }
        world.advance(by: end - world.now.awake)
        note()
    }

    // MARK: Decisions

    private mutating func handle(_ event: Event, _ step: ScenarioStep) throws(ScenarioProblem) {
        pass(event)
        try compare(Self.refusal(of: event, in: world.effects(of: event)), step)
        note()
    }

    /// Passes an event to the world. Changing the network connection is more than a setting.
    private mutating func pass(_ event: Event) {
        if case .device(.settingChanged(.network(let kind))) = event {
            world.setNetwork(kind, bytesPerSecond: nil)
        } else {
            world.handle(event)
        }
    }

    /// Throws `ScenarioProblem` unless a refusal was expected for its reason, or neither exists.
    private func compare(_ refusal: String?, _ step: ScenarioStep) throws(ScenarioProblem) {
        switch (refusal, step.refusal) {
        case (nil, nil): break
        case (let refusal?, nil):
            throw ScenarioProblem(
                step.place,
                "impossible: \(step.words) is refused, \(refusal); if this is expected, write "
                    + "refused: \(refusal) below it")
        case (nil, let expected?):
            throw ScenarioProblem(expected.place, "expected to be refused, \(expected.value), but was possible")
        case (let refusal?, let expected?):
            if refusal != expected.value {
                throw ScenarioProblem(
                    expected.place, "expected to be refused, \(expected.value), but was refused, \(refusal)")
            }
        }
    }

    private static func refusal(of event: Event, in effects: [Effect]) -> String? {
        for case .decided(let decision) in effects {
            switch decision {
            case .device(.actRefused(_, let refusal)): return refusal.word
            case .app(_, .inputDropped): return Refusals.notActive
            case .app(_, .unknown): return Refusals.notInstalled
            case .concern(.push(.notRegistered)): return Refusals.notRegistered
            case .concern(.push(.dropped(_, .refused(let refusal)))): return refusal.rawValue
            case .concern(.voip(.dropped(_, let loss))): if decision.refuses(event) { return loss.rawValue }
            case .app(_, .wakeRefused(_, let refusal)):
                // If an act launches other apps too, their refusals are not the act's.
                if decision.refuses(event) { return refusal.rawValue }
            default: break
            }
        }
        return nil
    }
}
