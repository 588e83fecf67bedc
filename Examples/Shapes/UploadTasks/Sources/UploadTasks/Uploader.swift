import UIKit

/// Uploads photos, each under its own background task. So a slow or failed upload does not stop the others.
@MainActor final class Uploader {
    private struct Running {
        let work: Task<Void, Never>
        let backgroundTask: UIBackgroundTaskIdentifier
    }

    private let server: any PhotoServer
    private var running: [Photo: Running] = [:]
    /// In the order in which they were added.
    private(set) var waiting: [Photo] = []
    private(set) var uploaded: [Photo] = []

    init(server: any PhotoServer) {
        self.server = server
    }

    func upload(_ photo: Photo) {
        guard running[photo] == nil else { return }
        waiting.removeAll { $0 == photo }
        let backgroundTask = UIApplication.shared.beginBackgroundTask(withName: "Upload \(photo.name)") {
            [weak self] in self?.postpone(photo)
        }
        let work = Task {
            let isUploaded = (try? await server.upload(photo)) != nil
            // A canceled upload is already postponed, and possibly begun again.
            guard !Task.isCancelled else { return }
            if isUploaded { finish(photo) } else { postpone(photo) }
        }
        running[photo] = Running(work: work, backgroundTask: backgroundTask)
    }

    /// Uploads the postponed photos.
    func resume() {
        for photo in waiting { upload(photo) }
    }

    private func finish(_ photo: Photo) {
        guard let done = running.removeValue(forKey: photo) else { return }
        uploaded.append(photo)
        UIApplication.shared.endBackgroundTask(done.backgroundTask)
    }

    private func postpone(_ photo: Photo) {
        guard let stopped = running.removeValue(forKey: photo) else { return }
        stopped.work.cancel()
        waiting.append(photo)
        UIApplication.shared.endBackgroundTask(stopped.backgroundTask)
    }
}
