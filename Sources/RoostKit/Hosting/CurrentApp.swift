import Foundation
import Synchronization

/// The app whose code is running: the process's own app, or an app that a test hosts in this process.
///
/// A task-local value identifies the app in its callbacks and in the tasks begun there. Code on a dispatch queue or in
/// a detached task has no such value; it counts as code of the only hosted app.
enum CurrentApp {
    @TaskLocal static var here: AppRunner?

    private struct Hosted {
        var living: [AppRunner] = []
        /// The last app hosted. The app's remaining work may still ask for its runner after its end.
        var last: AppRunner?
    }

    private static let hosted = Mutex(Hosted())

    /// The hosted app whose code is running; nil if no app was ever hosted here. A fatal error if several apps qualify.
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

    /// The hosted app whose code is running; nil also if several apps qualify.
    private static var known: AppRunner? {
        here ?? hosted.withLock { $0.living.count < 2 ? $0.living.first ?? $0.last : nil }
    }

    /// A block that runs only for the app that created it, if a test hosts apps.
    static func onlyHere(
        _ block: @escaping @Sendable (Notification) -> Void
    ) -> @Sendable (Notification) -> Void {
        guard let app = here else { return block }
        return { [weak app] notification in
            // If the running app is unknown, for example on a queue, it may be this app.
            guard let app, known == nil || known === app else { return }
            block(notification)
        }
    }

    /// Records that an app's code may run here from now on.
    static func begin(_ runner: AppRunner) {
        hosted.withLock {
            $0.living.append(runner)
            $0.last = runner
        }
    }

    /// Records that an app's launch is over.
    static func end(_ runner: AppRunner) {
        hosted.withLock { $0.living.removeAll { $0 === runner } }
    }
}
