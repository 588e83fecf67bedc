public import Foundation

/// A binding that suspends a queue while the app is not active and resumes it while the app is active (R-19, R-21;
/// K033, K040).
///
/// Pass a queue that the app created. If the app is not active now, the binding suspends the queue at once. Work that
/// has begun continues; waiting work stays in the queue. The binding adds one suspension and later removes that
/// suspension, so it does not disturb the app's own suspensions. Keep a reference to the binding. When the binding is
/// released or invalidated, it removes its suspension, so no work waits forever.
///
/// ```swift
/// let thumbnails = DispatchQueue(label: "thumbnails")
/// let binding = ActivationBoundQueue(thumbnails)
/// ```
///
/// Main thread only. The queue itself may be used from any thread.
@MainActor public final class ActivationBoundQueue {
    private var observer: ActivationObserver?
    private let suspend: @Sendable () -> Void
    private let resume: @Sendable () -> Void
    private var isHeld = false

    /// Binds a dispatch queue, serial or concurrent. The system's global queues do not work: they cannot be suspended.
    public convenience init(_ queue: DispatchQueue) {
        self.init(queue, isActive: UIApplication.isActive, center: .default)
    }

    /// Binds an operation queue. A queue that the app has suspended itself stays suspended.
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

    /// Ends the binding: the queue keeps running whether or not the app is active.
    public func invalidate() {
        observer?.stop()
        observer = nil
        hold(false)
    }

    /// Suspends or resumes the queue if its state changes.
    private func hold(_ isHeld: Bool) {
        guard isHeld != self.isHeld else { return }
        self.isHeld = isHeld
        if isHeld { suspend() } else { resume() }
    }

    isolated deinit { invalidate() }
}
