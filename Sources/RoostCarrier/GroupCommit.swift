internal import Glibc
package import RoostPorts
internal import Synchronization

/// The threads that a commit may use.
package protocol CommitThreads: Sendable {
    /// How many threads may help on a slow disk.
    var helpers: Int { get }
    /// Runs on the one thread for commits.
    func commit(_ body: @escaping @Sendable () -> Void)
    /// Runs on another one.
    func help(_ body: @escaping @Sendable () -> Void)
}

/// What changes a directory in one go, a short file or a move, is brought to the disk with all that waits beside it: one
/// sync of each directory is for all of them, and all of them are told at once.
///
/// One thread of its own does it while the disk is quick, since a thread that has to be woken for each costs more than that.
/// While the disk is slow others help, so that they wait for it together.
package final class GroupCommit: Sendable {
    package struct Job: Sendable {
        /// Does it, up to three syncs that follow: `sync`, the directory it hands over, and the transfers' own directory.
        let act: @Sendable () throws(SystemError) -> Int32?
        /// Brings a file to the disk that `act` has written. It is called once all of the group are written: the first sync
        /// then commits the other files' metadata as well, on a filesystem with a journal.
        let sync: @Sendable () throws(SystemError) -> Void
        /// Hears when it is on disk, or why not, and queues its reports; false where it isn't over yet.
        let outcome: @Sendable (SystemError?) -> Bool
        /// Called when the reports of all have been announced.
        let reported: @Sendable () -> Void

        package init(
            act: @escaping @Sendable () throws(SystemError) -> Int32?,
            sync: @escaping @Sendable () throws(SystemError) -> Void = {},
            outcome: @escaping @Sendable (SystemError?) -> Bool, reported: @escaping @Sendable () -> Void = {}
        ) {
            (self.act, self.sync, self.outcome, self.reported) = (act, sync, outcome, reported)
        }
    }

    private struct State {
        var waiting: [Job] = []
        /// Whether its own thread is at it, and how many of the others.
        var isRunning = false
        var helpers = 0
        var isSlow = false
    }

    /// A disk that takes so long for one is worth another thread.
    private static var slow: Duration { .milliseconds(1) }
    /// How many of one group, on a slow disk: the others are for other threads.
    private static var mostOnSlowDisk: Int { 4 }

    private let files: PartialFiles
    /// Announces the reports that the jobs of a group have queued.
    private let announce: @Sendable () -> Void
    private let state = Mutex(State())

    package init(files: PartialFiles, announcingReportsBy announce: @escaping @Sendable () -> Void) {
        self.files = files
        self.announce = announce
    }

    private enum Runner { case own, helper }

    /// Has it done on these threads.
    package func enqueue(_ job: Job, by threads: some CommitThreads) {
        let runner: Runner? = state.withLock { state in
            state.waiting.append(job)
            if !state.isRunning {
                state.isRunning = true
                return .own
            }
            guard state.isSlow, state.helpers < threads.helpers else { return nil }
            state.helpers += 1
            return .helper
        }
        // The pools end only after everything that uses them.
        switch runner {
        case nil: break
        case .own: threads.commit { self.run(as: .own, isAlone: threads.helpers == 0) }
        case .helper: threads.help { self.run(as: .helper, isAlone: false) }
        }
    }

    private func run(as runner: Runner, isAlone: Bool) {
        while true {
            let group = state.withLock { state in
                let group = state.isSlow && !isAlone ? Array(state.waiting.prefix(Self.mostOnSlowDisk)) : state.waiting
                state.waiting.removeFirst(group.count)
                if group.isEmpty {
                    switch runner {
                    case .own: state.isRunning = false
                    case .helper: state.helpers -= 1
                    }
                }
                return group
            }
            if group.isEmpty { return }
            let begin = ContinuousClock.now
            commit(group)
            let isSlow = ContinuousClock.now - begin > Self.slow * group.count
            state.withLock { $0.isSlow = isSlow }
        }
    }

    private func commit(_ group: [Job]) {
        var syncs = DirectorySyncs()
        let written = group.map { job in
            Result { () throws(SystemError) in try syncs.add(job.act()) }
        }
        let acts = zip(group, written).map { job, act in
            Result { () throws(SystemError) in
                let directory = try act.get()
                try job.sync()
                return directory
            }
        }
        // What was moved is to be found in its new place before it is gone from the old one.
        let others = syncs.syncAll()
        // Where none has come to it, nothing has changed.
        let own = acts.contains { (try? $0.get()) != nil } ? syncs.sync(files.descriptor, files.path) : nil
        var over: [Job] = []
        for (job, act) in zip(group, acts) {
            let error: SystemError? =
                switch act {
                case .success(let index): own ?? index.flatMap { others[$0] }
                case .failure(let error): error
                }
            if job.outcome(error) { over.append(job) }
        }
        announce()
        for job in over { job.reported() }
    }
}

/// Directories that are each synced once for all that was done in them.
private struct DirectorySyncs {
    private var directories: [(descriptor: Int32, device: dev_t, inode: ino_t)] = []

    /// Takes a descriptor over: which of the directories it is.
    mutating func add(_ descriptor: Int32?) throws(SystemError) -> Int? {
        guard let descriptor else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            defer { close(descriptor) }
            throw .now("look at a directory", "of a downloaded file")
        }
        if let index = directories.firstIndex(where: { $0.inode == status.st_ino && $0.device == status.st_dev }) {
            close(descriptor)
            return index
        }
        directories.append((descriptor, status.st_dev, status.st_ino))
        return directories.count - 1
    }

    /// What has failed of each, in the order of their indices.
    mutating func syncAll() -> [SystemError?] {
        defer { directories = [] }
        return directories.map { directory in
            defer { close(directory.descriptor) }
            return sync(directory.descriptor, "the app's directory")
        }
    }

    func sync(_ descriptor: Int32, _ subject: String) -> SystemError? {
        fsync(descriptor) == 0 ? nil : .now("bring a directory to the disk", subject)
    }
}
