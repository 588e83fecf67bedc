internal import LifeCycleModel
internal import RoostPorts

/// The threads that move and delete files. The threads exist before the first transfer. Files thus reach their apps
/// even if the machine cannot start further threads.
public struct FileThreads: Sendable {
    /// Queues work on a thread, behind earlier work. Never blocks.
    public typealias Post = @Sendable (_ piece: @escaping @Sendable () -> Void) -> Void

    private let committing: Post
    private let slow: Post

    /// `committing` moves files within a filesystem. `slow` copies and deletes files, so that no move waits for a copy
    /// or a deletion.
    public init(committing: @escaping Post, slow: @escaping Post) {
        (self.committing, self.slow) = (committing, slow)
    }
}

extension FileThreads: CommitThreads {
    package var helpers: Int { 0 }
    package func commit(isFast: Bool, _ body: @escaping @Sendable () -> Void) { committing(body) }
    package func help(_ body: @escaping @Sendable () -> Void) { slow(body) }
}

/// Blocking work on files that the supervisor does itself, because it reaches into apps' containers. The work runs on
/// `FileThreads`, never on the caller's thread.
final class FileWork: Sendable {
    /// The outcome of a piece of work.
    enum Outcome: Sendable {
        case moved(TransferID, errno: Int32?)
        case discarded(TransferID)
        /// The space reserved beyond the file's end was released.
        case trimmed(TransferID)
    }

    let files: PartialFiles
    let outcomes: ReportQueue<Outcome>
    private let commits: GroupCommit
    private let threads: FileThreads

    init(directory: String, on threads: FileThreads) throws(SystemError) {
        self.threads = threads
        files = try PartialFiles(path: directory)
        outcomes = try ReportQueue()
        commits = GroupCommit(files: files, announcingReportsBy: outcomes.announce)
    }

    func move(_ id: TransferID, to path: String, below container: String) {
        let (files, outcomes, threads) = (files, outcomes, threads)
        commits.enqueue(
            GroupCommit.Job { () throws(SystemError) in
                try Destination(path: path, below: container).take(id, from: files)
            } outcome: { error in
                guard error?.errno == Destination.otherFilesystem else {
                    outcomes.postWithNext(.moved(id, errno: error?.errno))
                    return true
                }
                threads.help {
                    let result = Result { () throws(SystemError) in
                        try Destination(path: path, below: container).takeCopy(id, from: files)
                    }
                    var code: Int32?
                    if case .failure(let error) = result { code = error.errno }
                    outcomes.post(.moved(id, errno: code))
                }
                return false
            },
            by: threads)
    }

    func trim(_ id: TransferID) {
        let (files, outcomes) = (files, outcomes)
        threads.help {
            files.trim(id)
            outcomes.post(.trimmed(id))
        }
    }

    func discard(_ id: TransferID, delivered path: String?, below container: String?) {
        let (files, outcomes) = (files, outcomes)
        threads.help {
            files.remove(id)
            if let path, let container { try? Destination(path: path, below: container).remove() }
            outcomes.post(.discarded(id))
        }
    }
}
