import LifeCycleModel

/// How far in front the app is, as in SwiftUI: `background < inactive < active`.
public enum ScenePhase: Comparable, Hashable, Sendable {
    /// Not in the foreground.
    case background
    /// In the foreground, not receiving events.
    case inactive
    /// In the foreground, receiving events.
    case active

    /// The phase of an app in this state.
    init(_ state: AppState) {
        self =
            switch state {
            case .active: .active
            case .inactive: .inactive
            case .notRunning, .background, .suspended: .background
            }
    }
}

extension UIApplication {
    /// The app's phases: the present one first, then each change in order. Any number of tasks may follow it, each
    /// hears of all.
    ///
    /// A change is handed out after the delegate's method and the notification, within the same callback. The task
    /// that follows it runs a little later: the system does not wait for it, so that what has to be done before the
    /// app is suspended belongs into the delegate or under a background task.
    ///
    /// ```swift
    /// for await phase in UIApplication.shared.scenePhases {
    ///     if phase == .background { save() }
    /// }
    /// ```
    nonisolated public var scenePhases: ScenePhases { ScenePhases(source: session.phases) }
}

/// The app's phases, as an asynchronous sequence (see `UIApplication.scenePhases`). It ends when the task that follows
/// it is cancelled, and leaves nothing behind.
public struct ScenePhases: AsyncSequence, Sendable {
    /// A phase.
    public typealias Element = ScenePhase
    /// It does not fail.
    public typealias Failure = Never

    let source: PhaseSource

    /// What follows the phases, from now on.
    public func makeAsyncIterator() -> Iterator { Iterator(base: source.follow().makeAsyncIterator()) }

    /// Follows the phases for one task.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<ScenePhase>.Iterator

        /// The next phase; nil once the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ScenePhase? {
            await base.next(isolation: actor)
        }

        /// The next phase; nil once the task is cancelled.
        public mutating func next() async -> ScenePhase? { await base.next() }
    }
}
