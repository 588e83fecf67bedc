import LifeCycleModel
import RoostPorts

/// Installing and uninstalling, one at a time: a bundle that is being copied cannot be removed in the same breath, nor
/// one that is being removed be copied over. For the loop's thread only.
final class FileWork {
    /// An app's files are gone, or as many of them as would go.
    struct Removal: Sendable {
        let app: AppID
        let identifier: BundleIdentifier
        let result: Result<Void, SystemError>
    }

    /// Called with the end of each removal.
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

    /// Does `job` when all that was begun before is done; it has to end with `finished`.
    func enqueue(_ job: @escaping () -> Void) {
        jobs.append(job)
        next()
    }

    /// The job under way is done.
    func finished() {
        isWorking = false
        next()
    }

    /// Copies a bundle in, and calls `then` on the loop.
    func copy(
        from path: String, replacing: Bool, then: @escaping (Result<InstalledBundle, BundleRejection>) -> Void
    ) {
        whenCopied = then
        files.install(from: path, replacing: replacing) { [copies] in copies.post($0) }
    }

    /// Deletes an app's files; the end is told to `onRemoval`.
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
