import Foundation
import Synchronization

/// Whose code is running: the process' own app, or one of those that a test hosts in this process.
///
/// An app's callbacks, and the tasks they begin, know it by a task-local value. Code from elsewhere, a dispatch queue's
/// or a detached task's, is taken for that of the one hosted app there is.
enum CurrentApp {
    @TaskLocal static var here: AppRunner?

    private struct Hosted {
        var living: [AppRunner] = []
        /// Work that an app has left behind asks after its end as well.
        var last: AppRunner?
    }

    private static let hosted = Mutex(Hosted())

    /// The hosted app whose code is running; nil where none was ever hosted here.
    static var runner: AppRunner? {
        if let here { return here }
        let (living, last) = hosted.withLock { ($0.living, $0.last) }
        guard living.count < 2 else {
            fatalError(
                "\(living.count) apps run on the virtual device, and this code is neither in a callback of one of them "
                    + "nor in a Task begun there: which one's UIApplication.shared is meant is not known. Take it within "
                    + "the callback and keep it, or use `Task { }` instead of a dispatch queue or `Task.detached`")
        }
        return living.first ?? last
    }

    /// The same; also nil where it cannot be known, among several.
    private static var known: AppRunner? {
        here ?? hosted.withLock { $0.living.count < 2 ? $0.living.first ?? $0.last : nil }
    }

    /// A block that is run for the app that has made it, where a test hosts apps.
    static func onlyHere(
        _ block: @escaping @Sendable (Notification) -> Void
    ) -> @Sendable (Notification) -> Void {
        guard let app = here else { return block }
        return { [weak app] notification in
            // Without a known app, say on a queue, it may be meant.
            guard let app, known == nil || known === app else { return }
            block(notification)
        }
    }

    /// From now on its code may run here.
    static func begin(_ runner: AppRunner) {
        hosted.withLock {
            $0.living.append(runner)
            $0.last = runner
        }
    }

    /// Its launch is over.
    static func end(_ runner: AppRunner) {
        hosted.withLock { $0.living.removeAll { $0 === runner } }
    }
}
