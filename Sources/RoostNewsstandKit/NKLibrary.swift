public import Foundation
import FoundationNetworking
import LifeCycleModel
import RoostKit
import RoostURLSession

/// The issues of a Newsstand app, and their downloads.
@preconcurrency @MainActor public final class NKLibrary: NSObject {
    private struct Attached {
        let connection: NSURLConnection
        let delegate: any NSURLConnectionDownloadDelegate
    }

    private struct Held {
        let application: UIApplication
        let task: UIBackgroundTaskIdentifier
    }

    /// The libraries of the apps whose code runs in this process; several only if a test hosts apps.
    private static var libraries: [ObjectIdentifier: NKLibrary] = [:]

    /// The app's library; nil if the app does not declare `newsstand-content` in `UIBackgroundModes`.
    public class func shared() -> NKLibrary? {
        guard AppRunner.isOfNewsstand else { return nil }
        let app = AppSession.current
        if let library = libraries[ObjectIdentifier(app)] { return library }
        let library = NKLibrary(app)
        libraries[ObjectIdentifier(app)] = library
        return library
    }

    let store: LibraryStore
    private let app: AppSession
    private var issueObjects: [String: NKIssue] = [:]
    private var assetObjects: [String: NKAssetDownload] = [:]
    /// The delegates of the assets for which the app has called `download(with:)`.
    private var attached: [String: Attached] = [:]
    /// The assets added in this launch; no earlier launch has started their downloads.
    private var new: Set<String> = []
    /// The assets whose downloads this launch has started.
    private var begun: Set<String> = []

    /// The background tasks that prevent suspension until it is known which downloads an earlier launch has started.
    private var held: [String: Held] = [:]

    /// The background session. It is opened on first use, so an app that only reads issues opens none.
    private lazy var session = RoostURLSession.URLSession(
        configuration: .newsstand,
        delegate: NewsstandSession(store, app) { [weak self] in self }, delegateQueue: nil)

    init(_ app: AppSession) {
        self.app = app
        store = LibraryStore(container: app.container) { app.log($0) }
        super.init()
    }

    // MARK: Issues

    /// All issues in the order in which they were added.
    public var issues: [NKIssue] { store.issues.map(issue) }

    /// All assets whose outcome the app has not received. At launch, the app calls `download(with:)` for each.
    public var downloadingAssets: [NKAssetDownload] { issues.flatMap(\.downloadingAssets) }

    /// The issue with a name; nil if there is none.
    public func issue(withName name: String) -> NKIssue? { store.issues.first { $0.name == name }.map(issue) }

    /// The issue with this name, which is unique in the library. An existing issue is returned with its own date.
    public func addIssue(withName name: String, date: Date) -> NKIssue {
        if let known = issue(withName: name) { return known }
        let record = LibraryRecord.Issue(identifier: UUID().uuidString, name: name, date: date)
        try? FileManager.default.createDirectory(
            at: store.content(of: record.identifier), withIntermediateDirectories: true)
        store.change { $0.issues.append(record) }
        return issue(record)
    }

    /// Removes an issue with its content, and cancels its downloads.
    public func removeIssue(_ issue: NKIssue) {
        cancel(issue.downloadingAssets.map(\.identifier))
        store.change { record in
            record.issues.removeAll { $0.identifier == issue.identifier }
            if record.readingIssue == issue.identifier { record.readingIssue = nil }
        }
        issueObjects[issue.identifier] = nil
        try? FileManager.default.removeItem(at: issue.contentURL)
    }

    /// The issue that the user is reading; nil for none. It is persisted beyond the app's end.
    public var currentlyReadingIssue: NKIssue? {
        get { store.readingIssue.flatMap(store.issue).map(issue) }
        set { store.change { $0.readingIssue = newValue?.identifier } }
    }

    private func issue(_ record: LibraryRecord.Issue) -> NKIssue {
        if let known = issueObjects[record.identifier] { return known }
        let issue = NKIssue(record, in: self)
        issueObjects[record.identifier] = issue
        return issue
    }

    // MARK: Assets

    func asset(_ record: LibraryRecord.Asset, of issue: NKIssue) -> NKAssetDownload? {
        if let known = assetObjects[record.identifier] { return known }
        guard let request = record.request.urlRequest else { return nil }
        let asset = NKAssetDownload(record.identifier, request, of: issue, in: self)
        assetObjects[record.identifier] = asset
        return asset
    }

    func addAsset(_ request: URLRequest, to issue: NKIssue) -> NKAssetDownload {
        let asset = NKAssetDownload(UUID().uuidString, request, of: issue, in: self)
        keep(asset)
        return asset
    }

    private func keep(_ asset: NKAssetDownload) {
        new.insert(asset.identifier)
        assetObjects[asset.identifier] = asset
        let record: LibraryRecord.Asset
        do throws(RequestRefusal) {
            record = LibraryRecord.Asset(identifier: asset.identifier, request: try TransferRequest(asset.urlRequest))
        } catch {
            // The app receives the failure when it starts the download, as for any connection.
            record = LibraryRecord.Asset(
                identifier: asset.identifier, request: TransferRequest(url: asset.urlRequest.url?.absoluteString ?? ""),
                outcome: .failed(code: error.code, reason: error.reason))
        }
        store.change { library in
            guard let place = library.issues.firstIndex(where: { $0.identifier == asset.issue?.identifier }) else {
                return
            }
            library.issues[place].assets.append(record)
        }
    }

