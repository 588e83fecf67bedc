public import Foundation
public import FoundationNetworking

/// The tasks.
extension URLSession {
    // MARK: Downloads

    /// A download of a URL.
    public func downloadTask(with url: URL) -> URLSessionDownloadTask { downloadTask(with: URLRequest(url: url)) }

    /// A download by a request. In a background session, one that the system could not send fails when it is resumed: a URL
    /// beyond 8 KiB, a header beyond 32 KiB, a body beyond 72 KiB or of a stream.
    public func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
        switch worker {
        case .system(let session): session.downloadTask(request)
        case .foundation(let session, let forwarding):
            Forwarded.download(session.downloadTask(with: request), of: forwarding)
        }
    }

    /// A download that goes on with what another one had. What cannot be read as resume data fails when it is
    /// resumed, with `NSURLErrorCannotOpenFile`. Only a background session can resume.
    public func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
        switch worker {
        case .system(let session): session.downloadTask(resuming: resumeData)
        case .foundation(let session, let forwarding):
            Forwarded.download(session.downloadTask(withResumeData: resumeData), of: forwarding)
        }
    }

    /// A download of a URL that calls a handler; not in a background session.
    @preconcurrency public func downloadTask(
        with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        Forwarded.download(foundation.downloadTask(with: url, completionHandler: completionHandler), of: nil)
    }

    /// A download by a request that calls a handler; not in a background session.
    @preconcurrency public func downloadTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        Forwarded.download(foundation.downloadTask(with: request, completionHandler: completionHandler), of: nil)
    }

    // MARK: Data

    /// A request for a URL's data; in a background session it fails when it is resumed.
    public func dataTask(with url: URL) -> URLSessionDataTask { dataTask(with: URLRequest(url: url)) }

    /// A request for data; in a background session it fails when it is resumed.
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

    /// A request for a URL's data that calls a handler; not in a background session.
    @preconcurrency public func dataTask(
        with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        Forwarded.data(foundation.dataTask(with: url, completionHandler: completionHandler), of: nil)
    }

    /// A request for data that calls a handler; not in a background session.
    @preconcurrency public func dataTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        Forwarded.data(foundation.dataTask(with: request, completionHandler: completionHandler), of: nil)
    }

    // MARK: Uploads

    /// Sends data; not in a background session, where it would end with the app.
    public func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
        switch worker {
        case .system: preconditionFailure("Upload tasks from NSData are not supported in background sessions.")
        case .foundation(let session, let forwarding):
            Forwarded.upload(session.uploadTask(with: request, from: bodyData), of: forwarding)
        }
    }

    /// Sends a file; in a background session it fails when it is resumed.
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

    /// Sends data and calls a handler; not in a background session.
    @preconcurrency public func uploadTask(
        with request: URLRequest, from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        Forwarded.upload(
            foundation.uploadTask(with: request, from: bodyData, completionHandler: completionHandler), of: nil)
    }

    /// Sends a file and calls a handler; not in a background session.
    @preconcurrency public func uploadTask(
        with request: URLRequest, fromFile fileURL: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        Forwarded.upload(
            foundation.uploadTask(with: request, fromFile: fileURL, completionHandler: completionHandler), of: nil)
    }

    // MARK: Waiting for an answer

    /// A request's data; not in a background session.
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        try await foundation.data(for: request)
    }

    /// A URL's data; not in a background session.
    public func data(from url: URL) async throws -> (Data, URLResponse) { try await foundation.data(from: url) }

    /// Sends data; not in a background session.
    public func upload(for request: URLRequest, from bodyData: Data) async throws -> (Data, URLResponse) {
        try await foundation.upload(for: request, from: bodyData)
    }

    /// Sends a file; not in a background session.
    public func upload(for request: URLRequest, fromFile fileURL: URL) async throws -> (Data, URLResponse) {
        try await foundation.upload(for: request, fromFile: fileURL)
    }

    /// Downloads by a request; not in a background session.
    public func download(for request: URLRequest) async throws -> (URL, URLResponse) {
        try await foundation.download(for: request)
    }

    /// Downloads a URL; not in a background session.
    public func download(from url: URL) async throws -> (URL, URLResponse) {
        try await foundation.download(from: url)
    }

    /// FoundationNetworking's session, for what a background session cannot.
    private var foundation: FoundationNetworking.URLSession {
        guard case .foundation(let session, _) = worker else {
            preconditionFailure(
                "Completion handler blocks are not supported in background sessions. Use a delegate instead.")
        }
        return session
    }
}
