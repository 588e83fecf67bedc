package import Dispatch

/// The queue that an app has chosen for the calls of a delegate.
///
/// The calls are made on the main thread as work of the queue. A serial queue does no other work meanwhile, and the
/// main thread waits until the queue has finished its work.
package struct DelegateQueue: Sendable {
    /// Nil for the main queue.
    private let queue: DispatchQueue?

    /// The calls of a delegate; nil for the main queue.
    package init(_ queue: DispatchQueue?) {
        // On Linux each `DispatchQueue.main` is another object. The main thread must not wait for its own queue.
        self.queue = queue?.label == DispatchQueue.main.label ? nil : queue
    }

    /// Calls the app's code.
    @MainActor package func run(_ call: () -> Void) {
        if let queue { queue.sync(execute: call) } else { call() }
    }
}
