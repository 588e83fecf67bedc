// On Linux, Roost performs background downloads: these names, which FoundationNetworking also declares, mean Roost's
// types.
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
