import LifeCycleModel
import LifeCyclePolicy

@testable import LifeCycleSimulation

extension LocationFix {
    /// The position this far north of a point on the equator, in centimetres. Most distances have such a position.
    static func north(_ distance: Int64) -> LocationFix {
        // A centimetre is about 0.9 units of latitude.
        let guess = Int32(distance * 90 / 100)
        for latitude in max(0, guess - 300)...guess + 300 {
            let fix = at(latitude)
            if fix.distance(to: at(0)) == distance { return fix }
        }
        preconditionFailure("no position is exactly \(distance) cm north of the equator")
    }

    private static func at(_ latitude: Int32) -> LocationFix {
        guard let fix = LocationFix(latitude: latitude, longitude: 0, accuracy: 500, time: start) else {
            preconditionFailure("latitude \(latitude) is not on the earth")
        }
        return fix
    }
}

/// Effects that concern locations as text, one a line. A position is its distance from `LocationFix.north(0)` in
/// centimetres.
enum LocationLines {
    /// Nil for an effect that does not concern locations.
    static func of(_ effect: Effect) -> String? {
        switch effect {
        case .launch(let launch, .send(.callback(_, .concern(.location(let call))))): "\(launch) \(of(call))"
        case .launch(let launch, .send(.callback(_, .launch(let reason)))): "\(launch) launch for \(reason)"
        case .launch(let launch, .send(.concern(.location(.permission(let permission))))):
            "\(launch) has \(permission)"
        case .launch(let launch, .send(.concern(.location(.regions(let regions))))):
            (["\(launch) has regions"] + regions.map(\.identifier)).joined(separator: " ")
        case .launch(let launch, .start(let reason)): "start \(launch) for \(reason)"
        case .launch(let launch, .thaw): "thaw \(launch)"
        case .decided(.concern(.location(.receiverOn))), .decided(.concern(.location(.receiverOff))),
            .decided(.concern(.location(.receiverEnded))):
            nil
        case .store(.concern(.location(.client(let record)))): "store \(of(record))"
        case .decided(.concern(.location(let decision))): "· \(of(decision))"
        case .decided(.app(let app, .unknown)): "· \(app) unknown"
        case .decided(.app(let app, .wakeRefused(let reason, let refusal))): "· \(app) no \(reason): \(refusal)"
        case .decided(.launch(let launch, .ignoredLate)): "· \(launch) ignored, late"
        default: nil
        }
    }

    static func of(_ record: LocationRecord) -> String {
        "\(record.app): \(record.permission)" + (record.monitorsChanges ? ", monitors" : "")
            + (record.told.map { ", told \(of($0))" } ?? "") + (record.toldAt.map { " at \($0 - start)" } ?? "")
            + record.regions.map { ", " + of($0.region.identifier, $0.isInside) }.joined()
            + (record.session.map { ", session of \($0.launch)" } ?? "")
            + (record.activity.map { ", activity of \($0.launch)\($0.state == .current ? "" : ", \($0.state)")" } ?? "")
    }

    private static func of(_ region: String, _ isInside: Bool?) -> String {
        "\(region) \(isInside.map { $0 ? "in" : "out" } ?? "?")"
    }

    private static func of(_ fix: LocationFix) -> String { "\(fix.distance(to: .north(0)))" }

    private static func of(_ call: LocationCall) -> String {
        switch call {
        case .updated(let fixes, by: let service): "\(service) " + fixes.map(of).joined(separator: " ")
        case .located(let fix?): "located \(of(fix))"
        case .located(nil): "located nowhere"
        case .failed(let failure): "failed: \(failure)"
        case .permissionChanged(let permission): "called for \(permission)"
        case .paused: "paused"
        case .resumed: "resumed"
        case .crossed(let region, let isInside): "\(isInside ? "entered" : "left") \(region)"
        case .regionStates(let states): "states " + states.map { of($0.region, $0.isInside) }.joined(separator: " ")
        }
    }

