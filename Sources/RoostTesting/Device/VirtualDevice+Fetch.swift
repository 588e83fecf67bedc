import LifeCycleModel
import LifeCyclePolicy

/// Background fetch.
extension VirtualDevice {
    /// The system offers an app a background fetch. Over time it also does so without this call. The app is
    /// launched or woken, provided that it declares `fetch` and Background App Refresh is on.
    public func offerFetch(to app: VirtualApp) async {
        await act("it may fetch", .device(.wakeOccurred(app.id, .backgroundFetch)), of: app)
    }
}

extension CallbackName {
    /// The app may fetch.
    public static let performFetch = CallbackName(FetchCall.Method.performFetch)
}
