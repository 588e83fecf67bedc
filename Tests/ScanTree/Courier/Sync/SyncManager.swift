import UIKit

/// Sends waiting parcels when the app leaves the foreground.
final class SyncManager {
    static let shared = SyncManager()

    private var task = UIBackgroundTaskIdentifier.invalid
    private var tokens: [NSObjectProtocol] = []

    func register(_ uploads: UploadQueue) {
        let token = NotificationCenter.default.addObserver(
            forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
        ) { [weak self] _ in
            self?.sync(uploads)
        }
        tokens.append(token)
    }

    private func sync(_ uploads: UploadQueue) {
        task = UIApplication.shared.beginBackgroundTask(withName: "sync") { [weak self] in self?.end() }
        let count = uploads.sendAll()
        log("sent \(count)")
        NotificationCenter.default.post(name: .parcelsDidSync, object: self, userInfo: ["count": count])
        end()
    }

    private func end() {
        UIApplication.shared.endBackgroundTask(task)
        task = .invalid
    }
}
