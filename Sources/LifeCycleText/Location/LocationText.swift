import LifeCycleModel
import LifeCyclePolicy

/// Decisions about locations as sentences.
extension LocationDecision: ReasonText {
    static var kind: String { "location" }

    var launch: LaunchID? {
        switch self {
        case .updates(let launch, _), .requested(let launch, _), .located(let launch, _), .session(let launch, _),
            .activity(let launch, _), .activityRefused(let launch), .paused(let launch, _), .monitoring(let launch, _),
            .asked(let launch, _), .askedInVain(let launch, _), .denied(let launch), .regionMonitored(let launch, _),
            .regionEnded(let launch, _), .regionRefused(let launch, _):
            launch
        default: nil
        }
    }

    var rule: String? {
        switch self {
        case .updates, .requested, .located: "R-135"
        case .session: "R-136"
        case .activity, .activityRefused, .continued: "R-149"
        case .paused: "R-140"
        case .monitoring, .changed: "R-141"
        case .asked, .askedInVain, .permitted: "R-132"
        case .denied: "R-134"
        case .held(_, let refusal), .crossingHeld(_, let refusal): DecisionText.rule(refusal)
        case .regionMonitored, .regionEnded, .regionRefused: "R-144"
        case .crossed: "R-145"
        case .receiverOn, .receiverOff, .receiverEnded: "R-151"
        }
    }

    func text(at now: Moment) -> String {
        switch self {
        case .updates(_, nil): "ends its location updates"
        case .updates(_, let options?): Self.text(options)
        case .requested(_, true): "requests the location once"
        case .requested(_, false): "no longer waits for the location that it requested"
        case .located(_, isKnown: true): "is told the location that it requested"
        case .located(_, isKnown: false): "is told that the location that it requested is not known"
        case .session(_, true): "continues its location updates in the background: it is not suspended"
        case .session(_, false): "is no longer kept running by its location updates"
        case .activity(_, true): "begins a background activity session: it stays in use in the background"
        case .activity(_, false): "no longer has a background activity session"
        case .activityRefused:
            "may not begin a background activity session: it is not in the foreground, or the user forbids it the location"
        case .continued: "is launched again for its background activity session: the location is known"
        case .paused(_, true): "has its location updates paused: the position has not changed for long"
        case .paused(_, false): "has its location updates again after the pause"
        case .monitoring(_, true): "monitors significant changes of the location"
        case .monitoring(_, false): "no longer monitors significant changes of the location"
        case .asked(_, always: false): "asks the user for the location while in use"
        case .asked(_, always: true): "asks the user for the location at all times"
        case .askedInVain(_, let permission):
            "asks the user for the location: ignored, because \(Self.text(permission))"
        case .permitted(_, let permission): Self.text(permission)
        case .denied: "is told that it may not use the location: the user forbids it"
        case .changed(_, nil): "is told the location: the first since it monitors significant changes"
        case .changed(_, let distance?): "is told the location: it has changed by \(Self.length(distance))"
        case .held(_, let refusal):
            "is not yet told of a significant change of the location: \(DecisionText.text(refusal))"
        case .regionMonitored(_, let region):
            "monitors the region \"\(region.identifier.prefix(80))\" with a radius of \(Self.length(region.radius))"
        case .regionEnded(_, let identifier): "no longer monitors the region \"\(identifier.prefix(80))\""
        case .regionRefused(_, let identifier):
            "may not monitor the region \"\(identifier.prefix(80))\": it has \(LocationRegion.most) already, or the user "
                + "forbids it the location"
        case .crossed(_, let identifier, isInside: true):
            "is told that the device has entered the region \"\(identifier.prefix(80))\""
        case .crossed(_, let identifier, isInside: false):
            "is told that the device has left the region \"\(identifier.prefix(80))\""
        case .crossingHeld(_, let refusal):
            "is not yet told that the device has entered or left a region: \(DecisionText.text(refusal))"
        case .receiverOn: "needs a position: the receiver is switched on"
        case .receiverOff: "needs no position now: the receiver is switched off"
        case .receiverEnded(_, let reason): "needs a position, but the source of positions ended: \(reason)"
        }
    }

    private static func text(_ options: StandardUpdates) -> String {
        (options.distanceFilter == 0
            ? "asks for all location updates" : "asks for a location update at every \(length(options.distanceFilter))")
            + (options.allowsBackground ? ", also in the background" : "")
    }

    /// The user's decision.
    private static func text(_ permission: LocationPermission) -> String {
        switch permission {
        case .ask: "the user has not decided about its location"
        case .deny: "the user forbids it the location"
        case .whenInUse: "the user allows it the location while in use"
        case .always: "the user always allows it the location"
        }
    }

    /// A length in centimetres, rounded down: up to a kilometre as `2 m` or `2.05 m`, then as `1.2 km`.
    private static func length(_ centimetres: Int64) -> String {
        func number(_ count: Int64, _ unit: Int64) -> String {
            let (whole, rest) = count.quotientAndRemainder(dividingBy: unit)
            var digits = "\(unit + rest)".dropFirst()
            while digits.last == "0" { digits.removeLast() }
            return digits.isEmpty ? "\(whole)" : "\(whole).\(digits)"
        }
        return centimetres < 100_000
            ? "\(number(centimetres, 100)) m" : "\(number(centimetres / 10_000, 10)) km"
    }
}
