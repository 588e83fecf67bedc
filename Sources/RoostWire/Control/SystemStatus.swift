public import LifeCycleModel

/// What the system says of itself.
public struct SystemStatus: Hashable, Sendable, Codable {
    /// The supervisor's process.
    public var pid: Int32
    /// The guardian's, which starts the supervisor again; nil without one.
    public var guardian: Int32?
    /// The id drawn once for its state directory.
    public var system: String
    /// Where it keeps what lasts.
    public var stateDirectory: String
    /// The policy in force.
    public var policy: String
    /// What freezes apps here.
    public var mechanism: String
    /// The program's version.
    public var version: String
    /// Who is in front; nil on the home screen.
    public var front: BundleIdentifier?
    /// Whether the screen is locked.
    public var isLocked = false
    /// What interrupts the app in front.
    public var interruption: Interruption?
    /// How apps are kept to themselves here: the level of their sandbox.
    public var sandbox = ""

    /// A status with these values.
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
