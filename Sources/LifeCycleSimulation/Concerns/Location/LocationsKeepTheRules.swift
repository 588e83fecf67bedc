import LifeCycleModel
import LifeCyclePolicy

/// An app learns no location that the user does not allow it. It receives updates only while it is in use, unless it is
/// allowed them always. Significant changes are far apart in space and time (R-133, R-135, R-141, R-145).
struct LocationsKeepTheRules: Invariant {
    static let name = "locations keep the rules"

    // For look-up only, so the order does not matter.
    private var records: [AppID: LocationRecord] = [:]
    /// The last change that each app was told, and when, on the awake clock.
    private var told: [AppID: (fix: LocationFix, at: Nanoseconds)] = [:]
    private var newest: LocationFix?

    init() {}
    init(_ device: Device) { for record in device.locationRecords { records[record.app] = record } }

    mutating func check(_ turn: Observation) -> String? {
        switch turn.event {
        case .concern(.location(.moved(let fix))): newest = fix
        case .device(.clockWasSet), .device(.clockStepped): told = [:]
        default: break
        }
        for effect in turn.effects {
            switch effect {
            case .store(.concern(.location(.client(let record)))):
                records[record.app] = record
                if record.told == nil { told[record.app] = nil }
            case .store(.appRemoved(let app)): (records[app], told[app]) = (nil, nil)
            case .decided(.concern(.location(.changed(let app, let distance)))):
                if let finding = change(of: app, isFirst: distance == nil, turn) { return finding }
            case .decided(.concern(.location(.crossed(let app, let region, let isInside)))):
                if let finding = crossing(of: app, region, isInside: isInside, turn) { return finding }
            case .launch(let launch, .send(.callback(_, .concern(.location(.crossed(let region, _)))))):
                guard records[launch.app]?.permission.allowsUse == true else {
                    return "\(launch) is told of \(region), and is not allowed its location"
                }
            case .launch(let launch, .send(.callback(_, .concern(.location(.updated(let fixes, _)))))):
                guard records[launch.app]?.permission.allowsUse == true else {
                    return "\(launch) is told its location, and is not allowed it"
                }
                if fixes.isEmpty { return "\(launch) is told of no location" }
                guard Int64(fixes.count) <= turn.policy.locationQueue else {
                    return "\(launch) is told of \(fixes.count) locations"
                }
            case .launch(let launch, .send(.callback(_, .concern(.location(.located(.some)))))):
                guard records[launch.app]?.permission.allowsUse == true else {
                    return "\(launch) is told a location that it requested, and is not allowed it"
                }
            default: break
            }
        }
        return nil
    }

    private mutating func change(of app: AppID, isFirst: Bool, _ turn: Observation) -> String? {
        guard let newest else { return "\(app) is told of a change, and there is no location" }
        guard let record = records[app], record.permission.allowsUse else {
            return "\(app) is told of a change, and is not allowed it"
        }
        if let last = told[app] {
            let distance = last.fix.distance(to: newest)
            if distance < turn.policy.significantDistance { return "\(app) is told of a change of \(distance) cm" }
            if turn.moment.awake - last.at > turn.policy.significantPause { told[app] = nil }
        }
        told[app] = (newest, turn.moment.awake)
        // The app may still be on its way to the foreground.
        let isInUse =
            turn.foregroundApp == app || turn.snapshots.contains { $0.record.app == app && $0.state.isForeground }
        let isWoken = turn.effects.contains { effect in
            switch effect {
            case .decided(.launch(let launch, .launched(.locationMonitoring))),
                .decided(.launch(let launch, .woken(.locationMonitoring))):
                launch.app == app
            default: false
            }
        }
        // A wake by hand may come together with the change.
        if record.permission == .whenInUse, record.activity == nil, isWoken, !isWokenByHand(app, turn) {
            return "\(app) is woken, and is allowed the location in use only"
        }
        // The first change of a running app needs no wake.
        let runs = turn.snapshots.contains { $0.record.app == app && $0.launch != nil && $0.state != .suspended }
        return isInUse || isWoken || isFirst && runs ? nil : "\(app) is told of a change, and does not run"
    }

    private func isWokenByHand(_ app: AppID, _ turn: Observation) -> Bool {
        if case .device(.wakeOccurred(app, .locationMonitoring, _)) = turn.event { true } else { false }
    }

    private func crossing(of app: AppID, _ region: String, isInside: Bool, _ turn: Observation) -> String? {
        let name = "\(app) is told that it has \(isInside ? "entered" : "left") \(region)"
        guard let newest else { return name + ", and there is no location" }
        guard let record = records[app], record.permission.allowsUse else { return name + ", and is not allowed it" }
        guard let monitored = record.regions.first(where: { $0.region.identifier == region }) else {
            return name + ", and does not monitor it"
        }
        let edge = max(monitored.region.radius, turn.policy.regionFloor)
        let isNear = monitored.region.distance(to: newest) < edge
        return isNear == isInside && monitored.isInside == isInside ? nil : name + ", and that is wrong"
    }

    /// Without a restart the position is known.
    mutating func systemRestarted() { newest = nil }
}
