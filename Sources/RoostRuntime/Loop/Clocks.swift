internal import CRoost
public import LifeCycleModel

extension Moment {
    /// This instant, as Linux's three clocks read it.
    public static var now: Moment {
        Moment(
            awake: Nanoseconds(croost_monotonic()), elapsed: Nanoseconds(croost_boottime()),
            wall: Nanoseconds(croost_realtime()))
    }
}
