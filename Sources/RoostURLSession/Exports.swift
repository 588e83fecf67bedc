public import FoundationNetworking

// What a session takes and gives is FoundationNetworking's own, so that a file needs no second import for it.

/// FoundationNetworking's.
public typealias URLRequest = FoundationNetworking.URLRequest
/// FoundationNetworking's.
public typealias URLResponse = FoundationNetworking.URLResponse
/// FoundationNetworking's.
public typealias HTTPURLResponse = FoundationNetworking.HTTPURLResponse
/// FoundationNetworking's.
public typealias HTTPCookieStorage = FoundationNetworking.HTTPCookieStorage
/// FoundationNetworking's.
public typealias HTTPCookie = FoundationNetworking.HTTPCookie
/// FoundationNetworking's.
public typealias URLCache = FoundationNetworking.URLCache
/// FoundationNetworking's.
public typealias URLCredentialStorage = FoundationNetworking.URLCredentialStorage

/// The key of the resume data in the `userInfo` of a download's error.
public let NSURLSessionDownloadTaskResumeData = URLSessionDownloadTaskResumeData

/// What a count of bytes is that is not known.
public let NSURLSessionTransferSizeUnknown: Int64 = -1
