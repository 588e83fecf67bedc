public import LifeCycleModel

/// The device's receiver of positions. Used on the loop's thread only. Does not poll.
public protocol LocationSource: AnyObject {
    /// Readable when `takeReports` has something to return. Owned by the adapter, and the same for its whole life.
    var descriptor: Int32 { get }

    /// Switches the receiver on or off. While it is off, no process and no connection exist. Switching it off also drops
    /// the reports that were not taken.
    func setReceiver(_ isOn: Bool)

    /// New positions and the end of the source, oldest first.
    func takeReports() -> [LocationInput]
}
