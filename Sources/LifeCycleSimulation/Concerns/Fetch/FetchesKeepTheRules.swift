import LifeCycleModel
import LifeCyclePolicy

/// An app does not fetch more often than it requested, nor after its budget for the day is spent. The policy limits how
/// many apps fetch at once. No app fetches while the network, the battery or the user's settings forbid it (R-89,
///
struct FetchesKeepTheRules: Invariant {
    static let name = "fetches keep the rules"

    /// The interval that each app requested. This and the following tables are for look-up only, so the order does not
    /// matter.
    private var intervals: [AppID: Nanoseconds] = [:]
    /// When each app was last given an opportunity, on the wall clock.
    private var offered: [AppID: Nanoseconds] = [:]
    /// The apps whose fetch budget for the day is spent, and until when, on the wall clock.
    private var spent: [AppID: Nanoseconds] = [:]
    private var underWay: Set<AppID> = []
    private var settings = DeviceSettings()
    private var isConnected = true

    init() {}

    init(_ device: Device) {
        settings = device.record.settings
        isConnected = device.isConnected
    }

    mutating func check(_ turn: Observation) -> String? {
        switch turn.event {
        case .device(.settingChanged(let setting)): settings = settings.changed(by: setting)
        case .device(.networkChanged(let connected)): isConnected = connected
        case .device(.clockWasSet), .device(.clockStepped): (offered, spent) = ([:], [:])
        default: break
        }
        for effect in turn.effects {
            switch effect {
            case .decided(.launch(let launch, .eventHandled(.backgroundFetch, _, _))): underWay.remove(launch.app)
            case .decided(.launch(let launch, .ended(_, _))), .decided(.launch(let launch, .terminating(_, _))),
                .launch(let launch, .kill(_)),
                .launch(let launch, .requestExit),
                .launch(let launch, .send(.callback(_, .willEnterForeground))):
                underWay.remove(launch.app)
            // The system does not wait for the handler of a foreground app.
            case .launch(let launch, .send(.callback(_, .concern(.fetch(.performFetch))))):
                if turn.snapshots.contains(where: { $0.launch == launch && $0.state.isForeground }) {
                    underWay.remove(launch.app)
                }
            case .store(.concern(.fetch(.client(let record)))):
                intervals[record.app] = record.minimumInterval
            case .store(.concern(.fetch(.removed(let app)))), .store(.appRemoved(let app)):
                (intervals[app], spent[app]) = (nil, nil)
            case .decided(.concern(.fetch(.spent(let app, let until)))): spent[app] = until
            default: break
            }
        }
        return checkOffers(turn.effects, policy: turn.policy, wall: turn.moment.wall)
    }

    private mutating func checkOffers(_ effects: [Effect], policy: Policy, wall: Nanoseconds) -> String? {
        for case .decided(.concern(.fetch(.offered(let app, _)))) in effects {
            if settings.network == .none || !isConnected { return "\(app) is to fetch, and there is no network" }
            if settings.lowPowerMode { return "\(app) is to fetch in Low Power Mode" }
            if settings.power == .battery, settings.batteryLevel < 20 { return "\(app) is to fetch on a low battery" }
            if settings.lowDataMode { return "\(app) is to fetch in Low Data Mode" }
            guard let interval = intervals[app] else { return "\(app) is to fetch, and has not asked for it" }
            if let last = offered[app], wall >= last,
                wall - last < max(policy.fetchInterval, interval)
            {
                return "\(app) is to fetch \(wall - last) after it last did"
            }
            if let until = spent[app], wall < until { return "\(app) is to fetch, and has spent the time for a day" }
            offered[app] = wall
            underWay.insert(app)
            if underWay.count > policy.fetchesAtOnce { return "\(underWay.count) apps are at a fetch at once" }
        }
        return nil
    }

    /// The pending fetches continue, but the system no longer knows them.
    mutating func systemRestarted() { underWay = [] }
}
