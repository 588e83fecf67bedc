import FoundationNetworking

/// FoundationNetworking's tasks, wrapped in this module's types.
enum Forwarded {
    static func download(
        _ task: FoundationNetworking.URLSessionDownloadTask, of delegate: ForwardingDelegate?
    ) -> URLSessionDownloadTask { known(URLSessionDownloadTask(ForwardedTask(task)), by: delegate) }

    static func upload(
        _ task: FoundationNetworking.URLSessionUploadTask, of delegate: ForwardingDelegate?
    ) -> URLSessionUploadTask { known(URLSessionUploadTask(ForwardedTask(task)), by: delegate) }

    static func data(
        _ task: FoundationNetworking.URLSessionDataTask, of delegate: ForwardingDelegate?
    ) -> URLSessionDataTask { known(URLSessionDataTask(ForwardedTask(task)), by: delegate) }

    /// The app's own object for a task if its delegate is forwarded, otherwise a new object.
    static func task(
        _ task: FoundationNetworking.URLSessionTask, of delegate: ForwardingDelegate?
    ) -> URLSessionTask {
        if let known = delegate?.task(task) { return known }
        let body = ForwardedTask(task)
        return switch task {
        case is FoundationNetworking.URLSessionDownloadTask: URLSessionDownloadTask(body)
        case is FoundationNetworking.URLSessionUploadTask: URLSessionUploadTask(body)
        case is FoundationNetworking.URLSessionDataTask: URLSessionDataTask(body)
        default: URLSessionTask(body)
        }
    }

    private static func known<Made: URLSessionTask>(_ task: Made, by delegate: ForwardingDelegate?) -> Made {
        delegate?.knows(task)
        return task
    }
}
