import Foundation
import NewsstandKit
import UIKit

/// The app of the end-to-end tests of Newsstand. A push names an issue and the URLs of its assets. The app downloads
/// the assets and prints the events.
@main
final class NewsstandTestApp: UIResponder, UIApplicationDelegate, NSURLConnectionDownloadDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let ids = launchOptions?[.newsstandDownloads] as? [String]
        let isPush = launchOptions?[.remoteNotification] != nil
        say("launched state=\(application.applicationState.rawValue) push=\(isPush) downloads=\(ids?.count ?? -1)")
        let known = NKLibrary.shared()?.downloadingAssets ?? []
        if let ids { say("named \(Set(ids).isSubset(of: known.map(\.identifier)))") }
        for asset in known {
            say("again \(asset.issue?.name ?? "?") \(asset.userInfo?["number"] as? Int ?? 0)")
            asset.download(with: self)
        }
        application.registerForRemoteNotifications()
        if let push = launchOptions?[.remoteNotification] as? [AnyHashable: Any] { begin(push) }
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { say("registered") }

    /// The older method, which apps of Newsstand's time had.
    func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {
        say("pushed \(userInfo["issue"] as? String ?? "?")")
        begin(userInfo)
    }

    private func begin(_ userInfo: [AnyHashable: Any]) {
        guard let name = userInfo["issue"] as? String, let urls = userInfo["urls"] as? [String],
            let library = NKLibrary.shared()
        else { return }
        let issue = library.addIssue(withName: name, date: Date())
        for (index, url) in urls.compactMap({ URL(string: $0) }).enumerated() {
            let asset = issue.addAsset(with: URLRequest(url: url))
            asset.userInfo = ["number": index + 1]
            asset.download(with: self)
            say("begun \(name) \(index + 1)")
        }
    }

    func connectionDidFinishDownloading(_ connection: NSURLConnection, destinationURL: URL) {
        guard let asset = connection.newsstandAssetDownload, let issue = asset.issue else { return say("lost") }
        let number = asset.userInfo?["number"] as? Int ?? 0
        do {
            try FileManager.default.moveItem(
                at: destinationURL, to: issue.contentURL.appendingPathComponent("\(number).bin"))
            say("arrived \(issue.name) \(number) \(issue.contentURL.path)")
        } catch {
            say("not moved: \(error)")
        }
        tellStatus(of: issue)
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        let issue = connection.newsstandAssetDownload?.issue
        say("failed \(issue?.name ?? "?") \((error as? URLError)?.code.rawValue ?? 0)")
        if let issue { tellStatus(of: issue) }
    }

    /// Prints the issue's status after the current call has returned.
    private func tellStatus(of issue: NKIssue) {
        DispatchQueue.main.async { say("status \(issue.name) \(issue.status)") }
    }
}

/// Writes a line at once, also if the output is a pipe.
private func say(_ line: String) {
    let bytes = [UInt8]((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}
