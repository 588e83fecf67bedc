// What a session takes and gives (requests, answers, cookies) is FoundationNetworking's own. A file that imports this module
// alone sees both, and this module's where both have a name.
@_exported public import FoundationNetworking

/// The key of the resume data in the `userInfo` of a download's error.
public let NSURLSessionDownloadTaskResumeData = URLSessionDownloadTaskResumeData
