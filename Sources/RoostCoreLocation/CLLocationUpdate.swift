import AppCore
import LifeCycleModel
import RoostKit

/// An element of the live updates: a position of the device, or the reason why there is none.
public struct CLLocationUpdate: Sendable {
    /// The position; nil if the other properties say why there is none.
    public let location: CLLocation?
    /// The user has denied the app the location.
    public let authorizationDenied: Bool
    /// The app has asked the user for the location, and the user has not decided.
    public let authorizationRequestInProgress: Bool
    /// The app is in the background without a `CLBackgroundActivitySession`, and may have the location in use only.
    public let insufficientlyInUse: Bool
    /// The position is not known now.
    public let locationUnavailable: Bool
    /// The user has not decided, and is not asked: the app requires a `CLServiceSession` of itself, by
    /// `NSLocationRequireExplicitServiceSession`.
    public let serviceSessionRequired: Bool

    /// Whether the system has paused the updates because the device does not move: never.
    public var stationary: Bool { false }
    /// The name of `stationary` in iOS 17.
    public var isStationary: Bool { stationary }
    /// Whether the position has a reduced accuracy: never.
    public var accuracyLimited: Bool { false }
    /// Whether the location is denied to all apps: never, because there is no such setting.
    public var authorizationDeniedGlobally: Bool { false }
    /// Whether the app cannot be allowed the location: never, because there are no such restrictions.
    public var authorizationRestricted: Bool { false }

    private enum State { case located(CLLocation), unavailable, denied, waits(LiveUpdateObstacle) }

    private init(_ state: State) {
        location = if case .located(let location) = state { location } else { nil }
        locationUnavailable = if case .unavailable = state { true } else { false }
        authorizationDenied = if case .denied = state { true } else { false }
        authorizationRequestInProgress = if case .waits(.permissionRequest) = state { true } else { false }
        insufficientlyInUse = if case .waits(.use) = state { true } else { false }
        serviceSessionRequired = if case .waits(.serviceSession) = state { true } else { false }
    }

    /// The elements that a call stands for.
    fileprivate static func elements(of call: LocationManagerCall) -> [CLLocationUpdate] {
        switch call {
        case .location(.updated(let fixes, _)): fixes.map { CLLocationUpdate(.located(CLLocation($0))) }
        case .location(.failed(.unknown)): [CLLocationUpdate(.unavailable)]
        case .location(.failed(.denied)): [CLLocationUpdate(.denied)]
        case .waits(let obstacle): [CLLocationUpdate(.waits(obstacle))]
        case .location, .startedMonitoring, .monitoringFailed, .crossed, .determined: []
        }
    }
}

extension CLLocationUpdate {
    /// The kind of movement. It has no effect: the system has one source of positions.
    public enum LiveConfiguration: Sendable, CaseIterable {
        case `default`, automotiveNavigation, otherNavigation, fitness, airborne
    }

    /// The device's positions from now on. Each iteration is on its own, asks the user for the location in use if the
    /// user has not decided, and ends only when its task is canceled. Of the positions that an iteration has not read,
    /// the newest 100 wait.
    ///
    /// In the background the positions wait, unless the app has the permission `always` and runs, or a
    /// `CLBackgroundActivitySession`, which keeps an app with the mode `location` running.
    public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates { Updates() }

    /// The sequence of live updates.
    public struct Updates: AsyncSequence, Sendable {
        /// A position, or the reason why there is none.
        public typealias Element = CLLocationUpdate

        /// Begins the updates.
        public func makeAsyncIterator() -> Iterator { Iterator(live: LiveUpdates()) }

        /// An iteration. The updates end with it.
        public struct Iterator: AsyncIteratorProtocol {
            private let live: LiveUpdates
            private var elements: AsyncStream<CLLocationUpdate>.Iterator

            fileprivate init(live: LiveUpdates) { (self.live, elements) = (live, live.stream.makeAsyncIterator()) }

            /// The next update; nil if the task was canceled. It throws no errors.
            public mutating func next() async throws -> CLLocationUpdate? { await elements.next() }
        }
    }
}

/// Live updates under way, for which the app's core has a location manager.
private final class LiveUpdates: LocationCallReceiver {
    let stream: AsyncStream<CLLocationUpdate>
    private let continuation: AsyncStream<CLLocationUpdate>.Continuation
    private let app = AppSession.current
    private let id: LocationManagerID

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(100))
        id = app.locating { core, _ in core.addLocationManager() }
        LocationCalls.of(app)?.add(self, id)
        // The task is canceled, or the iteration is released.
        continuation.onTermination = { [app, id] _ in
            app.locating { core, steps in core.removeLocationManager(id, into: &steps) }
        }
        // The manager of an iteration that ends before is gone, and nothing starts.
        app.onMainThread { [app, id] in
            let keys = AppRunner.locationKeys
            let missing = LocationPurpose.missing(in: keys.all, always: false)
            if !missing.isEmpty, app.readingLocation(\.locationPermission) == .ask {
                let list = missing.map(\.rawValue).joined(separator: " and ")
                app.log("liveUpdates() does not ask for the location: add \(list) to Info.plist.")
            }
            app.locating { core, steps in core.startLiveUpdates(of: id, keys: keys, into: &steps) }
        }
    }

    @MainActor func tell(_ call: LocationManagerCall) {
        for element in CLLocationUpdate.elements(of: call) { continuation.yield(element) }
    }
}
