/// A file of an app that has a background session: it imports RoostURLSession for all files of the app's module, and with it
/// `URLRequest`, `HTTPURLResponse` and the rest of FoundationNetworking, which are Foundation's on Apple's systems.
///
/// RoostURLSession has the names of FoundationNetworking's session. In a file that imports both, each of them is ambiguous;
/// names of the app's own module come first. So the app's module says which ones are meant, once, for itself and for
/// the modules that import it.
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
        let aliases = names.map { "public typealias \($0) = RoostURLSession.\($0)" }
        return """
            // Background downloads on Linux are Roost's: these names, which FoundationNetworking has as well, mean its own.
            #if canImport(RoostURLSession)
            @_exported import RoostURLSession

            \(aliases.joined(separator: "\n"))
            public let NSURLSessionDownloadTaskResumeData = RoostURLSession.NSURLSessionDownloadTaskResumeData
            #endif

            """
    }()
}
