import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

final class BackgroundDownloader: NSObject, URLSessionDownloadDelegate {
    private lazy var session = URLSession(
        configuration: URLSessionConfiguration.background(withIdentifier: "com.example.courier"), delegate: self,
        delegateQueue: nil)

    func download(_ url: URL) { session.downloadTask(with: url).resume() }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        log("downloaded \(location.lastPathComponent)")
    }
}
