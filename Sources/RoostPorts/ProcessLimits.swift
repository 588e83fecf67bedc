/// What the processes of one launch may use; nil leaves what the system itself is held to.
public struct ProcessLimits: Hashable, Sendable, Codable {
    /// How many files each process may have open.
    public var openFiles: UInt64?
    /// How large a file may grow by its hand, in bytes: a write beyond gets SIGXFSZ.
    public var fileSize: UInt64?
    /// How many processes and threads it may have together. Held where a pids controller or a uid of its own is
    /// to be had.
    public var processes: UInt64?

    /// Limits with these values.
    public init(openFiles: UInt64?, fileSize: UInt64?, processes: UInt64?) {
        self.openFiles = openFiles
        self.fileSize = fileSize
        self.processes = processes
    }
}

/// The two places a sandboxed app sees of its system's files.
public struct Confinement: Hashable, Sendable {
    /// Its own directory, the only one it may write in; an absolute path.
    public var container: String
    /// Where its program is, to be read and run; an absolute path.
    public var bundle: String

    /// A confinement to these.
    public init(container: String, bundle: String) {
        self.container = container
        self.bundle = bundle
    }
}
