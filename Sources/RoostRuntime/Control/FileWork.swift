import LifeCycleModel
import RoostPorts

/// Installs and removes apps, one at a time: the copying and the removal of a bundle never overlap. For the loop's
/// thread only.
final class FileWork {
    /// The end of a removal. After a failure, some files may be left.
    struct Removal: Sendable {
        let app: AppID
        let identifier: BundleIdentifier
        let result: Result<Void, SystemError>
    }

    /// Called at the end of each removal.
    var onRemoval: ((Removal) -> Void)?

    private let files: any AppFiles
    private let copies: Mailbox<Result<InstalledBundle, BundleRejection>>
    private let removals: Mailbox<Removal>
    private var jobs: [() -> Void] = []
    private var isWorking = false
    private var whenCopied: ((Result<InstalledBundle, BundleRejection>) -> Void)?

    init(files: any AppFiles, loop: EventLoop) throws(SystemError) {
        self.files = files
        copies = try Mailbox()
        removals = try Mailbox()
        try loop.attach(copies) { [unowned self] result in
            let copied = whenCopied
            whenCopied = nil
            copied?(result)
        }
        try loop.attach(removals) { [unowned self] in onRemoval?($0) }
    }

    /// Runs `job` after all earlier jobs have ended. The job must end with a call of `finished`.
    func enqueue(_ job: @escaping () -> Void) {
        jobs.append(job)
        next()
    }

    /// Ends the current job.
    func finished() {
        isWorking = false
        next()
    }

    /// Copies a bundle on another thread, and calls `then` on the loop's thread.
    func copy(
        from path: String, replacing: Bool, then: @escaping (Result<InstalledBundle, BundleRejection>) -> Void
    ) {
        whenCopied = then
        files.install(from: path, replacing: replacing) { [copies] in copies.post($0) }
    }

    /// Deletes an app's files on another thread. `onRemoval` is called at the end.
    func remove(_ app: AppID, _ identifier: BundleIdentifier) {
        files.remove(identifier) { [removals] in
            removals.post(Removal(app: app, identifier: identifier, result: $0))
        }
    }

    private func next() {
        guard !isWorking, !jobs.isEmpty else { return }
        isWorking = true
        jobs.removeFirst()()
    }
}
