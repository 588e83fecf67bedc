import LifeCycleModel

/// Kept sockets and keep-alive handlers.
///
/// A socket that an app keeps is a real one, for example to a server that the test itself runs. While the app is
/// suspended, the device looks for data on it, or for the end of its connection, at each action and each step of time;
/// `advance(by: .zero)` is enough. An app that runs as a separate process cannot keep a socket here: its request fails
/// with `notPermitted`.
extension CallbackName {
    /// The handler that the app has set by `setKeepAliveTimeout(_:handler:)`.
    public static let keepAliveHandler = CallbackName(SocketCall.Method.keepAliveHandler)
}
