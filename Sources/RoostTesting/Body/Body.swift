import AppCore
import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation

/// An observer of a device's body.
@MainActor protocol BodyObserver: AnyObject {
    func decided(_ decision: Decision)
    func reported(_ report: Report, of launch: LaunchID)
    /// Reports that apps, or other code in this process, are still computing at the time limit: the device continues.
    func areStillBusy(after seconds: Double)
    /// The directory of the app's files; nil if the app is gone.
    func container(of app: AppID) -> String?
    func makeEndpoint(of launch: LaunchID, context: LaunchContext) -> (any Endpoint)?
}

/// Work of a concern, as performed by a test's device body.
protocol TestedWork {
    @MainActor func perform(by body: Body)
}

/// The device's body in a test. It contains the brain with all its checks, the launches, and a clock that moves only on
/// the test's request. An action takes device time only on the test's request.
@MainActor final class Body: @MainActor VirtualBody {
    enum Work: Sendable {
        case event(Event)
        case start(LaunchID)
        case deliver(LaunchID, SystemMessage)
        case conclude(LaunchID, CallbackID)
        case transfer(TransferID, attempt: Int32)
    }

    /// The brain, with the checks that detect Roost's own faults, and the planned work.
    var core: BodyCore<Work>
    let clock: SharedClock
    /// The running launches, sorted by launch.
    private(set) var endpoints: [any Endpoint] = []
    weak var observer: (any BodyObserver)?
    var transfers = DeviceTransfers()
    var sockets = DeviceSockets()
    /// The page of memory that shows the clocks to processes.
    var page: DevicePage?
    /// The event that reported the device's current time zone.
    private var zone = Event.device(.zoneChanged("UTC", .utc))

    private var queue: [Work] = []
    /// Whether an app's code may still be running or may have been started.
    private var hasRunCode = false
    /// The same of code in this process. Such code continues even if its app has since been frozen or killed.
    private var hasRunHostedCode = false

    /// The longest time that apps may be busy, in seconds of real time. After that time the test continues without
    /// them.
    private static let patience = 2.0
    /// The same limit if only separate processes can be busy: on an overloaded machine such processes are slow, not
    /// stuck.
    private static let longPatience = 10.0

    init(policy: Policy, start: Moment) {
        core = BodyCore(CheckedDevice(policy: policy), now: start)
        clock = SharedClock(start.awake)
        handle(zone)
    }

    var device: Device { core.device }
    var now: Moment { core.now }

    func endpoint(of launch: LaunchID) -> (any Endpoint)? { endpoints.first { $0.launch == launch } }

    // MARK: The brain's turn

    /// Passes an event to the brain, and performs the resulting effects that run no app's code.
    func handle(_ event: Event) {
        if case .device(.settingChanged(.network(let kind))) = event { transfers.network.kind = kind }
        if case .device(.zoneChanged) = event { zone = event }
        var body = self
        for effect in body.decide(event) { body.perform(effect) }
    }

    func decided(_ decision: Decision) { observer?.decided(decision) }

    func perform(_ effect: LaunchEffect, on launch: LaunchID) {
        switch effect {
        case .start, .prewarm: start(launch)
        case .send(let message): if let message = device.filled(message) { queue.append(.deliver(launch, message)) }
        case .freeze(let attempt):
            guard let endpoint = endpoint(of: launch) else { break }
            // Collect what the app has reported before the freeze.
            collect(from: endpoint)
            endpoint.freeze()
            queue.append(.event(.process(launch, .froze(attempt: attempt, footprint: 0))))
            queue.append(.event(.process(launch, .footprintMeasured(size: endpoint.footprint))))
        case .thaw:
            run(endpoint(of: launch)) { $0.thaw() }
        case .requestExit: endpoint(of: launch)?.requestExit()
        case .kill: kill(launch)
        case .measureContainer: queue.append(.event(.process(launch, .containerMeasured(size: 0))))
        case .prioritize: break
        }
    }

    func perform(_ output: ConcernOutput) {
        guard let work = output.word as? any TestedWork else { preconditionFailure("\(output) is no TestedWork") }
        work.perform(by: self)
    }

    /// Handles an event after the queued events.
    func enqueue(_ event: Event) { queue.append(.event(event)) }

    private func start(_ launch: LaunchID) {
        guard let context = device.launchContext(of: launch),
            let endpoint = observer?.makeEndpoint(of: launch, context: context)
        else { return }
        endpoints.append(endpoint)
        endpoints.sort { $0.launch < $1.launch }
        queue.append(.start(launch))
    }

    /// Ends a launch as SIGKILL does.
    func kill(_ launch: LaunchID) {
        guard let endpoint = endpoint(of: launch) else { return }
        collect(from: endpoint)
        run(endpoint) { $0.kill() }
        isGone(launch, .signaled(9))
    }

    /// Simulates a power loss and a restart. The running apps end without notification, and a new brain starts from the
    /// stored records.
    func reboot() {
        for endpoint in endpoints {
            collect(from: endpoint)
            run(endpoint) { $0.kill() }
        }
        (endpoints, queue, core.agenda) = ([], [], Agenda())
        sockets.closeAll()
        core.restart()
        transfers.rebooted(keeping: Set(device.transferIDs))
        handle(zone)
        var body = self
        body.reportLaunches()
        handle(.device(.deviceStarted))
        // The concerns resume once the system knows which launches are left.
        if let deadline = device.nextDeadlineTime, deadline <= now.awake { handle(.deadlineReached) }
    }

