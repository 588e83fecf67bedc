public import LifeCycleModel

/// A decision as text and data.
public struct DecisionLine: Hashable, Sendable, Codable {
    /// The wall clock time, in nanoseconds since 1970.
    public var time: Nanoseconds
    /// The app that the decision is about; nil for none.
    public var app: BundleIdentifier?
    /// The number of the launch; nil for none.
    public var launch: Int32?
    /// A word for programs, which does not change between versions.
    public var kind: String
    /// A sentence for users.
    public var text: String
    /// The new state of the app; nil if it has not changed.
    public var state: AppState?

    /// Created from a decision, or from a line of the history file.
    public init(
        time: Nanoseconds, app: BundleIdentifier?, launch: Int32? = nil, kind: String, text: String,
        state: AppState? = nil
    ) {
        self.time = time
        self.app = app
        self.launch = launch
        self.kind = kind
        self.text = text
        self.state = state
    }
}
