/// A file of type aliases for apps that have a background session, and files that import FoundationNetworking.
///
/// RoostURLSession has the names of FoundationNetworking's session. In a file that imports both, each of them is ambiguous;
/// names of the app's own module come first. So the app's module says which ones are meant, once.
public enum SessionShim {
    /// What the file is called.
    public static let path = "URLSession+Roost.swift"

    /// The names that both have.
    public static let names = [
        "URLSession", "URLSessionConfiguration", "URLSessionDataDelegate",
        "URLSessionDataTask", "URLSessionDelegate", "URLSessionDownloadDelegate", "URLSessionDownloadTask",
        "URLSessionTask", "URLSessionTaskDelegate", "URLSessionUploadTask",
    ]

    /// What the session's types have that FoundationNetworking's have not.
    static let members = [
        "allTasks", "allowsConstrainedNetworkAccess", "allowsExpensiveNetworkAccess", "sessionSendsLaunchEvents",
        "tasks", "waitsForConnectivity",
    ]

    /// The file: of no effect where there is no Roost.
    public static let text: String = {
        let aliases = names.map { "typealias \($0) = RoostURLSession.\($0)" }
        return """
            // Background downloads on Linux are Roost's: these names, which FoundationNetworking has as well, mean its own.
            #if canImport(RoostURLSession)
            import RoostURLSession

            \(aliases.joined(separator: "\n"))
            let NSURLSessionDownloadTaskResumeData = RoostURLSession.NSURLSessionDownloadTaskResumeData
            #endif

            """
    }()
}
