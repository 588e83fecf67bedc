import CoreLocation
import UIKit

/// Follows the device with the live updates of iOS 17, also in the background and after a crash: the first launch begins a
/// background activity session, and the later ones make it again.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private var session: CLBackgroundActivitySession?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        print("launched", launchOptions?[.location] != nil ? "by a location" : "by the user")
        session = CLBackgroundActivitySession()
        Task { try await follow() }
        return true
    }

    private func follow() async throws {
        for try await update in CLLocationUpdate.liveUpdates(.fitness) {
            if let place = update.location { print("at", place.coordinate.latitude, place.coordinate.longitude) }
            if update.authorizationRequestInProgress { print("waits for the user") }
            if update.authorizationDenied { print("denied") }
            if update.locationUnavailable { print("nowhere") }
        }
    }
}
