// Background downloads on Linux are Roost's: these names, which FoundationNetworking has as well, mean its own.
#if canImport(RoostURLSession)
    import RoostURLSession

    typealias URLSession = RoostURLSession.URLSession
    typealias URLSessionConfiguration = RoostURLSession.URLSessionConfiguration
    typealias URLSessionDataDelegate = RoostURLSession.URLSessionDataDelegate
    typealias URLSessionDataTask = RoostURLSession.URLSessionDataTask
    typealias URLSessionDelegate = RoostURLSession.URLSessionDelegate
    typealias URLSessionDownloadDelegate = RoostURLSession.URLSessionDownloadDelegate
    typealias URLSessionDownloadTask = RoostURLSession.URLSessionDownloadTask
    typealias URLSessionTask = RoostURLSession.URLSessionTask
    typealias URLSessionTaskDelegate = RoostURLSession.URLSessionTaskDelegate
    typealias URLSessionUploadTask = RoostURLSession.URLSessionUploadTask
    let NSURLSessionDownloadTaskResumeData = RoostURLSession.NSURLSessionDownloadTaskResumeData
#endif
