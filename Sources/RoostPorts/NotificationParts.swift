public import LifeCycleModel

/// Tells what the clocks of time zones show. Used on the loop's thread only; asks for nothing while nothing changes.
public protocol ZoneWatch: AnyObject {
    /// Readable when the device's own zone may be another one; owned by the organ. Nil where nothing tells.
    var descriptor: Int32? { get }

    /// The device's own zone. Takes back what made the descriptor readable.
    func localZone() -> (name: String, rules: ZoneRules)

    /// The rules of the zone of this name; nil where there is none.
    func rules(of name: String) -> ZoneRules?
}
