public import LifeCycleModel
import LifeCyclePolicy

/// The device's location, and the user's decisions about it.
extension VirtualDevice {
    /// The device has moved to a place: latitude and longitude in degrees, accuracy in meters. Returns false if there
    /// is no such place.
    ///
    /// Significant changes come at a distance of at least 500 m, and at most every 5 minutes of the device's clock.
    @discardableResult public func move(
        to latitude: Double, longitude: Double, accuracy: Double = 10
    ) async -> Bool {
        guard let fix = Self.fix(latitude, longitude, accuracy, at: body.now.wall) else { return false }
        await act("the device moves to \(latitude), \(longitude)", .concern(.location(.moved(fix))))
        return true
    }

    /// The user decides about an app's access to the location; a new app has `.ask`. The app's request for a permission
    /// shows no dialog, so that a test calls this instead of the user.
    public func setLocationPermission(of app: VirtualApp, to permission: LocationPermission) async {
        let decision =
            switch permission {
            case .ask: "undecided"
            case .deny: "never allowed"
            case .whenInUse: "allowed in use"
            case .always: "always allowed"
            }
        await act("the location is \(decision)", .concern(.location(.permitted(app.id, permission))), of: app)
    }

    private static func fix(
        _ latitude: Double, _ longitude: Double, _ accuracy: Double, at time: Nanoseconds
    ) -> LocationFix? {
        let degree = Double(LocationFix.degree)
        guard let north = Int32(exactly: (latitude * degree).rounded()),
            let east = Int32(exactly: (longitude * degree).rounded()),
            let radius = Int32(exactly: (accuracy * 100).rounded())
        else { return nil }
        return LocationFix(latitude: north, longitude: east, accuracy: radius, time: time)
    }
}

extension CallbackName {
    /// New positions for location managers.
    public static let didUpdateLocations = CallbackName(LocationCall.Method.didUpdateLocations)
    /// Location managers get no position.
    public static let didFailWithError = CallbackName(LocationCall.Method.didFailWithError)
    /// The system has paused an app's location updates.
    public static let didPauseLocationUpdates = CallbackName(LocationCall.Method.didPauseLocationUpdates)
    /// An app's location updates continue after a pause.
    public static let didResumeLocationUpdates = CallbackName(LocationCall.Method.didResumeLocationUpdates)
    /// The device has entered a region that an app monitors.
    public static let didEnterRegion = CallbackName(LocationCall.Method.didEnterRegion)
    /// The device has left a region that an app monitors.
    public static let didExitRegion = CallbackName(LocationCall.Method.didExitRegion)
    /// An app is told the states of its regions, because it asked for them.
    public static let didDetermineState = CallbackName(LocationCall.Method.didDetermineState)
    /// The user has changed the app's access to the location.
    public static let didChangeAuthorization = CallbackName(LocationCall.Method.didChangeAuthorization)
}
