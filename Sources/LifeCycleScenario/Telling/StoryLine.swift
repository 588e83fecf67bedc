public import LifeCycleModel
import LifeCyclePolicy

/// One thing that happened, fit to be shown: what the trace prints, and the timeline draws.
public struct StoryLine: Hashable, Sendable {
    /// What kind of thing it is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The user did something.
        case you
        /// The device, or something outside it, did something.
        case device
        /// The app's code did something of its own accord.
        case app
        /// An app's state is another one.
        case state
        /// A method of a delegate, or an expiration handler, was called.
        case calls
        /// It took time, and has returned.
        case returns
        /// A notification was posted.
        case posts
        /// The system decided something.
        case why
    }

    /// When, since the beginning.
    public let time: Nanoseconds
    /// Whom it is about; nil for the device.
    public let app: AppID?
    /// What kind of thing it is.
    public let kind: Kind
    /// What happened, in words; nothing in it can upset a terminal.
    public let text: String
    /// The row of the rule book it goes by, where there is one.
    public let rule: String?
    /// What it means for a picture.
    public let mark: Mark?

    /// What it means for a picture.
    public enum Mark: Hashable, Sendable {
        /// The app is in this state from here on.
        case state(AppState)
        /// Something begins that lasts: a task, a wake.
        case begins(String)
        /// It is over.
        case ends(String)
        /// All that lasts is over, but for what the system carries for the app.
        case endsAll
        /// The system carries something for the app from here on, whether that runs or not: a download.
        case carries(TransferID, String)
        /// It begins, or waits.
        case carrying(TransferID)
        /// It has come to its end.
        case carried(TransferID)
        /// Something went wrong: a kill, a crash.
        case fatal
    }
}
