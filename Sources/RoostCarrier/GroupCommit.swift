internal import Glibc
package import RoostPorts
internal import Synchronization

/// The threads that a commit may use.
package protocol CommitThreads: Sendable {
    /// The number of threads that may help on a slow disk.
    var helpers: Int { get }
    /// Runs `body`, which commits, one at a time. If `isFast`, it should not take longer than waking a thread.
    func commit(isFast: Bool, _ body: @escaping @Sendable () -> Void)
    /// Runs `body` on another thread.
    func help(_ body: @escaping @Sendable () -> Void)
}

/// Group commit for changes of a directory, such as a short file or a move. All waiting jobs share one sync of each
/// directory, and their reports are announced together.
///
/// While the disk is fast, a single dedicated thread commits, because waking a thread for each job would cost more.
/// While the disk is slow, helper threads also commit, so that several syncs wait in parallel.
package final class GroupCommit: Sendable {
    package struct Job: Sendable {
        /// Does the work, except for three syncs that follow in order: `sync`, the returned directory, and the
        /// transfers' own directory.
        let act: @Sendable () throws(SystemError) -> Int32?
        /// Syncs the file that `act` has written. Called after all files of the group are written. On a journaling
        /// filesystem, the first sync then commits the other files' metadata, too.
        let sync: @Sendable () throws(SystemError) -> Void
        /// Called with nil when the job is on disk, or with the error. Queues the job's reports. Returns false if the
        /// job has not finished yet.
        let outcome: @Sendable (SystemError?) -> Bool
        /// Called after the reports of the whole group have been announced.
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
        /// Whether the dedicated thread is running, and the number of running helpers.
        var isRunning = false
        var helpers = 0
        /// The time per job of the last group; nil before the first group.
        var pace: Duration?

        var isSlow: Bool { pace.map { $0 > GroupCommit.slow } ?? false }
        var isFast: Bool { pace.map { $0 < GroupCommit.fast } ?? false }
    }

    /// The time per job from which the disk counts as slow, and up to which it counts as very fast.
    private static var slow: Duration { .milliseconds(1) }
    private static var fast: Duration { .microseconds(200) }
    /// The most jobs in one group on a slow disk. Other threads take the remaining jobs.
    private static var mostOnSlowDisk: Int { 4 }

    private let files: PartialFiles
    /// Announces the reports that a group's jobs have queued.
    private let announce: @Sendable () -> Void
    private let state = Mutex(State())

    package init(files: PartialFiles, announcingReportsBy announce: @escaping @Sendable () -> Void) {
        self.files = files
        self.announce = announce
    }

    private enum Runner {
        case own(isFast: Bool)
        case helper
    }

    /// Queues a job, and starts one of `threads` if needed.
    package func enqueue(_ job: Job, by threads: some CommitThreads) {
        let runner: Runner? = state.withLock { state in
            state.waiting.append(job)
            if !state.isRunning {
                state.isRunning = true
                return .own(isFast: state.isFast)
            }
            guard state.isSlow, state.helpers < threads.helpers else { return nil }
            state.helpers += 1
            return .helper
        }
        // The thread pools outlive everything that uses them.
        switch runner {
        case nil: break
        case .own(let isFast)?:
            threads.commit(isFast: isFast) { self.run(as: .own(isFast: isFast), isAlone: threads.helpers == 0) }
        case .helper?: threads.help { self.run(as: .helper, isAlone: false) }
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
            let pace = (ContinuousClock.now - begin) / group.count
            state.withLock { $0.pace = pace }
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
        // A moved file must be durable in its new directory before its removal from the old one is durable.
        let others = syncs.syncAll()
        // If all jobs have failed, nothing has changed.
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

/// Directories to sync, each only once.
private struct DirectorySyncs {
    private var directories: [(descriptor: Int32, device: dev_t, inode: ino_t)] = []

    /// Takes ownership of a descriptor. Returns the index of its directory; nil without a descriptor.
    mutating func add(_ descriptor: Int32?) throws(SystemError) -> Int? {
        guard let descriptor else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            defer { close(descriptor) }
            throw .now("read the status of a directory", "the directory of a downloaded file")
        }
        if let index = directories.firstIndex(where: { $0.inode == status.st_ino && $0.device == status.st_dev }) {
            close(descriptor)
            return index
        }
        directories.append((descriptor, status.st_dev, status.st_ino))
        return directories.count - 1
    }

    /// The error of each directory, in the order of indices; nil for success.
    mutating func syncAll() -> [SystemError?] {
        defer { directories = [] }
        return directories.map { directory in
            defer { close(directory.descriptor) }
            return sync(directory.descriptor, "the app's directory")
        }
    }

    func sync(_ descriptor: Int32, _ subject: String) -> SystemError? {
        fsync(descriptor) == 0 ? nil : .now("sync a directory", subject)
    }
}
