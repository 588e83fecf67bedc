public import Foundation

/// A timer that runs while the app is active: invalidated when the app is about to be inactive, and started anew, with
/// a full interval, when it is active again (R-19, R-21; K035). Runs at once if the app is active now.
///
/// Nothing of it remains while the app is not active, so that it wakes nobody, and fires no burst of what was missed.
/// Keep the object: the timer ends when it goes, or by `invalidate()`.
///
/// ```swift
/// clock = ActivationBoundTimer(interval: 1) { [weak self] in self?.tick() }
/// ```
///
/// Made and used on the main thread, on which it fires.
@MainActor public final class ActivationBoundTimer {
    private let interval: TimeInterval
    private let tolerance: TimeInterval
    private let handler: @MainActor @Sendable () -> Void
    private var observer: ActivationObserver?
    private var timer: Timer?

    /// A timer that fires every `interval` seconds while the app is active.
    ///
    /// - Parameters:
    ///   - interval: Seconds between two firings.
    ///   - tolerance: By how many seconds a firing may be late: the greater, the less power it costs.
    ///   - handler: Called on the main thread.
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

    /// Whether it runs now: that is, whether the app is active and it was not invalidated.
    public var isRunning: Bool { timer != nil }

    /// Ends it for good.
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
            // It is the main run loop's.
            MainActor.assumeIsolated { handler() }
        }
        timer.tolerance = tolerance
        RunLoop.main.add(timer, forMode: .common)
        self.timer = timer
    }

    isolated deinit { invalidate() }
}
