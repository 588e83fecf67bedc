public import Foundation

/// Suspends a queue while the app is not active, and resumes it when it is (R-19, R-21; K033, K040).
///
/// Give it a queue of the app's own; it is suspended at once if the app is not active now. Work that has begun goes
/// on; what waits in the queue stays there. The queue's own count of suspensions remains right: this adds one, and
/// takes that one back. Keep the object: when it goes, or by `invalidate()`, the queue is left as it would be without
/// it, so that nothing waits for ever.
///
/// ```swift
/// let thumbnails = DispatchQueue(label: "thumbnails")
/// let binding = ActivationBoundQueue(thumbnails)
/// ```
///
/// Made and used on the main thread. The queue itself may be used from any thread.
@MainActor public final class ActivationBoundQueue {
    private var observer: ActivationObserver?
    private let suspend: @Sendable () -> Void
    private let resume: @Sendable () -> Void
    private var isHeld = false

    /// Binds a dispatch queue, serial or concurrent. Not one of the system's queues: those cannot be suspended.
    public convenience init(_ queue: DispatchQueue) {
        self.init(queue, isActive: UIApplication.isActive, center: .default)
    }

    /// Binds an operation queue. One that the app has suspended by itself is left suspended.
    public convenience init(_ queue: OperationQueue) {
        self.init(queue, isActive: UIApplication.isActive, center: .default)
    }

    convenience init(_ queue: DispatchQueue, isActive: Bool, center: NotificationCenter) {
        self.init(isActive: isActive, center: center, suspend: { queue.suspend() }, resume: { queue.resume() })
    }

    convenience init(_ queue: OperationQueue, isActive: Bool, center: NotificationCenter) {
        let wasSuspended = Held()
        self.init(
            isActive: isActive, center: center,
            suspend: {
                wasSuspended.set(queue.isSuspended)
                queue.isSuspended = true
            },
            resume: { queue.isSuspended = wasSuspended.value })
    }

    private init(
        isActive: Bool, center: NotificationCenter, suspend: @escaping @Sendable () -> Void,
        resume: @escaping @Sendable () -> Void
    ) {
        self.suspend = suspend
        self.resume = resume
        observer = ActivationObserver(isActive: isActive, center: center) { [weak self] isActive in
            self?.hold(!isActive)
        }
        hold(!isActive)
    }

    /// Lets the queue be, in the foreground and in the background.
    public func invalidate() {
        observer?.stop()
        observer = nil
        hold(false)
    }

    /// Suspends or resumes, each once.
    private func hold(_ isHeld: Bool) {
        guard isHeld != self.isHeld else { return }
        self.isHeld = isHeld
        if isHeld { suspend() } else { resume() }
    }

    isolated deinit { invalidate() }
}
