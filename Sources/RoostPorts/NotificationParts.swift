public import LifeCycleModel

/// The rules of time zones. Used on the loop's thread only. Does not poll.
public protocol ZoneWatch: AnyObject {
    /// Readable when the device's own zone may have changed. Owned by the adapter. Nil if changes cannot be watched.
    var descriptor: Int32? { get }

    /// The device's own zone. Clears the readable state of the descriptor.
    func localZone() -> (name: String, rules: ZoneRules)

    /// The rules to compute fire dates in a zone; nil if the device does not know the name.
    func rules(of name: String) -> ZoneRules?
}
