import CoreLocation
import UIKit

/// Records where the device has been. Significant changes launch it in the background.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate, CLLocationManagerDelegate {
    private let manager = CLLocationManager()
    private(set) var diary: [CLLocation] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if launchOptions?[.location] != nil { print("launched by a location") }
        manager.delegate = self
        if manager.authorizationStatus == .notDetermined { manager.requestAlwaysAuthorization() }
        manager.startMonitoringSignificantLocationChanges()
        return true
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        diary += locations
        for place in locations { print("at", place.coordinate.latitude, place.coordinate.longitude) }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        if case CLError.denied = error { print("no diary: the user does not allow it") }
    }
}
