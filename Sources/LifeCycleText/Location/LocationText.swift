import LifeCycleModel
import LifeCyclePolicy

/// Decisions about locations as sentences.
extension LocationDecision: ReasonText {
    static var kind: String { "location" }

    var launch: LaunchID? {
        switch self {
        case .updates(let launch, _), .session(let launch, _), .paused(let launch, _), .monitoring(let launch, _),
            .asked(let launch, _), .askedInVain(let launch, _), .denied(let launch):
            launch
        case .permitted, .changed, .held, .receiverOn, .receiverOff, .receiverEnded: nil
        }
    }

    var rule: String? {
        switch self {
        case .updates: "R-135"
        case .session: "R-136"
        case .paused: "R-140"
        case .monitoring, .changed: "R-141"
        case .asked, .askedInVain, .permitted: "R-132"
        case .denied: "R-134"
        case .held(_, let refusal): DecisionText.rule(refusal)
        case .receiverOn, .receiverOff, .receiverEnded: "R-151"
        }
    }

    func text(at now: Moment) -> String {
        switch self {
        case .updates(_, nil): "ends its location updates"
        case .updates(_, let options?): Self.text(options)
        case .session(_, true): "continues its location updates in the background: it is not suspended"
        case .session(_, false): "is no longer kept running by its location updates"
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
