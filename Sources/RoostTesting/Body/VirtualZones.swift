import Foundation
import LifeCycleModel

/// Time zones on the virtual device: Foundation knows them, as the machine has them.
enum VirtualZones {
    /// A century of a zone's changes: no test goes on for longer.
    private static let end = Date(timeIntervalSince1970: 4_102_444_800)

    /// Nil where there is no zone of the name.
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
