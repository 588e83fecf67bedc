import LifeCycleModel
public import LifeCyclePolicy

/// Decisions about background sessions and their tasks as sentences.
extension TransferDecision: ReasonText {
    static var kind: String { "transfer" }

    var launch: LaunchID? { if case .actIgnored(let launch, _) = self { launch } else { nil } }

    var rule: String? {
        switch self {
        case .sessionOpened: "R-57"
        case .sessionDone, .sessionWakes: "R-56"
        case .sessionHandled: "R-58"
        case .sessionInvalidated: "R-63"
        case .actIgnored(_, .sessionIsFinishing): "R-63"
        case .actIgnored(_, .notAsked): "R-54"
        case .actIgnored, .began, .reportIgnored, .userActionIgnored: nil
        case .stopped(_, let wait), .waits(_, let wait, _): TransferText.rule(of: wait)
        case .retries: "R-55"
        case .delayed: "R-61"
        case .completed, .delivered: "R-59"
        case .failed(_, let failure): Self.rule(of: failure)
        }
    }

    func text(at now: Moment) -> String {
        switch self {
        case .sessionOpened(let id, let isNew):
            "background session \(id) \(isNew ? "created" : "opened again, with its existing tasks")"
        case .sessionWakes(let id): "the app is woken, or launched, for background session \(id)"
        case .sessionDone(let id): "all tasks of background session \(id) are done: the app will be notified"
        case .sessionHandled(let id): "the events of background session \(id) are handled"
        case .sessionInvalidated(let id): "background session \(id) is invalid from now on"
        case .actIgnored(_, let refusal): "ignored: \(Self.text(refusal))"
        case .began(let id, let attempt): "transfer \(id) begins (attempt \(attempt))"
        case .stopped(let id, let wait): "transfer \(id) is stopped, and waits for \(TransferText.text(wait))"
        case .waits(let id, let wait, let others):
            switch others {
            case 0: "transfer \(id) waits for \(TransferText.text(wait))"
            case 1: "transfer \(id) and another of its session wait for \(TransferText.text(wait))"
            default: "transfer \(id) and \(others) others of its session wait for \(TransferText.text(wait))"
            }
        case .retries(let id, let problem, let length):
            "transfer \(id) is tried again in \(length): \(problem.reason)"
        case .delayed(let id, let length):
            "transfer \(id) was resumed in the background by an app that is woken often: it waits \(length)"
        case .completed(let id, let size): "transfer \(id) is complete, \(size) bytes"
        case .failed(let id, let failure): "transfer \(id) failed (NSURLError \(failure.code)): \(failure.reason)"
        case .delivered(let id): "transfer \(id) is delivered"
        case .reportIgnored(let id): "a late report of transfer \(id) was ignored"
        case .userActionIgnored(let id, let action): "transfer \(id): cannot \(action.rawValue) in its present state"
        }
    }

    private static func text(_ refusal: TransferActRefusal) -> String {
        switch refusal {
        case .sessionNotOpen: "it has not opened that background session in this launch"
        case .tooManySessions: "it has the maximum number of background sessions"
        case .sessionIsFinishing: "its background session was invalidated"
        case .numberTaken: "a task with that identifier exists already"
        case .badNumber: "invalid task identifier"
        case .noSuchTask: "the task does not exist or has ended"
        case .tooManyTasks: "it has twice the maximum number of tasks"
        case .tooMuchText: "its tasks hold the maximum amount of text"
        case .tooManyLists: "it requests more lists of its tasks before it has read the earlier lists"
        case .notAsked: "no delayed request waits for its decision"
        }
    }

    private static func rule(of failure: TransferFailure) -> String? {
        if failure.cancelledReason != nil { return "R-60" }
        switch failure.code {
        case -1001: return "R-55"
        case -1002: return "R-53"
        default: return nil
        }
    }
}

/// The waits of transfers as text.
public enum TransferText {
    /// The condition that a transfer waits for, as the end of "it waits for".
    public static func text(_ wait: TransferWait) -> String {
        switch wait {
        case .suspended: "the app to resume it"
        case .paused: "the user to resume it"
        case .earliestBegin: "its earliest begin date"
        case .answer: "the app's permission to begin"
        case .retry: "the next attempt"
        case .server: "the time the server asked for"
        case .resumptionDelay: "the delay for tasks resumed in the background"
        case .network: "a network"
        case .wifi: "Wi-Fi"
        case .inexpensive: "a network that is not metered"
        case .lowDataMode: "the end of Low Data Mode"
        case .battery: "power, or a battery that is not low"
        case .lowPowerMode: "the end of Low Power Mode"
        case .disk: "disk space"
        case .connection: "a connection to its host"
        case .turn: "its turn"
        case .stop: "its running attempt to stop"
        }
    }

    /// The rule book's row for a wait; nil if no rule is needed.
    public static func rule(of wait: TransferWait) -> String? {
        switch wait {
        case .earliestBegin, .answer: "R-54"
        case .retry, .server: "R-55"
        case .resumptionDelay: "R-61"
        case .wifi, .inexpensive, .lowDataMode, .battery: "R-52"
        case .lowPowerMode: "R-98"
        default: nil
        }
    }
}
