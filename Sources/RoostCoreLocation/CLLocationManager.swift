import AppCore
public import Foundation
import LifeCycleModel
import RoostKit

/// An app's access to the location.
///
/// The delegate is called on the main thread. An app may have several managers; each receives the services that it has
/// started itself.
///
/// Standard updates, requests for one position, significant changes, circular regions, live updates and background activity
/// sessions exist, and nothing else of Core Location: no visits, headings, beacons, `CLMonitor` and geocoding.
@preconcurrency @MainActor open class CLLocationManager: NSObject, LocationCallReceiver {
    /// The object that is told of locations. The first delegate of a manager is told of the permission once, soon.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        didSet { if delegate != nil { app.locating { [id] core, _ in core.introduceLocationManager(id) } } }
    }

    /// The least distance in meters between two standard updates; `kCLDistanceFilterNone` for all of them.
    open var distanceFilter: CLLocationDistance = kCLDistanceFilterNone {
        didSet { if distanceFilter != oldValue { optionsChanged() } }
    }

    /// Whether the updates continue in the background and keep the app running. Without the mode `location` in
    /// `UIBackgroundModes`, setting it to true ends the app with a fatal error. With the permission `whenInUse`, the
    /// updates must have begun in the foreground. On an iOS 4 or iOS 7 device it has no effect: with the mode, each
    /// update wakes the app.
    open var allowsBackgroundLocationUpdates = false {
        didSet {
            let refusal = LocationBackground.refusal(modes: AppRunner.backgroundModes)
            if allowsBackgroundLocationUpdates, let refusal {
                // As on iOS: without the mode, the author of the app would otherwise wait for updates that never come.
                fatalError(refusal)
            }
            if allowsBackgroundLocationUpdates != oldValue { optionsChanged() }
        }
    }

    /// Whether the system may pause the updates in the background while the position does not change. They
    /// continue when the app is in the foreground again, or starts them again.
    open var pausesLocationUpdatesAutomatically = true {
        didSet { if pausesLocationUpdatesAutomatically != oldValue { optionsChanged() } }
    }

    /// Whether the indicator is shown while the updates continue in the background; with the permission `whenInUse` it
    /// always is.
    open var showsBackgroundLocationIndicator = false {
        didSet { if showsBackgroundLocationIndicator != oldValue { optionsChanged() } }
    }

    /// The accuracy that the app needs. It has no effect: the system has one source of positions.
    open var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest

    /// The number of the manager in the app's core.
    nonisolated let id: LocationManagerID
    nonisolated let app: AppSession
    /// The regions whose start waits for an answer, by identifier.
    var startedRegions: [String: CLRegion] = [:]

    public override init() {
        let app = AppSession.current
        self.app = app
        id = app.locating { core, _ in core.addLocationManager() }
        super.init()
        LocationCalls.of(app)?.add(self, id)
    }

    deinit { app.locating { [id] core, steps in core.removeLocationManager(id, into: &steps) } }

    // MARK: Permission

    /// The user's decision about the app.
    open var authorizationStatus: CLAuthorizationStatus {
        CLAuthorizationStatus(app.readingLocation(\.locationPermission))
    }

    /// The user's decision about the app; the property of the same name replaces it in iOS 14.
    public class func authorizationStatus() -> CLAuthorizationStatus {
        CLAuthorizationStatus(AppSession.current.readingLocation(\.locationPermission))
    }

    /// Asks the user for the location while the app is in use. `NSLocationWhenInUseUsageDescription` in `Info.plist`
    /// has to tell the reason; otherwise nothing happens.
    open func requestWhenInUseAuthorization() { request(always: false, "requestWhenInUseAuthorization()") }

    /// Asks the user for the location at any time. `Info.plist` has to tell the reason, by
    /// `NSLocationAlwaysAndWhenInUseUsageDescription` and `NSLocationWhenInUseUsageDescription`; otherwise nothing
    /// happens.
    open func requestAlwaysAuthorization() { request(always: true, "requestAlwaysAuthorization()") }

    private func request(always: Bool, _ method: String) {
        let missing = LocationPurpose.missing(in: AppRunner.keys, always: always)
        guard missing.isEmpty else {
            return app.log(
                "\(method) has no effect: add \(missing.map(\.rawValue).joined(separator: " and ")) to Info.plist.")
        }
        app.locating { core, steps in core.requestLocationPermission(always: always, into: &steps) }
    }

    // MARK: Services

    /// Whether the device has a location at all: true.
    nonisolated public class func locationServicesEnabled() -> Bool { true }

    /// Whether the device has significant changes: true.
    nonisolated public class func significantLocationChangeMonitoringAvailable() -> Bool { true }

    /// The newest position that the app was told; nil if there is none in this launch.
    open var location: CLLocation? { app.readingLocation(\.newestLocation).map { CLLocation($0) } }

    /// Starts standard updates. The app gets them in the foreground; with the permission `always` also while it runs in
    /// the background. `allowsBackgroundLocationUpdates` keeps it running there.
    open func startUpdatingLocation() {
        app.locating { [id, options] core, steps in core.startLocationUpdates(of: id, options, into: &steps) }
    }

    private var options: StandardUpdates {
        StandardUpdates(
            distanceFilter: Self.centimeters(distanceFilter), allowsBackground: allowsBackgroundLocationUpdates,
            pausesAutomatically: pausesLocationUpdatesAutomatically,
            showsIndicator: showsBackgroundLocationIndicator)
    }

    private func optionsChanged() {
        app.locating { [id, options] core, steps in core.changeLocationOptions(of: id, options, into: &steps) }
    }

    open func stopUpdatingLocation() {
        app.keepBeforeSuspension()
        app.locating { [id] core, steps in core.stopLocationUpdates(of: id, into: &steps) }
    }

    /// Requests one position: one call of `locationManager(_:didUpdateLocations:)`, or of
    /// `locationManager(_:didFailWithError:)` with `locationUnknown` if none is known within 10 s. Further requests
    /// until then change nothing; a start or a stop of the updates cancels it.
    open func requestLocation() {
        app.locating { [id] core, steps in core.requestLocation(for: id, into: &steps) }
    }

    /// Starts significant changes. With the permission `always` they wake and launch the app, also after it was ended.
    /// A launched app has to start them again to receive the change.
    open func startMonitoringSignificantLocationChanges() {
        app.locating { [id] core, steps in core.startChangeMonitoring(of: id, into: &steps) }
    }

    open func stopMonitoringSignificantLocationChanges() {
        app.locating { [id] core, steps in core.stopChangeMonitoring(of: id, into: &steps) }
    }

    /// A distance in centimeters; 0 for none.
    nonisolated static func centimeters(_ distance: CLLocationDistance) -> Int64 {
        distance > 0 ? Int64(exactly: (distance * 100).rounded(.up)) ?? .max : 0
    }

    // MARK: Calls

    func tell(_ call: LocationManagerCall) {
        guard let delegate else {
            if case .location(.permissionChanged) = call {
                app.locating { [id] core, _ in core.forgetIntroduction(of: id) }
            }
            return
        }
        switch call {
        case .location(let call): tell(call, to: delegate)
        case .startedMonitoring, .monitoringFailed, .crossed, .determined: tellOfRegion(call, to: delegate)
        case .waits: break  // It is for live updates.
        }
    }

    private func tell(_ call: LocationCall, to delegate: any CLLocationManagerDelegate) {
        switch call {
        case .updated(let fixes, _): delegate.locationManager(self, didUpdateLocations: fixes.map { CLLocation($0) })
        case .located(let fix?): delegate.locationManager(self, didUpdateLocations: [CLLocation(fix)])
        case .located(nil): delegate.locationManager(self, didFailWithError: CLError(.locationUnknown))
        case .failed(let failure): delegate.locationManager(self, didFailWithError: CLError(failure: failure))
        case .permissionChanged: delegate.locationManagerDidChangeAuthorization(self)
        case .paused: delegate.locationManagerDidPauseLocationUpdates(self)
        case .resumed: delegate.locationManagerDidResumeLocationUpdates(self)
        case .crossed, .regionStates: break  // The core makes calls for each manager of them.
        }
    }
}
