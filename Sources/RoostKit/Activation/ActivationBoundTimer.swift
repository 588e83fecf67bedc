public import Foundation

/// A timer that runs only while the app is active (R-19, R-21; K035).
///
/// The timer starts at once if the app is active now. It stops when the app is about to become inactive, and restarts
/// with a full interval when the app becomes active. While the app is not active, no underlying timer exists: nothing
/// wakes the process, and missed firings are not made up. Keep a reference to this object; releasing it stops the
/// timer.
///
/// ```swift
/// clock = ActivationBoundTimer(interval: 1) { [weak self] in self?.tick() }
/// ```
///
/// Main thread only; the handler runs there.
@MainActor public final class ActivationBoundTimer {
    private let interval: TimeInterval
    private let tolerance: TimeInterval
    private let handler: @MainActor @Sendable () -> Void
    private var observer: ActivationObserver?
    private var timer: Timer?

    /// Creates a timer that fires every `interval` seconds while the app is active.
    ///
    /// - Parameters:
    ///   - interval: The time between two firings, in seconds.
    ///   - tolerance: The longest delay of a firing, in seconds. A greater tolerance costs less power.
    ///   - handler: The code to run, on the main thread.
    public convenience init(
        interval: TimeInterval, tolerance: TimeInterval = 0, handler: @escaping @MainActor @Sendable () -> Void
    ) {
        self.init(
            interval: interval, tolerance: tolerance, isActive: UIApplication.isActive, center: .default,
            handler: handler)
    }

    init(
        interval: TimeInterval, tolerance: TimeInterval, isActive: Bool, center: NotificationCenter,
        handler: @escaping @MainActor @Sendable () -> Void
    ) {
        self.interval = interval
        self.tolerance = tolerance
        self.handler = handler
        observer = ActivationObserver(isActive: isActive, center: center) { [weak self] isActive in
            self?.run(isActive)
        }
        run(isActive)
    }

    /// Whether the timer is running now: the app is active, and the timer was not invalidated.
    public var isRunning: Bool { timer != nil }

    /// Stops the timer permanently.
    public func invalidate() {
        observer?.stop()
        observer = nil
        run(false)
    }

    private func run(_ isRunning: Bool) {
        timer?.invalidate()
        timer = nil
        guard isRunning else { return }
        let handler = handler
        let timer = Timer(timeInterval: interval, repeats: true) { _ in
            // The timer is in the main run loop, so this runs on the main thread.
            MainActor.assumeIsolated { handler() }
        }
        timer.tolerance = tolerance
        RunLoop.main.add(timer, forMode: .common)
        self.timer = timer
    }

    isolated deinit { invalidate() }
}
