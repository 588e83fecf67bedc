import LifeCycleModel
import LifeCyclePolicy

/// Off the foreground an app that is told of a session's events calls the completion handler in time, or is killed for
/// not doing so, and for that only then.
struct SessionEventsAreHandled: Invariant {
    static let name = "session events are handled"

    private struct Told: Sendable {
        let callback: CallbackID
        var until: Nanoseconds
    }

    /// Of each launch until when it has to be done with which sessions. In no order that matters: looked up, and of those
    /// that are late the first launch is told.
    private var open: [LaunchID: [SessionIdentifier: Told]] = [:]

    mutating func check(_ turn: Observation) -> String? {
        let (event, now) = (turn.event, turn.now)
        if turn.isAfterGap {
            open = open.mapValues {
                $0.mapValues { Told(callback: $0.callback, until: now + turn.policy.sessionEvents) }
            }
        }
        switch event {
        case .app(let launch, .requested(.concern(.transfer(let session, .handled)))): open[launch]?[session] = nil
        case .process(let launch, .exited(_)): open[launch] = nil
        default: break
        }
        for effect in turn.effects {
            switch effect {
            case .launch(let launch, .send(.callback(let id, .concern(.transfer(.handleEvents(let session)))))):
                // Said again to a new connection, it is the same call, and its time goes on.
                let isBehind = turn.snapshots.contains { $0.launch == launch && !$0.state.isForeground }
                guard isBehind, open[launch]?[session]?.callback != id else { break }
                open[launch, default: [:]][session] = Told(callback: id, until: now + turn.policy.sessionEvents)
            case .launch(let launch, .send(.callback(_, .willEnterForeground))): open[launch] = nil
            case .launch(let launch, .kill(.sessionEventsNotHandled)):
                // Killed before the system's restart, it is killed again where it is found.
                if case .process(_, .found) = event { break }
                let earliest = open[launch]?.values.map(\.until).min()
                guard let earliest, earliest <= now else {
                    return "\(launch) is killed for a session's events, for which it has time until \(earliest as Any)"
                }
                open[launch] = nil
            case .launch(let launch, .kill(_)), .launch(let launch, .requestExit): open[launch] = nil
            case .decided(.launch(let launch, .ended(_, _))): open[launch] = nil
            default: break
            }
        }
        let late = open.filter { entry in
            entry.value.values.contains {
                $0.until + turn.slack < now || ($0.until + turn.slack == now && event == .deadlineReached)
            }
        }
        return late.keys.min().map { "\($0) has not called the handler of a session's events, and lives" }
    }

    mutating func systemRestarted() { open = [:] }
}
