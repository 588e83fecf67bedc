public import Foundation
import LifeCycleModel

/// The object that a location manager tells what happens. All methods are optional.
@preconcurrency @MainActor public protocol CLLocationManagerDelegate: NSObjectProtocol {
    /// New positions, oldest first.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
    /// The app gets no position; the error is a `CLError`. After `.locationUnknown` the updates continue; `.denied`
    /// ends all services of the app.
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
    /// The manager has its first delegate, or the user has changed the app's permission.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
    /// The method before iOS 14, called if the delegate does not implement `locationManagerDidChangeAuthorization(_:)`.
    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
    /// The system has paused the standard updates, because the position has not changed for long. The app may be
    /// suspended now.
    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
    /// The standard updates continue after a pause.
    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)
    /// The region is monitored from now on.
    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
    /// The region is not monitored; the error is a `CLError`.
    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
    /// The device has entered a monitored region.
    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
    /// The device has left a monitored region.
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
    /// The answer to `requestState(for:)`; also called at each crossing.
    func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
}

// Swift on Linux has no optional protocol methods: these defaults replace them.
extension CLLocationManagerDelegate {
    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
    /// Calls the method before iOS 14.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
    }
    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
    ) {}
    /// Does nothing.
    public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}
    /// Does nothing.
    public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {}
    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {}
    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) {}
    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {}
    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}
    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {}
}

/// The user's decision about an app; raw values are Apple's.
public enum CLAuthorizationStatus: Int32, Sendable {
    case notDetermined = 0
    /// Never on Roost.
    case restricted = 1
    case denied = 2
    case authorizedAlways = 3
    case authorizedWhenInUse = 4
}

extension CLAuthorizationStatus {
    init(_ permission: LocationPermission) {
        self =
            switch permission {
            case .ask: .notDetermined
            case .deny: .denied
            case .whenInUse: .authorizedWhenInUse
            case .always: .authorizedAlways
            }
    }
}

/// The domain of `CLError`.
public let kCLErrorDomain = "kCLErrorDomain"

/// The reason why an app gets no position.
public struct CLError: CustomNSError, Hashable, Sendable {
    /// The kinds of errors; raw values are Apple's.
    public enum Code: Int, Sendable {
        /// The position is not known now.
        case locationUnknown = 0
        /// The user does not allow it.
        case denied = 1
        /// The user does not allow the app to monitor regions.
        case regionMonitoringDenied = 4
        /// The app has too many regions, or this one cannot be monitored.
        case regionMonitoringFailure = 5

        /// Whether an error is of this kind, as in `catch CLError.denied`.
        public static func ~= (code: Code, error: any Error) -> Bool { (error as? CLError)?.code == code }
    }

    /// The position is not known now.
    public static var locationUnknown: Code { .locationUnknown }
    /// The user does not allow it.
    public static var denied: Code { .denied }
    /// The user does not allow the app to monitor regions.
    public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
    /// The app has too many regions, or this one cannot be monitored.
    public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
    /// The domain of the error's `NSError`.
    public static var errorDomain: String { kCLErrorDomain }

    /// The kind of the error.
    public let code: Code

    /// Creates an error of a kind.
    public init(_ code: Code) { self.code = code }

    init(failure: LocationFailure) {
        code =
            switch failure {
            case .unknown: .locationUnknown
            case .denied: .denied
            }
    }

    /// The raw value of `code`.
    public var errorCode: Int { code.rawValue }
}
