public import LifeCycleModel

/// Tells whether the device has a network at all. Used on the loop's thread only; asks for nothing while nothing changes.
public protocol LinkWatch: AnyObject {
    /// Readable when something has changed; owned by the organ.
    var descriptor: Int32 { get }

    /// Whether there is a link to somewhere else than this machine, with an address. Takes back what made the descriptor
    /// readable.
    func isConnected() -> Bool
}

/// Tells what the device's power comes from. Used on the loop's thread only; asks for nothing while nothing changes.
public protocol PowerSupplyWatch: AnyObject {
    /// Readable when something has changed; owned by the organ.
    var descriptor: Int32 { get }

    /// Where power comes from and the battery's charge, in percent; nil on a device without a battery. Takes back what
    /// made the descriptor readable.
    func state() -> (source: PowerSource, batteryLevel: Int32)?
}
