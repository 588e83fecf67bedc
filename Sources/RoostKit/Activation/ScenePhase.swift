import LifeCycleModel

/// The app's phase, as in SwiftUI: `background < inactive < active`.
public enum ScenePhase: Comparable, Hashable, Sendable {
    /// Not in the foreground.
    case background
    /// In the foreground, not receiving events.
    case inactive
    /// In the foreground, receiving events.
    case active

    /// The phase that corresponds to an app state.
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
    /// The app's phases: the current phase first, then each change in order. Any thread; each iterating task receives
    /// every change.
    ///
    /// A change is sent after the delegate's method and the notification, within the same callback. The iterating task
    /// resumes a little later, and the system does not wait for it. Work that must finish before suspension belongs in
    /// the delegate or under a background task.
    ///
    /// ```swift
    /// for await phase in UIApplication.shared.scenePhases {
    ///     if phase == .background { save() }
    /// }
    /// ```
    nonisolated public var scenePhases: ScenePhases { ScenePhases(source: session.phases) }
}

/// The app's phases as an asynchronous sequence (see `UIApplication.scenePhases`). The sequence ends when the iterating
/// task is canceled, and leaves no observer behind.
public struct ScenePhases: AsyncSequence, Sendable {
    /// The first element is the phase at the start of the iteration.
    public typealias Element = ScenePhase
    /// The sequence never throws.
    public typealias Failure = Never

    let source: PhaseSource

    /// An iterator that starts with the current phase.
    public func makeAsyncIterator() -> Iterator { Iterator(base: source.follow().makeAsyncIterator()) }

    /// An iterator over the phases, for one task.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<ScenePhase>.Iterator

        /// The next phase; nil once the task is canceled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ScenePhase? {
            await base.next(isolation: actor)
        }

        /// The next phase; nil once the task is canceled.
        public mutating func next() async -> ScenePhase? { await base.next() }
    }
}
