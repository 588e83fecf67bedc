public import Foundation
public import FoundationNetworking

/// The download of an asset. Foundation on Linux has no `NSURLConnection`. This class only represents the result of
/// `NKAssetDownload.download(with:)`.
@preconcurrency @MainActor public final class NSURLConnection: NSObject {
    /// The asset being downloaded.
    public let newsstandAssetDownload: NKAssetDownload?
    /// The request for the file.
    public let originalRequest: URLRequest
    private weak var library: NKLibrary?
    private let identifier: String

    init(_ asset: NKAssetDownload, in library: NKLibrary) {
        newsstandAssetDownload = asset
        originalRequest = asset.urlRequest
        identifier = asset.identifier
        self.library = library
        super.init()
    }

    /// The request for the file. Redirects are followed automatically and do not change it.
    public var currentRequest: URLRequest { originalRequest }

    /// Cancels the download. The delegate is not called again, and the asset is removed from its issue.
    public func cancel() { library?.cancel([identifier]) }
}

/// The delegate of a connection. Main thread.
@preconcurrency @MainActor public protocol NSURLConnectionDelegate: NSObjectProtocol {
    /// The download has failed and is over.
    func connection(_ connection: NSURLConnection, didFailWithError error: any Error)
}

/// The delegate of an asset's download. Main thread. Every method but the last is optional.
@preconcurrency @MainActor public protocol NSURLConnectionDownloadDelegate: NSURLConnectionDelegate {
    /// Reports the bytes that arrived since the last call, and in total. The expected total is -1 if unknown.
    func connection(
        _ connection: NSURLConnection, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
        expectedTotalBytes: Int64)

    /// The download has resumed after an interruption.
    func connectionDidResumeDownloading(
        _ connection: NSURLConnection, totalBytesWritten: Int64, expectedTotalBytes: Int64)

    /// The file has arrived. It is in the app's container and is deleted when this method returns. Move it, for example
    /// into the issue's `contentURL`.
    func connectionDidFinishDownloading(_ connection: NSURLConnection, destinationURL: URL)
}

// Swift on Linux has no optional protocol methods: these defaults replace them.
extension NSURLConnectionDelegate {
    /// Does nothing.
    public func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {}
}

extension NSURLConnectionDownloadDelegate {
    /// Does nothing.
    public func connection(
        _ connection: NSURLConnection, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
        expectedTotalBytes: Int64
    ) {}

    /// Does nothing.
    public func connectionDidResumeDownloading(
        _ connection: NSURLConnection, totalBytesWritten: Int64, expectedTotalBytes: Int64
    ) {}
}
