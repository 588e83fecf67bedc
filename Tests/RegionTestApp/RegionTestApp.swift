import CoreLocation
import UIKit

/// Says when the device enters or leaves a region around the Brandenburg Gate. It starts the monitoring only if an earlier
/// launch has not. With `RequestsLocation` in `Info.plist` it monitors nothing, and asks where it is when it is active.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate, CLLocationManagerDelegate {
    private let manager = CLLocationManager()
    private let isRequesting = Bundle.main.object(forInfoDictionaryKey: "RequestsLocation") != nil

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        print("launched", launchOptions?[.location] != nil ? "by a location" : "by the user")
        print("monitors", manager.monitoredRegions.map(\.identifier).sorted())
        manager.delegate = self
        if manager.monitoredRegions.isEmpty, !isRequesting {
            let gate = CLLocationCoordinate2D(latitude: 52.5163, longitude: 13.3777)
            manager.startMonitoring(for: CLCircularRegion(center: gate, radius: 200, identifier: "gate"))
        }
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        if isRequesting { manager.requestLocation() }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        for place in locations {
            print("here", place.coordinate.latitude, place.coordinate.longitude)
            print("altitude", place.altitude, "course", place.course, "speed", place.speed)
        }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        print("nowhere", (error as? CLError)?.code.rawValue ?? -1)
    }

    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        print("started", region.identifier)
        manager.requestState(for: region)
    }

    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) {
        print("failed", region?.identifier ?? "?", (error as? CLError)?.code.rawValue ?? -1)
    }

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        print("entered", region.identifier)
    }

    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        print("left", region.identifier)
    }

    func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
        print("state", region.identifier, state.rawValue)
    }
}
