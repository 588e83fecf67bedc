// A hiking tracker. It records the way while the phone is in the pocket, with the screen off.
import CoreLocation
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate, CLLocationManagerDelegate {
    private let manager = CLLocationManager()
    private let track = Track()
    private var isRecording = false

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        print("launched; the track has \(track.summary)")
        manager.delegate = self
        manager.distanceFilter = 10
        manager.allowsBackgroundLocationUpdates = true
        if manager.authorizationStatus == .notDetermined { manager.requestWhenInUseAuthorization() }
        record()
        return true
    }

    /// A touch on the screen ends the hike, or begins the next part of it.
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard isRecording else { return record() }
        isRecording = false
        manager.stopUpdatingLocation()
        print("stopped: \(track.summary)")
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        print(isRecording ? "records in the background" : "does not record")
    }

    private func record() {
        isRecording = true
        manager.startUpdatingLocation()
    }

    // MARK: The way

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        do {
            try track.append(locations)
            print(track.summary)
        } catch {
            print("the track cannot be saved: \(error)")
        }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        switch error {
        case CLError.denied:
            isRecording = false
            print("no track: the user does not allow it")
        default: print("no position yet")
        }
    }

    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
        print("rests: open the app to go on")
    }

    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) { print("goes on") }
}
