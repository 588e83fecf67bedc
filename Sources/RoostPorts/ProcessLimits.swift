/// The resource limits of one launch. A nil limit leaves the system's own.
public struct ProcessLimits: Hashable, Sendable, Codable {
    /// The number of files that each process may have open.
    public var openFiles: UInt64?
    /// The size to which a process may grow a file, in bytes. A write beyond it gets SIGXFSZ.
    public var fileSize: UInt64?
    /// The number of processes and threads of the launch, together. Enforced only with a pids controller, or if the app
    /// has its own uid.
    public var processes: UInt64?

    /// Created from the policy. A limit above the system's own hard limit is lowered to it.
    public init(openFiles: UInt64?, fileSize: UInt64?, processes: UInt64?) {
        self.openFiles = openFiles
        self.fileSize = fileSize
        self.processes = processes
    }
}

/// The two directories that a sandboxed app can reach among the system's files.
public struct Confinement: Hashable, Sendable {
    /// The app's own directory, the only directory that it may write to; an absolute path.
    public var container: String
    /// The directory of its program, to be read and run; an absolute path.
    public var bundle: String

    /// A confinement to these directories.
    public init(container: String, bundle: String) {
        self.container = container
        self.bundle = bundle
    }
}
