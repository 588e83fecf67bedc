internal import CRoost
public import LifeCycleModel

extension Moment {
    /// The current time on Linux's three clocks.
    public static var now: Moment {
        Moment(
            awake: Nanoseconds(croost_monotonic()), elapsed: Nanoseconds(croost_boottime()),
            wall: Nanoseconds(croost_realtime()))
    }
}
