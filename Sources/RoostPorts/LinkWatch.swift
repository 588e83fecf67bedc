public import LifeCycleModel

/// Whether the device is connected to a network. Used on the loop's thread only. Does not poll.
public protocol LinkWatch: AnyObject {
    /// Readable after a change. Owned by the adapter.
    var descriptor: Int32 { get }

    /// Whether a link other than loopback is up and has an address. Clears the readable state of the descriptor.
    func isConnected() -> Bool
}

/// The device's power source and battery. Used on the loop's thread only. Does not poll.
public protocol PowerSupplyWatch: AnyObject {
    /// Readable after a change. Owned by the adapter.
    var descriptor: Int32 { get }

    /// The power source, and the battery's charge in percent; nil on a device without a battery. Clears the readable
    /// state of the descriptor.
    func state() -> (source: PowerSource, batteryLevel: Int32)?
}
