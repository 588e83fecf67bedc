// FoundationNetworking declares the other types of a session: requests, responses, cookies. A file that imports only
// this module sees both modules; for a name in both, this module's type wins.
@_exported public import FoundationNetworking

/// The key of the resume data in the `userInfo` of a download's error.
public let NSURLSessionDownloadTaskResumeData = URLSessionDownloadTaskResumeData
