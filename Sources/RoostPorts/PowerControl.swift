/// What keeps the device from going to sleep. Used on the loop's thread only.
public protocol PowerControl: AnyObject {
    /// Keeps the device awake from now on, or lets it sleep. Throws where the kernel offers no way.
    func keepAwake(_ isKept: Bool) throws(SystemError)
}