    // MARK: Downloads

    func download(_ asset: NKAssetDownload, _ delegate: any NSURLConnectionDownloadDelegate) -> NSURLConnection {
        let identifier = asset.identifier
        // The asset has failed before and is to be tried again.
        if store.asset(identifier) == nil { keep(asset) }
        let connection = attached[identifier]?.connection ?? NSURLConnection(asset, in: self)
        attached[identifier] = Attached(connection: connection, delegate: delegate)
        if store.asset(identifier)?.outcome != nil {
            Task { @MainActor in deliverOutcomes() }
        } else if new.contains(identifier) {
            begin(asset)
        } else {
            attach(asset)
        }
        return connection
    }

    private func begin(_ asset: NKAssetDownload) {
        guard begun.insert(asset.identifier).inserted else { return }
        let task = session.downloadTask(with: asset.urlRequest)
        task.taskDescription = asset.identifier
        task.resume()
    }

    /// Attaches to a download. An earlier launch may have started the download, or have died before. The app is not
    /// suspended until it is known which.
    private func attach(_ asset: NKAssetDownload) {
        let identifier = asset.identifier
        hold(identifier)
        session.getAllTasks { tasks in
            let isThere = tasks.contains { $0.taskDescription == identifier }
            Task { @MainActor [self] in
                // The outcome may have been delivered meanwhile.
                if !isThere, let record = store.asset(identifier), record.outcome == nil { begin(asset) }
                letGo(identifier)
            }
        }
    }

    private func hold(_ identifier: String) {
        guard held[identifier] == nil else { return }
        let application = UIApplication.shared
        let task = application.beginBackgroundTask(withName: "Newsstand download") { [self] in letGo(identifier) }
        held[identifier] = Held(application: application, task: task)
    }

    private func letGo(_ identifier: String) {
        guard let held = held.removeValue(forKey: identifier) else { return }
        held.application.endBackgroundTask(held.task)
    }

    /// Cancels downloads.
    func cancel(_ identifiers: [String]) {
        let underWay = Set(identifiers.filter { store.asset($0)?.outcome == nil })
        for identifier in identifiers {
            store.removeAsset(identifier)
            forget(identifier)
        }
        guard !underWay.isEmpty else { return }
        session.getAllTasks { tasks in
            for task in tasks where task.taskDescription.map(underWay.contains) ?? false { task.cancel() }
        }
    }

    private func forget(_ identifier: String) {
        attached[identifier] = nil
        assetObjects[identifier] = nil
        new.remove(identifier)
        begun.remove(identifier)
        store.forgetFile(of: identifier)
    }

    // MARK: Outcomes

    /// Delivers the outcomes of the assets for which the app has set a delegate.
    func deliverOutcomes() {
        for record in store.issues {
            var isDelivered = false
            for asset in record.assets where attached[asset.identifier] != nil {
                isDelivered = deliver(asset) || isDelivered
            }
            guard isDelivered, store.issue(record.identifier)?.assets.isEmpty == true else { continue }
            NotificationCenter.default.post(name: .NKIssueDownloadCompleted, object: issue(record))
        }
    }

    private func deliver(_ asset: LibraryRecord.Asset) -> Bool {
        guard let outcome = asset.outcome,
            let (connection, delegate) = attached[asset.identifier].map({
                ($0.connection, $0.delegate)
            })
        else { return false }
        // Detach first: the delegate may cause another call of this method.
        attached[asset.identifier] = nil
        switch outcome {
        case .arrived:
            if let place = store.place(of: asset.identifier) {
                delegate.connectionDidFinishDownloading(connection, destinationURL: place)
                store.removeAsset(asset.identifier, hasArrived: true)
                forget(asset.identifier)
            } else {
                fail(asset, NSURLErrorFileDoesNotExist, "the downloaded file is gone", connection, delegate)
            }
        case .failed(let code, let reason): fail(asset, code, reason, connection, delegate)
        }
        return true
    }

    private func fail(
        _ asset: LibraryRecord.Asset, _ code: Int, _ reason: String, _ connection: NSURLConnection,
        _ delegate: any NSURLConnectionDownloadDelegate
    ) {
        var info: [String: Any] = [NSLocalizedDescriptionKey: reason]
        if let url = connection.originalRequest.url { info[NSURLErrorFailingURLErrorKey] = url }
        let error = URLError(_nsError: NSError(domain: NSURLErrorDomain, code: code, userInfo: info))
        // Remove it before the call: the delegate may start the download again.
        store.removeAsset(asset.identifier)
        forget(asset.identifier)
        delegate.connection(connection, didFailWithError: error)
    }

    func deliverProgress(of identifier: String, _ new: Int64, _ received: Int64, _ expected: Int64) {
        guard let reader = attached[identifier] else { return }
        reader.delegate.connection(
            reader.connection, didWriteData: new, totalBytesWritten: received, expectedTotalBytes: expected)
    }

    func deliverResumption(of identifier: String, _ offset: Int64, _ expected: Int64) {
        guard let reader = attached[identifier] else { return }
        reader.delegate.connectionDidResumeDownloading(
            reader.connection, totalBytesWritten: offset, expectedTotalBytes: expected)
    }
}
