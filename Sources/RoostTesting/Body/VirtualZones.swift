import Foundation
import LifeCycleModel

/// Time zones of the virtual device, from Foundation's time-zone data on this machine.
enum VirtualZones {
    /// The end of the computed transitions, in 2100: no test runs longer.
    private static let end = Date(timeIntervalSince1970: 4_102_444_800)

    /// From Foundation's time zones, up to the year 2100. Nil if Foundation does not know the name.
    static func rules(of name: String) -> ZoneRules? {
        guard let zone = TimeZone(identifier: name) else { return nil }
        func offset(_ date: Date) -> Int32 { Int32(clamping: zone.secondsFromGMT(for: date)) }
        let begin = Date(timeIntervalSince1970: 0)
        var transitions: [ZoneRules.Transition] = []
        var date = begin
        while let next = zone.nextDaylightSavingTimeTransition(after: date), next > date, next < end {
            transitions.append(
                ZoneRules.Transition(at: Int64(next.timeIntervalSince1970.rounded(.up)), offset: offset(next)))
            date = next
        }
        return ZoneRules(
            first: offset(begin), transitions: transitions, footer: ZoneFooter(standard: offset(end)))
    }
}
