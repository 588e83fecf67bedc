public import Foundation
public import FoundationNetworking

/// The creation of tasks.
extension URLSession {
    // MARK: Downloads

    /// Creates a download of a URL.
    public func downloadTask(with url: URL) -> URLSessionDownloadTask { downloadTask(with: URLRequest(url: url)) }

    /// Creates a download for a request.
    ///
    /// In a background session, the task fails on `resume()` if the system cannot send the request. The limits are 8
    /// KiB for the URL, 32 KiB for the header and 72 KiB for the body; a body stream is not supported.
    public func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
        switch worker {
        case .system(let session): session.downloadTask(request)
        case .foundation(let session, let forwarding):
            Forwarded.download(session.downloadTask(with: request), of: forwarding)
        }
    }

    /// Creates a download that resumes an earlier download; only a background session can resume. Invalid resume
    /// data fails on `resume()` with `NSURLErrorCannotOpenFile`.
    public func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
        switch worker {
        case .system(let session): session.downloadTask(resuming: resumeData)
        case .foundation(let session, let forwarding):
            Forwarded.download(session.downloadTask(withResumeData: resumeData), of: forwarding)
        }
    }

    /// Creates a download of a URL with a completion handler. A precondition fails in a background session.
    @preconcurrency public func downloadTask(
        with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        Forwarded.download(foundation.downloadTask(with: url, completionHandler: completionHandler), of: nil)
    }

    /// Creates a download for a request with a completion handler. A precondition fails in a background session.
    @preconcurrency public func downloadTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        Forwarded.download(foundation.downloadTask(with: request, completionHandler: completionHandler), of: nil)
    }

    // MARK: Data

    /// Creates a data task for a URL; in a background session it fails on `resume()`.
    public func dataTask(with url: URL) -> URLSessionDataTask { dataTask(with: URLRequest(url: url)) }

    /// Creates a data task for a request; in a background session it fails on `resume()`.
    public func dataTask(with request: URLRequest) -> URLSessionDataTask {
        switch worker {
        case .system(let session):
            URLSessionDataTask(
                session.refused(
                    request, code: NSURLErrorUnknown, reason: "data tasks are not supported in background sessions"))
        case .foundation(let session, let forwarding):
            Forwarded.data(session.dataTask(with: request), of: forwarding)
        }
    }

    /// Creates a data task for a URL with a completion handler. A precondition fails in a background session.
    @preconcurrency public func dataTask(
        with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        Forwarded.data(foundation.dataTask(with: url, completionHandler: completionHandler), of: nil)
    }

    /// Creates a data task for a request with a completion handler. A precondition fails in a background session
    ///
    @preconcurrency public func dataTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        Forwarded.data(foundation.dataTask(with: request, completionHandler: completionHandler), of: nil)
    }

    // MARK: Uploads

    /// Creates an upload of data. A precondition fails in a background session, where it would end with the app.
    public func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
        switch worker {
        case .system: preconditionFailure("Upload tasks from NSData are not supported in background sessions.")
        case .foundation(let session, let forwarding):
            Forwarded.upload(session.uploadTask(with: request, from: bodyData), of: forwarding)
        }
    }

    /// Creates an upload of a file; in a background session it fails on `resume()`.
    public func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
        switch worker {
        case .system(let session):
            URLSessionUploadTask(
                session.refused(
                    request, code: NSURLErrorUnknown, reason: "Roost's background sessions do not upload yet"))
        case .foundation(let session, let forwarding):
            Forwarded.upload(session.uploadTask(with: request, fromFile: fileURL), of: forwarding)
        }
    }

    /// Creates an upload of data with a completion handler. A precondition fails in a background session.
    @preconcurrency public func uploadTask(
        with request: URLRequest, from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        Forwarded.upload(
            foundation.uploadTask(with: request, from: bodyData, completionHandler: completionHandler), of: nil)
    }

    /// Creates an upload of a file with a completion handler. A precondition fails in a background session.
    @preconcurrency public func uploadTask(
        with request: URLRequest, fromFile fileURL: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        Forwarded.upload(
            foundation.uploadTask(with: request, fromFile: fileURL, completionHandler: completionHandler), of: nil)
    }

    // MARK: Async requests

    /// The data and response for a request. A precondition fails in a background session.
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        try await foundation.data(for: request)
    }

    /// The data and response for a URL. A precondition fails in a background session.
    public func data(from url: URL) async throws -> (Data, URLResponse) { try await foundation.data(from: url) }

    /// Uploads data and returns the response. A precondition fails in a background session.
    public func upload(for request: URLRequest, from bodyData: Data) async throws -> (Data, URLResponse) {
        try await foundation.upload(for: request, from: bodyData)
    }

    /// Uploads a file and returns the response. A precondition fails in a background session.
    public func upload(for request: URLRequest, fromFile fileURL: URL) async throws -> (Data, URLResponse) {
        try await foundation.upload(for: request, fromFile: fileURL)
    }

    /// Downloads a request's file and returns its location. A precondition fails in a background session.
    public func download(for request: URLRequest) async throws -> (URL, URLResponse) {
        try await foundation.download(for: request)
    }

    /// Downloads a URL's file and returns its location. A precondition fails in a background session.
    public func download(from url: URL) async throws -> (URL, URLResponse) {
        try await foundation.download(from: url)
    }

    /// FoundationNetworking's session. A precondition fails in a background session, which does not support these
    /// methods.
    private var foundation: FoundationNetworking.URLSession {
        guard case .foundation(let session, _) = worker else {
            preconditionFailure(
                "Completion handler blocks are not supported in background sessions. Use a delegate instead.")
        }
        return session
    }
}
