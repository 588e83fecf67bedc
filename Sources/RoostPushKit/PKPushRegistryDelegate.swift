public import Foundation

/// The object that a registry calls about tokens and pushes.
@preconcurrency @MainActor public protocol PKPushRegistryDelegate: NSObjectProtocol {
    /// The registry has a token. Called in each launch, also if the token is the same as before.
    func pushRegistry(
        _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType)
    /// A token is not valid any longer. Never called on Roost.
    func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType)
    /// A push has arrived. Since iOS 13 the app has to report a call before this method returns. In the
    /// background the app runs until it calls the completion handler, and at most for 30 s.
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping () -> Void)
    /// The method before iOS 11, called if the delegate does not implement the one with the completion handler.
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType)
}

// Swift on Linux has no optional protocol methods: these defaults replace them.
extension PKPushRegistryDelegate {
    /// Does nothing.
    public func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {}
    /// Calls the method before iOS 11.
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        pushRegistry(registry, didReceiveIncomingPushWith: payload, for: type)
        completion()
    }
    /// Does nothing.
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType
    ) {}
}
