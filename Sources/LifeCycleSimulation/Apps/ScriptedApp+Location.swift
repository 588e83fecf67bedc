import AppCore
import LifeCycleModel

/// An app's use of the location, by its behavior profile.
extension ScriptedApp {
    mutating func useLocation(random: inout RandomSource, into acts: inout [Act]) {
        guard profile.locates > 0, random.chance(profile.locates, in: 100) else { return }
        let request: LocationRequest =
            switch random.below(27) {
            case 0: .requestPermission(always: random.chance(1, in: 2))
            case 1...4:
                .setUpdates(
                    StandardUpdates(
                        distanceFilter: [0, 0, 30_000, 100_000][random.below(4)],
                        allowsBackground: random.chance(5, in: 6), pausesAutomatically: random.chance(5, in: 6),
                        showsIndicator: random.chance(1, in: 3)))
            case 5: .setUpdates(nil)
            case 6: .setChangeMonitoring(false)
            case 7: .stopRegion(["home", "work"][random.below(2)])
            case 8...16:
                .monitorRegion(
                    .around(
                        [0, 0, 4][random.below(3)], named: ["home", "work"][random.below(2)],
                        notifiesOnEntry: random.chance(5, in: 6), notifiesOnExit: random.chance(5, in: 6)))
            case 17: .requestRegionStates
            case 18: .requestLocation(random.chance(3, in: 4))
            case 19...21: .setBackgroundActivity(random.chance(4, in: 5))
            default: .setChangeMonitoring(true)
            }
        acts.append(.send(.concern(.location(request))))
    }
}
