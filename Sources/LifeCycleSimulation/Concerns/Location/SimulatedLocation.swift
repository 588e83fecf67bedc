import LifeCycleModel
import LifeCyclePolicy

/// Locations in the simulation.
package enum SimulatedLocation: SimulatedConcern {
    static let calls = LocationCall.samples.map { ConcernCall.location($0) }
    static let reasons = LocationDecision.samples.map { ConcernReason.location($0) }
    static let acts = [
        Act(20) { history, _ in
            // A walk, with a leap to another place now and then.
            let place = history.world.random.chance(1, in: 3) ? 400 : history.world.random.below(9)
            history.world.move(to: place)
        },
        Act(5) { history, app in
            let permissions: [LocationPermission] = [.always, .always, .always, .whenInUse, .whenInUse, .deny, .ask]
            history.world.handle(.concern(.location(.permitted(app, history.pick(permissions)))))
        },
        Act(1) { history, _ in
            // Also a report that is late: the receiver is off.
            history.world.handle(.concern(.location(.receiverEnded("connection refused"))))
        },
    ]
    static let reference: any ReferenceConcern.Type = ReferenceLocations.self
    static let alphabets = [
        ConcernAlphabet(
            name: "location", modes: [.location],
            searchSteps: [
                .monitorChanges, .monitorRegion, .updateLocation, .requestLocation, .beginActivity, .allowLocation,
                .move, .loseReceiver,
            ])
    ]

    static func invariants(of device: Device) -> [any Invariant] { [LocationsKeepTheRules(device)] }

    static func rules(of call: ConcernCall) -> (any SimulatedCall)? {
        if case .location(let word) = call { word } else { nil }
    }
    static func work(_ output: ConcernOutput) -> (any SimulatedOutput)? {
        if case .location(let work) = output { work } else { nil }
    }
    static func reason(_ reason: ConcernReason) -> (any SimulatedReason)? {
        if case .location(let word) = reason { word } else { nil }
    }
}

/// The virtual receiver finds no position by itself: the device is moved.
extension LocationOutput: SimulatedOutput {
    func perform(in world: inout World) {}
    func perform(in world: inout SmallWorld) {}
}

extension LocationCall: SimulatedCall {
    static let samples = everyKind(from: LocationCall.updated([], by: .updates)) { call in
        switch call {
        case .updated: ([call], next: .located(nil))
        // It has the delegate methods of the other two.
        case .located: ([], next: .failed(.unknown))
        case .failed: ([call], next: .permissionChanged(.ask))
        case .permissionChanged: ([call], next: .paused)
        case .paused: ([call], next: .resumed)
        case .resumed: ([call], next: .crossed("", isInside: true))
        case .crossed: ([call, .crossed("", isInside: false)], next: .regionStates([]))
        case .regionStates: ([call], next: nil)
        }
    }

    func handler(deliveredBy callback: CallbackID) -> CompletionHandler? { nil }
    func opensApp(_ pushes: (PushID) -> RemoteNotification?) -> Bool { false }

    /// Only the newest permission counts, and the newest call of a service.
    func outdates(_ older: ConcernCall) -> Bool {
        guard case .location(let older) = older else { return false }
        return switch self {
        case .permissionChanged: if case .permissionChanged = older { true } else { false }
        case .updated(_, let service): if case .updated(_, service) = older { true } else { false }
        case .located: if case .located = older { true } else { false }
        case .crossed(let region, _): if case .crossed(region, _) = older { true } else { false }
        case .regionStates: if case .regionStates = older { true } else { false }
        case .failed, .paused, .resumed: older == self
        }
    }
}

extension LocationFix {
    /// A place on a line to the north, at this number of steps of 200 m from its beginning.
    static func place(_ number: Int, at time: Nanoseconds) -> LocationFix {
        let latitude = 370_000_000 + Int32(number) * 17_986
        guard let fix = LocationFix(latitude: latitude, longitude: 1_270_000_000, accuracy: 500, time: time) else {
            preconditionFailure("place \(number) is not on the earth")
        }
        return fix
    }
}

extension LocationRegion {
    /// A region around the beginning of the line of `LocationFix.place`.
    static let sample = around(0, named: "home")

    /// A region around a place of `LocationFix.place`, with a radius of 300 m.
    static func around(
        _ number: Int, named identifier: String, notifiesOnEntry: Bool = true, notifiesOnExit: Bool = true
    ) -> LocationRegion {
        let center = LocationFix.place(number, at: .zero)
        let region = LocationRegion(
            identifier: identifier, latitude: center.latitude, longitude: center.longitude, radius: 30_000,
            notifiesOnEntry: notifiesOnEntry, notifiesOnExit: notifiesOnExit)
        guard let region else { preconditionFailure("the region around place \(number) cannot be monitored") }
        return region
    }
}

extension World {
    /// The device moves to a place of `LocationFix.place`.
    mutating func move(to place: Int) { handle(.concern(.location(.moved(.place(place, at: now.wall))))) }
}

extension ConcernStep {
    static let monitorChanges = code("monitor changes") {
        $0.request(.concern(.location(.setChangeMonitoring(true))), $1)
    }
    static let monitorRegion = code("monitor region") {
        $0.request(.concern(.location(.monitorRegion(.sample))), $1)
    }
    static let updateLocation = code("update location") {
        $0.request(.concern(.location(.setUpdates(StandardUpdates(allowsBackground: true)))), $1)
    }
    static let requestLocation = code("request location") {
        $0.request(.concern(.location(.requestLocation(true))), $1)
    }
    static let beginActivity = code("begin activity") {
        $0.request(.concern(.location(.setBackgroundActivity(true))), $1)
    }
    static let allowLocation = ConcernStep("allow location") { world, app in
        world.handle(.concern(.location(.permitted(app, .always))))
        return true
    }
    static let loseReceiver = ConcernStep("lose receiver") { world, _ in
        world.handle(.concern(.location(.receiverEnded(""))))
        return true
    }
    /// The device moves to and fro, by a significant distance.
    static let move = ConcernStep("move") { world, _ in
        let place = world.core.device.location == .place(0, at: .zero) ? 5 : 0
        world.handle(.concern(.location(.moved(.place(place, at: .zero)))))
        return true
    }
}
