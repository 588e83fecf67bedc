public import Foundation
public import FoundationNetworking

extension Notification.Name {
    /// All assets of an issue have come to an end; the object is the issue.
    public static let NKIssueDownloadCompleted = Self("NKIssueDownloadCompletedNotification")
}

/// How far the content of an issue is.
public enum NKIssueContentStatus: Int, Sendable {
    /// There is none, and none is on its way.
    case none
    /// Assets of it are to be downloaded, or are being so.
    case downloading
    /// Its assets have arrived.
    case available
}

/// An issue of a publication in the app's library.
@preconcurrency @MainActor public final class NKIssue: NSObject {
    /// The issue's name, which is unique in the library.
    public let name: String
    /// Its date.
    public let date: Date
    /// The directory for its content, in the app's container; it goes with the issue.
    public let contentURL: URL

    let identifier: String
    private weak var library: NKLibrary?

    init(_ record: LibraryRecord.Issue, in library: NKLibrary) {
        name = record.name
        date = record.date
        identifier = record.identifier
        contentURL = library.store.content(of: record.identifier)
        self.library = library
        super.init()
    }

    /// How far its content is.
    public var status: NKIssueContentStatus {
        guard let record = library?.store.issue(identifier) else { return .none }
        if !record.assets.isEmpty { return .downloading }
        return record.hasContent ? .available : .none
    }

    /// Those of its assets that its app has not been told the end of.
    public var downloadingAssets: [NKAssetDownload] {
        library?.store.issue(identifier)?.assets.compactMap { library?.asset($0, of: self) } ?? []
    }

    /// Adds something that is to be downloaded; `NKAssetDownload.download(with:)` begins it.
    public func addAsset(with request: URLRequest) -> NKAssetDownload {
        guard let library else { preconditionFailure("the library lives as long as its app") }
        return library.addAsset(request, to: self)
    }
}

/// Something that belongs to an issue, and is to be downloaded.
@preconcurrency @MainActor public final class NKAssetDownload: NSObject {
    /// What it is known by, in this and every later launch.
    public let identifier: String
    /// What is asked for.
    public let urlRequest: URLRequest
    /// The issue it belongs to.
    public private(set) weak var issue: NKIssue?
    private let library: NKLibrary

    init(_ identifier: String, _ request: URLRequest, of issue: NKIssue, in library: NKLibrary) {
        self.identifier = identifier
        urlRequest = request
        self.issue = issue
        self.library = library
        super.init()
    }

    /// Whatever the app would like to keep with it, as far as a property list can hold it; as long as the asset is not
    /// downloaded.
    public var userInfo: [AnyHashable: Any]? {
        get {
            let data = library.store.asset(identifier)?.userInfo
            return data.flatMap { try? PropertyListSerialization.propertyList(from: $0, format: nil) }
                as? [String: Any]
        }
        set {
            let data = newValue.flatMap {
                try? PropertyListSerialization.data(fromPropertyList: $0, format: .binary, options: 0)
            }
            library.store.changeAsset(identifier) { $0.userInfo = data }
        }
    }

    /// Begins the download, or attaches to it in a later launch: to be called again for each asset in
    /// `NKLibrary.downloadingAssets` when the app is launched. The system downloads, whatever becomes of the app, and
    /// wakes it when all its assets have arrived or failed. An asset that has failed begins anew.
    @discardableResult
    public func download(with delegate: any NSURLConnectionDownloadDelegate) -> NSURLConnection {
        library.download(self, delegate)
    }
}
