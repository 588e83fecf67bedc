import LifeCycleModel
import LifeCyclePolicy

/// Background fetch.
extension VirtualDevice {
    /// The system gives an app an opportunity to fetch, as it does of itself in time: the app is launched or woken for
    /// it, where it declares `fetch` and Background App Refresh is on.
    public func offerFetch(to app: VirtualApp) async {
        await act("it may fetch", .device(.wakeOccurred(app.id, .backgroundFetch)), of: app)
    }
}

extension CallbackName {
    /// The app has an opportunity to fetch.
    public static let performFetch = CallbackName(FetchCall.Method.performFetch)
}
