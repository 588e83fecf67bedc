public import Foundation
public import FoundationNetworking

/// The download of an asset, as Newsstand tells of it. Linux's Foundation has no `NSURLConnection`: this one is what
/// `NKAssetDownload.download(with:)` gives, and nothing else.
@preconcurrency @MainActor public final class NSURLConnection: NSObject {
    /// The asset that is downloaded.
    public let newsstandAssetDownload: NKAssetDownload?
    /// What is asked for.
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

    /// What is asked for; redirects are followed without a word.
    public var currentRequest: URLRequest { originalRequest }

    /// Gives the download up: the delegate hears no more of it, and the asset is none of its issue's any more.
    public func cancel() { library?.cancel([identifier]) }
}

/// Hears what becomes of a connection.
@preconcurrency @MainActor public protocol NSURLConnectionDelegate: NSObjectProtocol {
    /// The download has failed, and is over.
    func connection(_ connection: NSURLConnection, didFailWithError error: any Error)
}

/// Hears what becomes of an asset's download. On the main thread; every method may be left out but for the last.
@preconcurrency @MainActor public protocol NSURLConnectionDownloadDelegate: NSURLConnectionDelegate {
    /// So much has arrived since this was last called, and in all; the expected total is -1 where the server did not say.
    func connection(
        _ connection: NSURLConnection, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
        expectedTotalBytes: Int64)

    /// The download goes on after it had stopped.
    func connectionDidResumeDownloading(
        _ connection: NSURLConnection, totalBytesWritten: Int64, expectedTotalBytes: Int64)

    /// The file is there, in the app's container, and goes when this returns: move it, say to the issue's `contentURL`.
    func connectionDidFinishDownloading(_ connection: NSURLConnection, destinationURL: URL)
}

// Swift on Linux has no optional methods of protocols: defaults stand in for those left out.
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
