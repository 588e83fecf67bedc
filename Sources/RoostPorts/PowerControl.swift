/// Keeps the device from going to sleep. Used on the loop's thread only.
public protocol PowerControl: AnyObject {
    /// Holds or releases the wake lock. Throws if the kernel has no wake locks.
    func keepAwake(_ isKept: Bool) throws(SystemError)
}