    private static func of(_ decision: LocationDecision) -> String {
        switch decision {
        case .updates(let launch, let options?):
            "\(launch) begins updates, \(options.distanceFilter)" + (options.allowsBackground ? ", in background" : "")
        case .requested(let launch, let isWanted): "\(launch) \(isWanted ? "requests" : "cancels")"
        case .located(let launch, let isKnown): "\(launch) located\(isKnown ? "" : ", unknown")"
        case .session(let launch, let isOn): "\(launch) \(isOn ? "begins" : "ends") a session"
        case .activity(let launch, let isOn): "\(launch) \(isOn ? "begins" : "ends") activity"
        case .activityRefused(let launch): "\(launch) may not begin activity"
        case .continued(let app): "\(app) continues"
        case .paused(let launch, let isPaused): "\(launch) \(isPaused ? "paused" : "resumed")"
        case .updates(let launch, nil): "\(launch) ends updates"
        case .monitoring(let launch, let isOn): "\(launch) \(isOn ? "begins" : "ends") monitoring"
        case .asked(let launch, let always): "\(launch) asks\(always ? ", always" : "")"
        case .askedInVain(let launch, let permission): "\(launch) asks in vain: \(permission)"
        case .permitted(let app, let permission): "\(app) may: \(permission)"
        case .denied(let launch): "\(launch) denied"
        case .changed(let app, by: let distance): "\(app) changed\(distance.map { " by \($0)" } ?? "")"
        case .held(let app, let refusal): "\(app) held: \(refusal)"
        case .regionMonitored(let launch, let region): "\(launch) monitors \(region.identifier), \(region.radius)"
        case .regionEnded(let launch, let region): "\(launch) ends region \(region)"
        case .regionRefused(let launch, let region): "\(launch) may not monitor \(region)"
        case .crossed(let app, let region, let isInside): "\(app) \(isInside ? "entered" : "left") \(region)"
        case .crossingHeld(let app, let refusal): "\(app) crossing held: \(refusal)"
        case .receiverOn(let app): "receiver on for \(app)"
        case .receiverOff(let app): "receiver off, was on for \(app)"
        case .receiverEnded(let app, let reason): "receiver ended for \(app): \(reason)"
        }
    }
}

extension Bench {
    /// Handles an event and the events of all helpers that follow. Returns what concerns locations.
    mutating func locates(_ event: Event) -> String {
        let count = effects.count
        _ = plays(event)
        return located(since: count)
    }

    /// Advances the clock, and meets the deadlines and acts for the helpers on the way. Returns what concerns
    /// locations.
    mutating func waits(_ span: Nanoseconds) -> String {
        let count = effects.count
        _ = passes(span)
        _ = plays()
        return located(since: count)
    }

    /// A hung helper answers one callback. Returns what concerns locations.
    mutating func answers(_ launch: LaunchID = launch(1)) -> String {
        let count = effects.count
        _ = acknowledge(launch)
        return located(since: count)
    }

    /// The effects that concern locations since the first `count` effects.
    func located(since count: Int) -> String {
        effects[count...].compactMap(LocationLines.of).joined(separator: "\n")
    }

    mutating func moves(_ north: Int64) -> String { locates(.concern(.location(.moved(.north(north))))) }

    mutating func permits(_ permission: LocationPermission, _ number: Int32 = 1) -> String {
        locates(.concern(.location(.permitted(app(number), permission))))
    }

    mutating func asks(_ request: LocationRequest, _ launch: LaunchID = launch(1)) -> String {
        locates(.app(launch, .requested(.concern(.location(request)))))
    }

    /// The stored records of locations, a line each.
    var locationsOnDisk: String { stored.concerns.locations.map(LocationLines.of).joined(separator: "\n") }

    /// A bench whose first app is active at the position 0. The user decided about the app before its launch.
    static func locating(_ permission: LocationPermission = .whenInUse, _ policy: Policy = .iOS26) -> Bench {
        var bench = Bench(policy)
        _ = bench.moves(0)
        _ = bench.permits(permission)
        _ = bench.plays(.device(.appOpened(app(1))))
        return bench
    }

    /// A bench whose first app monitors significant changes and was told the position 0 at the start. The app is
    /// suspended.
    static func monitoring(_ permission: LocationPermission = .always, _ policy: Policy = .iOS26) -> Bench {
        var bench = Bench.locating(permission, policy)
        _ = bench.asks(.setChangeMonitoring(true))
        _ = bench.plays(.device(.homePressed))
        return bench
    }
}
