import UIKit

@main
class AppDelegate: NSObject, UIApplicationDelegate {

    let exporter = Exporter(
        folder: FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0], secondsPerRecording: 4)

    func applicationDidEnterBackground(_ application: UIApplication) {
        exporter.exportAll(["breakfast", "lunch", "dinner"]) { exported in
            print("exported \(exported.joined(separator: ", "))")
        }
        exporter.cleanUpLater()
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        exporter.cancelCleanUp()
    }
}
