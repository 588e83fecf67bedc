import Foundation
import FoundationNetworking
import LifeCycleModel
import RoostKit
import RoostURLSession

/// The background session of an app's Newsstand downloads. Outcomes go into the library, which then delivers them to
/// the app. So the app can receive them at any time, also after a restart.
final class NewsstandSession: NSObject, RoostURLSession.URLSessionDownloadDelegate {
    private let store: LibraryStore
    private let app: AppSession
    /// Main actor only, as the library is.
    private let library: @MainActor @Sendable () -> NKLibrary?

    init(_ store: LibraryStore, _ app: AppSession, library: @escaping @MainActor @Sendable () -> NKLibrary?) {
        self.store = store
        self.app = app
        self.library = library
        super.init()
    }

    private func onMain(_ call: @escaping @MainActor @Sendable (NKLibrary) -> Void) {
        let library = library
        Task { @MainActor in
            if let library = library() { call(library) }
        }
    }

    func urlSession(
        _ session: RoostURLSession.URLSession, downloadTask: RoostURLSession.URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        guard let asset = downloadTask.taskDescription, store.asset(asset) != nil else { return }
        let status = (downloadTask.response as? HTTPURLResponse)?.statusCode ?? 200
        guard status < 400 else {
            let code = status == 404 ? NSURLErrorFileDoesNotExist : NSURLErrorBadServerResponse
            let failure = LibraryRecord.Asset.Outcome.failed(
                code: code, reason: "the server answered with status \(status)")
            return store.changeAsset(asset) { $0.outcome = failure }
        }
        do {
            try store.take(location, of: asset)
            store.changeAsset(asset) { $0.outcome = .arrived }
        } catch {
            store.changeAsset(asset) { $0.outcome = .failed(code: NSURLErrorCannotMoveFile, reason: "\(error)") }
        }
    }

    func urlSession(
        _ session: RoostURLSession.URLSession, task: RoostURLSession.URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        guard let asset = task.taskDescription else { return }
        if let error = error as? URLError {
            store.changeAsset(asset) {
                $0.outcome = .failed(code: error.code.rawValue, reason: error.localizedDescription)
            }
        }
        onMain { $0.deliverOutcomes() }
    }

    func urlSession(
        _ session: RoostURLSession.URLSession, downloadTask: RoostURLSession.URLSessionDownloadTask,
        didWriteData bytesWritten: Int64, totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        guard let asset = downloadTask.taskDescription else { return }
        onMain { $0.deliverProgress(of: asset, bytesWritten, totalBytesWritten, totalBytesExpectedToWrite) }
    }

    func urlSession(
        _ session: RoostURLSession.URLSession, downloadTask: RoostURLSession.URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64, expectedTotalBytes: Int64
    ) {
        guard let asset = downloadTask.taskDescription else { return }
        onMain { $0.deliverResumption(of: asset, fileOffset, expectedTotalBytes) }
    }

    /// All events of this wake were delivered. The app may be suspended when this has been reported.
    func urlSessionDidFinishEvents(forBackgroundURLSession session: RoostURLSession.URLSession) {
        let app = app
        onMain { library in
            library.deliverOutcomes()
            app.transfer(.handled, of: .newsstand)
        }
    }
}
