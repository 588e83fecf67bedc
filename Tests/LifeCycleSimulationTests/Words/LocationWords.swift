import LifeCycleModel

@testable import LifeCycleSimulation

/// Standard updates begin before the position is known.
private let updates: [SearchStep] =
    Way.active + [.concern(one, .allowLocation), .acknowledge(one), .concern(one, .updateLocation)]
private let moved = updates + [.acknowledge(one), .concern(one, .move)]
/// The updates continue in the background, and the position does not change for long.
private let pausedUpdates =
    moved + [.acknowledge(one), .home, .acknowledge(one), .acknowledge(one), .deadline]
private let resumedUpdates = pausedUpdates + [.acknowledge(one), .open(one), .acknowledge(one), .acknowledge(one)]

private let positionRequested =
    Way.active + [
        .concern(one, .allowLocation), .acknowledge(one), .concern(one, .move), .concern(one, .requestLocation),
    ]

/// The device leaves a region, and the time passes.
private let crossedRegion =
    Way.active + [
        .concern(one, .allowLocation), .acknowledge(one), .concern(one, .move), .concern(one, .monitorRegion),
        .concern(one, .move), .deadline,
    ]

extension SimulatedLocation: ConcernWithWays {
    static var words: [Word] { LocationRequest.words + LocationInput.words + LocationCall.words }
}

extension LocationRequest: HasWays {
    static let first = LocationRequest.setUpdates(nil)

    var step: (way: Way, next: LocationRequest?) {
        switch self {
        case .setUpdates: (.location(.updateLocation), .requestLocation(true))
        case .requestLocation: (.location(.requestLocation), .setChangeMonitoring(true))
        case .setChangeMonitoring: (.location(.monitorChanges), .monitorRegion(.sample))
        case .monitorRegion: (.location(.monitorRegion), .stopRegion(""))
        case .stopRegion: (.none("The explorer's apps do it: it is the start, backwards."), .requestRegionStates)
        case .requestRegionStates:
            (.none("The explorer's apps do it: only an answer follows."), .setBackgroundActivity(true))
        case .setBackgroundActivity: (.location(.beginActivity), .requestPermission(always: true))
        case .requestPermission: (.none("Only a decision follows: Roost shows no dialog."), nil)
        }
    }
}

extension LocationInput: HasWays {
    static let first = LocationInput.permitted(one, .always)

    var step: (way: Way, next: LocationInput?) {
        switch self {
        case .permitted: (.location(.allowLocation), .moved(.place(0, at: .zero)))
        case .moved: (.location(.move), .receiverEnded(""))
        case .receiverEnded: (.location(.loseReceiver), nil)
        }
    }
}

extension LocationCall: HasWays {
    static let first = LocationCall.updated([], by: .updates)

    var step: (way: Way, next: LocationCall?) {
        switch self {
        case .updated: (.searchSteps("fetch with location", moved), .located(nil))
        case .located: (.searchSteps("fetch with location", positionRequested), .failed(.denied))
        case .failed: (.searchSteps("fetch with location", updates), .permissionChanged(.always))
        case .permissionChanged: (.location(.allowLocation), .paused)
        case .paused: (.searchSteps("fetch with location", pausedUpdates), .resumed)
        case .resumed: (.searchSteps("fetch with location", resumedUpdates), .crossed("", isInside: true))
        case .crossed: (.searchSteps("fetch with location", crossedRegion), .regionStates([]))
        case .regionStates: (.none("The answer to a request without a step."), nil)
        }
    }
}
