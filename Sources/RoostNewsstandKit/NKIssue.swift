public import Foundation
public import FoundationNetworking

extension Notification.Name {
    /// Posted when all assets of an issue have ended; the object is the issue.
    public static let NKIssueDownloadCompleted = Self("NKIssueDownloadCompletedNotification")
}

/// The state of an issue's content.
public enum NKIssueContentStatus: Int, Sendable {
    /// There is no content, and none is being downloaded.
    case none
    /// Assets are waiting for download or are being downloaded.
    case downloading
    /// The assets have arrived.
    case available
}

/// An issue of a publication in the app's library.
@preconcurrency @MainActor public final class NKIssue: NSObject {
    /// The issue's name, unique in the library.
    public let name: String
    /// The date that the app gave the issue.
    public let date: Date
    /// The directory for the content, in the app's container; deleted with the issue.
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

    /// The state of the content.
    public var status: NKIssueContentStatus {
        guard let record = library?.store.issue(identifier) else { return .none }
        if !record.assets.isEmpty { return .downloading }
        return record.hasContent ? .available : .none
    }

    /// The assets whose outcome the app has not received yet.
    public var downloadingAssets: [NKAssetDownload] {
        library?.store.issue(identifier)?.assets.compactMap { library?.asset($0, of: self) } ?? []
    }

    /// Adds a file to download. `NKAssetDownload.download(with:)` starts the download.
    public func addAsset(with request: URLRequest) -> NKAssetDownload {
        guard let library else { preconditionFailure("the library lives as long as its app") }
        return library.addAsset(request, to: self)
    }
}

/// A file that belongs to an issue and is to be downloaded.
@preconcurrency @MainActor public final class NKAssetDownload: NSObject {
    /// The asset's identifier, the same in this launch and all later ones.
    public let identifier: String
    /// The request for the file.
    public let urlRequest: URLRequest
    /// The issue of the asset; nil after the issue is released.
    public private(set) weak var issue: NKIssue?
    private let library: NKLibrary

    init(_ identifier: String, _ request: URLRequest, of issue: NKIssue, in library: NKLibrary) {
        self.identifier = identifier
        urlRequest = request
        self.issue = issue
        self.library = library
        super.init()
    }

    /// The app's own data for the asset: anything that a property list can hold. It is persisted until the asset is
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

    /// Starts the download or, in a later launch, attaches to it. At each launch, call this for every asset in
    /// `NKLibrary.downloadingAssets`.
    ///
    /// The system downloads even if the app ends. It wakes the app when all its assets have arrived or failed.
    /// A failed asset starts over.
    @discardableResult
    public func download(with delegate: any NSURLConnectionDownloadDelegate) -> NSURLConnection {
        library.download(self, delegate)
    }
}
