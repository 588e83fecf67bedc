import LifeCycleModel

/// Calls of keep-alive handlers.
extension CallbackName {
    /// The handler that the app has set by `setKeepAliveTimeout(_:handler:)`.
    public static let keepAliveHandler = CallbackName(SocketCall.Method.keepAliveHandler)
}
