// A well-behaved app: it loads its draft at launch, and saves it in a background task when it leaves the foreground.
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {

    private var draft = ""
    private var saving = UIBackgroundTaskIdentifier.invalid

    private let file = URL(fileURLWithPath: NSHomeDirectory())
        .appendingPathComponent("Documents").appendingPathComponent("draft.txt")

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        draft = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        let saves = UserDefaults.standard.integer(forKey: "saves")
        print("launched with a draft of \(draft.count) characters, saved \(saves) times so far")
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        draft += "The user was here at \(Date()).\n"
        print("active; the draft has \(draft.count) characters now")
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        saving = application.beginBackgroundTask(withName: "save the draft") { [self] in
            print("no time left to save")
            endSaving(application)
        }
        let (text, file) = (draft, file)
        DispatchQueue.global().async { [self] in
            let result = Result {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file, options: .atomic)
                UserDefaults.standard.set(UserDefaults.standard.integer(forKey: "saves") + 1, forKey: "saves")
            }
            DispatchQueue.main.async {
                switch result {
                case .success: print("saved \(text.count) characters")
                case .failure(let error): print("cannot save: \(error)")
                }
                self.endSaving(application)
            }
        }
    }

    private func endSaving(_ application: UIApplication) {
        guard saving != .invalid else { return }
        application.endBackgroundTask(saving)
        saving = .invalid
    }

    func applicationWillEnterForeground(_ application: UIApplication) { print("will enter the foreground") }
}
