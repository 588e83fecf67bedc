import LifeCycleModel
import LifeCyclePolicy

/// A background app that receives an event calls its completion handler in time, or is killed. The kill does not come
/// before the limit, and each handler's call counts once.
struct EventsAreHandled: Invariant {
    static let name = "events are handled"

    private struct OpenCall: Sendable {
        let kind: WakeEvent
        /// nil in the foreground.
        var until: Nanoseconds?
    }

    /// The open events of each launch, by callback, with their time limits. The order does not matter: the table is for
    /// look-up, and of the late launches the first is reported.
    private var open: [LaunchID: [CallbackID: OpenCall]] = [:]

    /// The callback `willTerminate` of each launch that is being ended. Once it has returned, the app only has to exit.
    private var terminations: [LaunchID: CallbackID] = [:]

    mutating func check(_ turn: Observation) -> String? {
        let (event, effects, policy, now) = (turn.event, turn.effects, turn.policy, turn.now)
        if turn.isAfterStall { loopStalled(policy: policy, at: now) }
        if let finding = note(event, effects, policy: policy, at: now) { return finding }
        for effect in effects {
            switch effect {
            case .launch(let launch, .send(.callback(let id, .concern(let call)))):
                // A repeated callback on a new connection is the same call, and its time continues.
                guard case .event(let event)? = call.rules.handler(deliveredBy: id), open[launch]?[id] == nil else {
                    break
                }
                let isInBackground = turn.snapshots.contains { $0.launch == launch && !$0.state.isForeground }
                let until = isInBackground ? now + event.kind.limit(policy) : nil
                open[launch, default: [:]][id] = OpenCall(kind: event.kind, until: until)
            case .launch(let launch, .send(.callback(_, .willEnterForeground))):
                open[launch] = open[launch]?.mapValues { OpenCall(kind: $0.kind, until: nil) }
            case .launch(let launch, .kill(.eventNotHandled(let kind))):
                // A kill before the system's restart is repeated when the launch is found.
                if case .process(_, .found) = event { break }
                let earliest = open[launch]?.values.filter { $0.kind == kind }.compactMap(\.until).min()
                guard let earliest, earliest <= now else {
                    return "\(launch) is killed for a \(kind), for which it has time until \(earliest as Any)"
                }
                open[launch] = nil
            case .launch(let launch, .send(.callback(let id, .willTerminate))): terminations[launch] = id
            case .launch(let launch, .kill(_)), .launch(let launch, .requestExit): open[launch] = nil
            case .decided(.launch(let launch, .ended(_, _))): (open[launch], terminations[launch]) = (nil, nil)
            default: break
            }
        }
        let late = open.filter { entry in
            entry.value.values.contains { sent in
                guard let until = sent.until else { return false }
                return until + turn.slack < now || (until + turn.slack == now && event == .deadlineReached)
            }
        }
        return late.keys.min().map { "\($0) has not called the handler of an event, and lives" }
    }

    mutating func systemRestarted() { (open, terminations) = ([:], [:]) }

    /// Handles a request of the app itself.
    private mutating func note(
        _ event: Event, _ effects: [Effect], policy: Policy, at now: Nanoseconds
    ) -> String? {
        switch event {
        case .app(let launch, .requested(.eventHandled(let callback, let result))):
            let sent = open[launch]?.removeValue(forKey: callback)
            let isCounted = effects.contains {
                if case .decided(.launch(launch, .eventHandled(_, result, _))) = $0 { true } else { false }
            }
            // The brain forgets the oldest handler of an app that has left too many uncalled.
            if isCounted, sent == nil { return "\(launch) is done with \(callback), which it was not handed" }
        case .app(let launch, .requested(.acknowledge(let id, _))):
            if terminations[launch] == id { open[launch] = nil }
        case .app(let launch, .attached(let attachment)):
            if let id = terminations[launch], id <= attachment.lastCallback { open[launch] = nil; break }
            // The app has called the handlers that are missing from its attachment. For the others it has time.
            open[launch] = open[launch]?.filter { id, sent in
                id > attachment.lastCallback
                    || attachment.openEvents.contains(OpenEvent(callback: id, kind: sent.kind))
            }
            for entry in attachment.openEvents where open[launch]?[entry.callback] == nil {
                let until = attachment.phase == .background ? now + entry.kind.limit(policy) : nil
                open[launch, default: [:]][entry.callback] = OpenCall(kind: entry.kind, until: until)
            }
        default: break
        }
        return nil
    }

    /// The loop stalled: every app has the full time again.
    private mutating func loopStalled(policy: Policy, at now: Nanoseconds) {
        open = open.mapValues { all in
            all.mapValues { sent in
                OpenCall(kind: sent.kind, until: sent.until == nil ? nil : now + sent.kind.limit(policy))
            }
        }
    }
}

extension WakeEvent {
    /// The time limit of a background app for the event.
    func limit(_ policy: Policy) -> Nanoseconds {
        switch self {
        case .backgroundFetch: policy.backgroundFetch
        case .remoteNotification: policy.remoteNotification
        }
    }
}
