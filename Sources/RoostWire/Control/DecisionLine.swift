public import LifeCycleModel

/// A decision of the system's, for people and programs to read.
public struct DecisionLine: Hashable, Sendable, Codable {
    /// When, on the wall clock: nanoseconds since 1970.
    public var time: Nanoseconds
    /// Which app it is about.
    public var app: BundleIdentifier?
    /// Which of its launches.
    public var launch: Int32?
    /// A word for programs, the same in every version.
    public var kind: String
    /// A sentence for people.
    public var text: String
    /// The state the app has now, where it changed.
    public var state: AppState?

    /// A line with these values.
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
