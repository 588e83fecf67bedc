import UIKit

/// Keeps the bookmarks that the server does not have yet, and pushes them when the user leaves the app.
final class SyncManager {
    static let shared = SyncManager()

    var server: BookmarkServer?
    private(set) var pending: [Bookmark] = []
    private(set) var lastError: String?

    private var backgroundTask: UIBackgroundTaskIdentifier = .invalid
    private var observer: NSObjectProtocol?

    func start(with server: BookmarkServer) {
        self.server = server
        guard observer == nil else { return }
        observer = NotificationCenter.default.addObserver(
            forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: .main
        ) { [weak self] _ in
            self?.pushPending()
        }
    }

    func stop() {
        if let observer { NotificationCenter.default.removeObserver(observer) }
        observer = nil
        pending = []
        lastError = nil
    }

    func add(_ bookmark: Bookmark) {
        guard !pending.contains(bookmark) else { return }
        pending.append(bookmark)
    }

    func pushPending() {
        guard let server, !pending.isEmpty, backgroundTask == .invalid else { return }
        let batch = pending
        backgroundTask = UIApplication.shared.beginBackgroundTask(withName: "Push bookmarks") { [weak self] in
            self?.finish(error: "out of background time")
        }
        server.push(batch) { [weak self] succeeded in
            guard let self, self.backgroundTask != .invalid else { return }
            if succeeded { self.pending.removeAll { batch.contains($0) } }
            self.finish(error: succeeded ? nil : "the server is not reachable")
        }
    }

    private func finish(error: String?) {
        lastError = error
        UIApplication.shared.endBackgroundTask(backgroundTask)
        backgroundTask = .invalid
    }
}
