import Foundation
import FoundationNetworking
import LifeCycleModel

extension TransferFailure {
    /// The error for the delegate: a `URLError` with Apple's keys.
    func error(url: URL?, resumeData: Data?) -> any Error {
        var info: [String: Any] = [NSLocalizedDescriptionKey: reason]
        if let url {
            info[NSURLErrorFailingURLErrorKey] = url
            // Old code still reads this key.
            info["NSErrorFailingURLStringKey"] = url.absoluteString
        }
        if let cancelledReason { info[NSURLErrorBackgroundTaskCancelledReasonKey] = Int(cancelledReason.rawValue) }
        if let resumeData { info[NSURLSessionDownloadTaskResumeData] = resumeData }
        return URLError(_nsError: NSError(domain: NSURLErrorDomain, code: Int(code), userInfo: info))
    }
}