    func find(_ launch: LaunchID) -> ProcessEvent { .exited(.unknown) }

    private func isGone(_ launch: LaunchID, _ status: ExitStatus) {
        endpoints.removeAll { $0.launch == launch }
        _ = core.agenda.take { if case .conclude(launch, _) = $0 { true } else { false } }
        queue.append(.event(.process(launch, .exited(status))))
    }

    /// Plans for a callback to count as finished after `span`.
    func plan(_ callback: CallbackID, of launch: LaunchID, in span: Nanoseconds) {
        plan(.conclude(launch, callback), in: span)
    }

    func plan(_ work: Work, in span: Nanoseconds) { core.agenda.plan(work, at: now.awake + span) }

    /// Queues planned work behind the work that apps have already caused.
    func happen(_ work: Work) { queue.append(work) }

    // MARK: The apps' turn

    private func collect(from endpoint: any Endpoint) {
        let launch = endpoint.launch
        for report in endpoint.takeReports() {
            observer?.reported(report, of: launch)
            switch report {
            case .started: queue.append(.event(.process(launch, .started)))
            case .startFailed(let errno, _):
                endpoints.removeAll { $0.launch == launch }
                queue.append(.event(.process(launch, .startFailed(errno: errno))))
            case .attached(let attachment): queue.append(.event(.app(launch, .attached(attachment))))
            case .requested(let request): queue.append(.event(.app(launch, .requested(request))))
            case .exited(let status): isGone(launch, status)
            case .called, .posted, .expired, .logged, .misbehaved: break
            }
        }
    }

    /// Does something that makes an app's code run.
    private func run(_ endpoint: (any Endpoint)?, _ step: (any Endpoint) -> Void) {
        guard let endpoint else { return }
        hasRunCode = true
        if endpoint.process == nil { hasRunHostedCode = true }
        step(endpoint)
    }

    /// Performs all work that is known for this instant.
    private func pump() {
        while true {
            for endpoint in endpoints { collect(from: endpoint) }
            if queue.isEmpty { for report in sockets.takeReports() { enqueue(.concern(.socket(report))) } }
            guard !queue.isEmpty else { return }
            switch queue.removeFirst() {
            case .event(let event): handle(event)
            case .start(let launch): run(endpoint(of: launch)) { $0.start() }
            case .deliver(let launch, let message): run(endpoint(of: launch)) { $0.deliver(message) }
            case .conclude(let launch, let callback): run(endpoint(of: launch)) { $0.conclude(callback) }
            case .transfer(let id, let attempt): take(transfers.goOn(id, attempt: attempt, at: now.awake))
            }
        }
    }

    /// Runs everything to completion at this instant: the brain, the callbacks, and the work that they began. False if
    /// the apps are still busy at the limit of real time.
    @discardableResult func settle() async -> Bool {
        while true {
            pump()
            for endpoint in endpoints where endpoint.clockMoved() { run(endpoint) { _ in } }
            guard hasRunCode else { return true }
            // The threads of the test's process matter only if it hosts an app that runs or has just run.
            let hosts = hasRunHostedCode || endpoints.contains { $0.process == nil && !$0.isFrozen }
            (hasRunCode, hasRunHostedCode) = (false, false)
            let isAtRest = await Quiescence.wait(
                for: endpoints.compactMap(\.process), andThisOne: hosts,
                atMost: hosts ? Self.patience : Self.longPatience)
            pump()
            guard isAtRest else {
                observer?.areStillBusy(after: Self.patience)
                return false
            }
        }
    }

    // MARK: Time

    /// The time of the next known event; nil if there is none.
    var nextTime: Nanoseconds? {
        let others = [device.nextDeadlineTime, core.agenda.nextTime].compactMap(\.self)
        return (others + endpoints.compactMap(\.nextDeadline)).min().map { max($0, now.awake) }
    }

    /// Moves the clock to the next event, unless it is later than `limit`, and handles the event. False if no event is
    /// due by then.
    func step(until limit: Nanoseconds) async -> Bool {
        await settle()
        guard let next = nextTime, next <= limit else { return false }
        move(to: next)
        while let time = core.agenda.nextTime, time <= next, let (_, work) = core.agenda.takeNext() { happen(work) }
        await settle()
        if let deadline = device.nextDeadlineTime, deadline <= now.awake {
            handle(.deadlineReached)
            await settle()
        }
        return true
    }

    /// Handles every event that happens within `span`.
    func advance(by span: Nanoseconds) async {
        let end = now.awake + span
        while await step(until: end) {}
        move(to: end)
        await settle()
    }

    private func move(to time: Nanoseconds) {
        guard time > now.awake else { return }
        set(now.advanced(by: time - now.awake))
    }

    private func set(_ moment: Moment) {
        page?.move(from: now, to: moment)
        core.now = moment
        clock.now = now.awake
    }

    /// Simulates sleep: only the clocks of elapsed time and civil time advance.
    func sleep(for span: Nanoseconds) async {
        set(Moment(awake: now.awake, elapsed: now.elapsed + span, wall: now.wall + span))
        await settle()
    }

    /// Sets the clock of civil time.
    func setWallClock(to wall: Nanoseconds) async {
        let step = wall - now.wall
        set(Moment(awake: now.awake, elapsed: now.elapsed, wall: wall))
        handle(.device(.clockStepped(by: step)))
        await settle()
    }
}
