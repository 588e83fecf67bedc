import LifeCycleModel

/// The wall clock as far as the system can tell. It is read again when the device slept, the clock was set, or the system
/// started; clocks that run alike may differ by a tenth of a second without that.
struct ReferenceClocks: Hashable, Sendable, Encodable {
    private static let play = Nanoseconds.milliseconds(100)

    private var isRead = false
    /// How long the device has slept, as far as is known.
    private(set) var sleep = Nanoseconds.zero
    private(set) var wallAhead = Nanoseconds.zero

    /// Reads the clocks at an event. Returns whether that was news.
    mutating func read(_ moment: Moment, isOtherBoot: Bool) -> Bool {
        let (newSleep, newWall) = (moment.elapsed - moment.awake, moment.wall - moment.awake)
        let isSet = Self.isFar((newWall - newSleep) - (wallAhead - sleep))
        guard !isRead || isOtherBoot || isSet || Self.isFar(newSleep - sleep) else { return false }
        (isRead, sleep, wallAhead) = (true, newSleep, newWall)
        return true
    }

    private static func isFar(_ difference: Nanoseconds) -> Bool { difference > play || difference < .zero - play }
}
