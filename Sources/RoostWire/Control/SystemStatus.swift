public import LifeCycleModel

/// The reply to `roost status`.
public struct SystemStatus: Hashable, Sendable, Codable {
    /// The pid of the supervisor.
    public var pid: Int32
    /// The pid of the guardian, which restarts the supervisor; nil without one.
    public var guardian: Int32?
    /// The id of the system, drawn once for its state directory.
    public var system: String
    /// The path of the state directory.
    public var stateDirectory: String
    /// The name of the policy.
    public var policy: String
    /// The mechanism that freezes apps.
    public var mechanism: String
    /// The program's version.
    public var version: String
    /// The foreground app; nil on the home screen.
    public var foreground: BundleIdentifier?
    /// Whether the screen is locked.
    public var isLocked = false
    /// The interruption of the foreground app; nil for none.
    public var interruption: Interruption?
    /// The level of the apps' sandbox.
    public var sandbox = ""

    /// The other properties can be set afterwards.
    public init(
        pid: Int32, guardian: Int32? = nil, system: String, stateDirectory: String, policy: String,
        mechanism: String, version: String
    ) {
        self.pid = pid
        self.guardian = guardian
        self.system = system
        self.stateDirectory = stateDirectory
        self.policy = policy
        self.mechanism = mechanism
        self.version = version
    }
}
