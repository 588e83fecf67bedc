import LifeCycleModel
import LifeCyclePolicy

/// Decisions about local notifications as sentences.
extension NotificationDecision: ReasonText {
    static var kind: String { "notification" }
    var launch: LaunchID? { nil }

    var rule: String? {
        switch self {
        case .scheduled, .zoneUnknown: "R-100"
        case .canceled, .registered, .badge, .badgeRefused, .notShown, .allowed: "R-101"
        case .fired, .shown, .answered: "R-102"
        case .discarded: "R-103"
        case .soundReplaced: "R-104"
        }
    }

    func text(at now: Moment) -> String {
        switch self {
        case .scheduled(let id, nil): "notification \(id) is scheduled"
        case .scheduled(let id, let due?) where due <= now.wall: "notification \(id) is scheduled and already due"
        case .scheduled(let id, let due?): "notification \(id) is scheduled: it fires in \(due - now.wall)"
        case .discarded(let id): "notification \(id) is discarded: too many are scheduled, and it fires last"
        case .zoneUnknown(let id): "notification \(id) is discarded: its time zone does not exist"
        case .canceled(_, let count): "canceled \(count) of its notifications"
        case .fired(let id, .zero): "notification \(id) fires"
        case .fired(let id, let late): "notification \(id) fires, \(late) late"
        case .shown(let id, let types): "notification \(id) is shown: \(Self.text(types))"
        case .notShown(let id, let reason): "notification \(id) is not shown: \(Self.text(reason))"
        case .soundReplaced(let id, let fault): "notification \(id) plays the default sound: \(Self.text(fault))"
        case .answered(let id, .tapped): "the user taps notification \(id)"
        case .answered(let id, .dismissed): "the user dismisses notification \(id)"
        case .answered(let id, .gone): "the app has no notification \(id.number), or no longer has it"
        case .badge(_, 0): "its badge is removed"
        case .badge(_, let number): "its badge shows \(number)"
        case .badgeRefused:
            "may not set its badge: it has not registered for badges, or the user forbids its notifications"
        case .registered(_, []): "may not show notifications"
        case .registered(_, let types): "may show notifications: \(Self.text(types))"
        case .allowed(_, let isAllowed): "the user \(isAllowed ? "allows" : "forbids") its notifications"
        }
    }

    /// Kinds of notification.
    private static func text(_ types: NotificationTypes) -> String {
        let names: [(NotificationTypes, String)] = [(.alert, "alert"), (.sound, "sound"), (.badge, "badge")]
        return names.filter { types.contains($0.0) }.map(\.1).joined(separator: ", ")
    }

    /// Why nothing of a notification is displayed.
    private static func text(_ reason: NotShownReason) -> String {
        switch reason {
        case .notRegistered: "the app has not registered for its types"
        case .notAllowed: "the user forbids the app's notifications"
        case .nothingToShow: "it has neither an alert nor a sound nor a badge"
        }
    }

    /// Why a sound is not played.
    private static func text(_ fault: SoundFault) -> String {
        switch fault {
        case .missing: "the app has no such file"
        case .unreadable: "the file cannot be read as aiff, wav or caf"
        case .format: "the file is neither Linear PCM nor MA4, µ-Law or a-Law"
        case .length: "the sound is too long"
        }
    }
}
