import LifeCycleModel
import LifeCyclePolicy

@testable import LifeCycleSimulation

extension SocketID {
    static let a = SocketID(rawValue: 7)
    static let b = SocketID(rawValue: 8)
}

extension KeptSocket {
    static let a = KeptSocket(id: .a, descriptor: 5)
    static let b = KeptSocket(id: .b, descriptor: 6)
}

/// Effects that concern kept sockets, keep-alive handlers and launches after an end as text, one a line.
enum SocketLines {
    /// Nil for an effect that does not concern them.
    static func of(_ effect: Effect) -> String? {
        switch effect {
        case .launch(let launch, .send(.callback(_, .concern(.socket(.keepAlive))))): "\(launch) keep-alive"
        case .launch(let launch, .send(.concern(.socket(.kept(let id, let failure))))):
            "\(launch) told: \(id) \(failure.map { "\($0)" } ?? "kept")"
        case .launch(let launch, .start(let reason)): "start \(launch) for \(reason)"
        case .launch(let launch, .thaw): "thaw \(launch)"
        case .launch(let launch, .freeze): "freeze \(launch)"
        case .launch(let launch, .kill(let reason)): "kill \(launch): \(reason.code)"
        case .concern(.socket(let output)): of(output)
        case .decided(.concern(.socket(let decision))): "· \(of(decision))"
        case .decided(.launch(let launch, .ignoredLate)): "· \(launch) ignored, late"
        case .decided(.app(let app, .wakeRefused(let reason, let refusal))): "· \(app) no \(reason): \(refusal)"
        default: nil
        }
    }

    static func of(_ record: SocketRecord) -> String {
        "\(record.launch):" + record.sockets.map { " \($0.id)" }.joined()
            + (record.keepAlive.map { " keep-alive \($0)" } ?? "")
    }

    private static func of(_ output: SocketOutput) -> String {
        switch output {
        case .take(let launch, let socket): "take \(socket.id) of \(launch)"
        case .watch(let launch): "watch \(launch)"
        case .unwatch(let launch): "unwatch \(launch)"
        case .close(let launch, let id): "close \(id) of \(launch)"
        }
    }

    private static func of(_ decision: SocketDecision) -> String {
        switch decision {
        case .kept(let launch, let id): "\(launch) keeps \(id)"
        case .notKept(let launch, let id, let failure): "\(launch) does not keep \(id): \(failure)"
        case .dropped(let launch, let id): "\(launch) drops \(id)"
        case .readable(let launch, let id, let isOver): "\(launch) \(id) \(isOver ? "is over" : "has data")"
        case .keepAliveSet(let launch, let interval): "\(launch) keep-alive \(interval.map { "\($0)" } ?? "off")"
        case .keepAliveDue(let launch): "\(launch) keep-alive due"
        case .launchedAgain(let app): "\(app) again"
        case .endedTooOften(let app): "\(app) ended too often"
        }
    }
}

extension Bench {
    /// Handles an event and the events of all helpers that follow. Returns what concerns sockets.
    mutating func nets(_ event: Event) -> String {
        let count = effects.count
        _ = plays(event)
        return netted(since: count)
    }

    /// The helpers act. Returns what concerns sockets.
    mutating func nets() -> String {
        let count = effects.count
        _ = plays()
        return netted(since: count)
    }

    /// Advances the clock, meets the deadlines on the way, and lets the helpers act. Returns what concerns sockets.
    mutating func idles(_ span: Nanoseconds) -> String {
        let count = effects.count
        _ = passes(span)
        _ = plays()
        return netted(since: count)
    }

    /// The system is killed and started again, and the apps connect. Returns what concerns sockets.
    mutating func resumes() -> String {
        let count = effects.count
        _ = restarts()
        _ = plays()
        _ = idles(.zero)
        return netted(since: count)
    }

    /// The effects that concern sockets since the first `count` effects.
    func netted(since count: Int) -> String { effects[count...].compactMap(SocketLines.of).joined(separator: "\n") }

    mutating func wants(_ request: SocketRequest, _ launch: LaunchID = launch(1)) -> String {
        nets(.app(launch, .requested(.concern(.socket(request)))))
    }

    mutating func reports(_ input: SocketInput) -> String { nets(.concern(.socket(input))) }

    /// Data arrives on a socket of the first app.
    mutating func receives(_ id: SocketID = .a, isOver: Bool = false) -> String {
        reports(.readable(launch(1), id, isOver: isOver))
    }

    /// The process of a launch exits by itself.
    mutating func ends(_ status: ExitStatus, _ launch: LaunchID = launch(1)) -> String {
        helpers[launch]?.exit = status
        return nets()
    }

    /// An app asks the system to keep a socket, and the system gets it.
    mutating func keeps(_ socket: KeptSocket = .a, _ launch: LaunchID = launch(1)) {
        _ = wants(.keep(socket), launch)
        _ = reports(.taken(launch, socket.id, nil))
    }

    /// The stored records of launches with sockets or a keep-alive handler, a line each.
    var socketsOnDisk: String { stored.concerns.sockets.map(SocketLines.of).joined(separator: "\n") }

    /// A bench whose first app has these modes and is in `state`.
    static func calling(
        _ state: AppState = .suspended, _ policy: Policy = .iOS26, modes: [BackgroundMode] = [.voip]
    ) -> Bench {
        var bench = Bench(policy, [.sample(1, modes: modes), .sample(2)])
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.moves(to: state)
        return bench
    }

    /// The same, and the app has a kept socket.
    static func keeping(_ state: AppState = .suspended, _ policy: Policy = .iOS26) -> Bench {
        var bench = Bench.calling(.active, policy)
        bench.keeps()
        bench.moves(to: state)
        return bench
    }

    /// Moves the first app from the foreground.
    private mutating func moves(to state: AppState) {
        switch state {
        case .notRunning, .inactive, .active: break
        case .background: toBackground()
        case .suspended: _ = plays(.device(.homePressed))
        }
    }
}
