import UIKit

@main
class AppDelegate: UIResponder, UIApplicationDelegate {

    var window: UIWindow?
    let journal = Journal(folder: FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0])
    let thumbnails = NSCache<NSString, NSData>()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        journal.load()
        print("launched with \(journal.entries.count) entries")
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        journal.add("opened at \(Int(Date().timeIntervalSinceReferenceDate))")
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        do {
            try journal.save()
            print("saved \(journal.entries.count) entries")
        } catch {
            print("cannot save: \(error)")
        }
    }

    func applicationDidReceiveMemoryWarning(_ application: UIApplication) {
        thumbnails.removeAllObjects()
        print("dropped thumbnails")
    }

    func applicationWillTerminate(_ application: UIApplication) {
        try? journal.save()
        print("saved at the end")
    }
}
