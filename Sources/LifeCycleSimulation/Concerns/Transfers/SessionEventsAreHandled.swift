import LifeCycleModel
import LifeCyclePolicy

/// A background app that is called for a session's events calls the completion handler in time, or is killed. The kill
/// does not come before the limit.
struct SessionEventsAreHandled: Invariant {
    static let name = "session events are handled"

    private struct OpenCall: Sendable {
        let callback: CallbackID
        var until: Nanoseconds
    }

    /// The open session events of each launch, with their time limits. The order does not matter: the table is for
    /// look-up, and of the late launches the first is reported.
    private var open: [LaunchID: [SessionIdentifier: OpenCall]] = [:]

    mutating func check(_ turn: Observation) -> String? {
        let (event, now) = (turn.event, turn.now)
        if turn.isAfterStall {
            open = open.mapValues {
                $0.mapValues { OpenCall(callback: $0.callback, until: now + turn.policy.sessionEvents) }
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
                // A repeated callback on a new connection is the same call, and its time continues.
                let isInBackground = turn.snapshots.contains { $0.launch == launch && !$0.state.isForeground }
                guard isInBackground, open[launch]?[session]?.callback != id else { break }
                open[launch, default: [:]][session] = OpenCall(callback: id, until: now + turn.policy.sessionEvents)
            case .launch(let launch, .send(.callback(_, .willEnterForeground))): open[launch] = nil
            case .launch(let launch, .kill(.sessionEventsNotHandled)):
                // A kill before the system's restart is repeated when the launch is found.
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
