internal import LifeCycleModel
internal import RoostHelpers

/// The supervisor's side of one `roost-gps` process. A message that no honest process sends ends it.
struct GPSLink: ~Copyable {
    /// A rate limit on positions. An honest process sends ten a second.
    private struct Budget {
        private static let perSecond: Int64 = 20
        /// The largest backlog, for positions that the supervisor had no time to read.
        private static let most: Int64 = 1200
        private var left = perSecond
        private var asOf: Nanoseconds

        init(at now: Nanoseconds) { asOf = now }

        mutating func take(at now: Nanoseconds) throws(Malformed) {
            let gained = (now - asOf).rawValue / (1_000_000_000 / Self.perSecond)
            if gained > 0 {
                left = min(Self.most, left + gained)
                asOf = now
            }
            guard left > 0 else { throw Malformed() }
            left -= 1
        }
    }

    /// The number by which the starter knows the process.
    let number: Int64
    private var channel: HelperChannel
    private var budget: Budget

    /// Sends the settings to a process that was started at `now`, on CLOCK_MONOTONIC.
    init(number: Int64, taking descriptor: Int32, _ settings: GPSSettings, at now: Nanoseconds) {
        self.number = number
        budget = Budget(at: now)
        channel = HelperChannel(taking: descriptor, longest: GPSWord.longest)
        channel.send(settings.frame)
    }

    var descriptor: Int32 { channel.descriptor }

    /// Reads the process's messages. Returns why it has ended, or has to be ended; nil while it runs.
    mutating func look(at now: Nanoseconds, into positions: inout [LocationFix]) -> String? {
        let look = channel.receive()
        do throws(Malformed) {
            while let bytes = try channel.next() {
                switch try GPSWord(bytes) {
                case .position(let fix):
                    try budget.take(at: now)
                    positions.append(fix)
                case .gaveUp(let reason): return reason
                }
            }
        } catch {
            return "roost-gps, the process that reads gpsd, sent an invalid message"
        }
        return look == .open ? nil : "roost-gps, the process that reads gpsd, ended unexpectedly"
    }
}
