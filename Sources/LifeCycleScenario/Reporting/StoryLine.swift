public import LifeCycleModel
import LifeCyclePolicy

/// An entry of a story that is safe to display: the trace prints it, and the timeline draws it.
public struct StoryLine: Hashable, Sendable {
    /// The kind of an entry.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An action of the user.
        case you
        /// An action of the device, or of something outside it.
        case device
        /// An action of the app's code outside a callback.
        case app
        /// A change of an app's state.
        case state
        /// A call to a delegate's method or to an expiration handler.
        case calls
        /// The return of a call, if the call took time.
        case returns
        /// A posted notification.
        case posts
        /// A decision of the system.
        case why
    }

    /// The time since the beginning.
    public let time: Nanoseconds
    /// The app; nil for the device.
    public let app: AppID?
    /// The kind of the entry.
    public let kind: Kind
    /// The entry in words, without control characters.
    public let text: String
    /// The row of the rule book; nil if there is none.
    public let rule: String?
    /// The meaning for the timeline; nil if it has none.
    public let mark: Mark?

    /// The meaning for the timeline.
    public enum Mark: Hashable, Sendable {
        /// The app is in this state from now on.
        case state(AppState)
        /// A duration begins: a task, a wake.
        case begins(String)
        /// A duration ends.
        case ends(String)
        /// All durations of the app end, except downloads.
        case endsAll
        /// A download of the app begins to exist, whether the app runs or not.
        case carries(TransferID, String)
        /// A download begins or waits.
        case carrying(TransferID)
        /// A download ends.
        case carried(TransferID)
        /// A fatal event: a kill, a crash.
        case fatal
    }
}
