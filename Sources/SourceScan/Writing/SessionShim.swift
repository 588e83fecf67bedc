/// A file for an app with a background session. The file imports RoostURLSession for the whole module, and so
/// `URLRequest`, `HTTPURLResponse` and the rest of FoundationNetworking. On Apple's systems these belong to Foundation.
///
/// RoostURLSession has the same names as FoundationNetworking's session. In a file that imports both, each of these
/// names is ambiguous, but names of the app's own module take precedence. So the app's module declares once which types
/// its code means, for itself and for the modules that import it.
public enum SessionShim {
    /// The file's name.
    public static let path = "URLSession+Roost.swift"

    /// The names that both modules have.
    public static let names = [
        "URLSession", "URLSessionConfiguration", "URLSessionDataDelegate",
        "URLSessionDataTask", "URLSessionDelegate", "URLSessionDownloadDelegate", "URLSessionDownloadTask",
        "URLSessionTask", "URLSessionTaskDelegate", "URLSessionUploadTask",
    ]

    /// The members that FoundationNetworking's types lack.
    static let members = [
        "allTasks", "allowsConstrainedNetworkAccess", "allowsExpensiveNetworkAccess", "sessionSendsLaunchEvents",
        "tasks", "waitsForConnectivity",
    ]

    /// The file's text. The file has no effect without Roost.
    public static let text: String = {
        let aliases = names.map { "public typealias \($0) = RoostURLSession.\($0)" }
        return """
            // On Linux, these names mean the types of RoostURLSession, not those of FoundationNetworking.
            #if canImport(RoostURLSession)
            @_exported import RoostURLSession

            \(aliases.joined(separator: "\n"))
            public let NSURLSessionDownloadTaskResumeData = RoostURLSession.NSURLSessionDownloadTaskResumeData
            #endif

            """
    }()
}
