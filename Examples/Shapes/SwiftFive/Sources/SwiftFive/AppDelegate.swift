import UIKit

/// The app as written in 2017: globals, completion handlers, and everything on the main queue by habit.
var theHike = Hike()

@main
class AppDelegate: UIResponder, UIApplicationDelegate {

    var window: UIWindow?
    var bgTask: UIBackgroundTaskIdentifier = .invalid

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        theHike.restore()
        if launchOptions?[.location] != nil {
            let isInBackground = application.applicationState == .background
            print("launched for a place, \(isInBackground ? "in the background" : "in the foreground")")
            theHike.note(place: "a place")
            upload(application) { print("sent \($0)") }
        }
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        theHike.save()
        upload(application) { print("sent \($0)") }
    }

    func upload(_ application: UIApplication, completion: @escaping (Int) -> Void) {
        // Only one upload at a time: a second would overwrite the first identifier, and the first task could not be
        // ended.
        guard bgTask == .invalid else { return }
        bgTask = application.beginBackgroundTask(withName: "MyTask") {
            application.endBackgroundTask(self.bgTask)
            self.bgTask = .invalid
        }
        DispatchQueue.global().async {
            let count = theHike.prepare()
            DispatchQueue.main.asyncAfter(deadline: .now() + 3) {
                completion(count)
                application.endBackgroundTask(self.bgTask)
                self.bgTask = .invalid
            }
        }
    }
}
