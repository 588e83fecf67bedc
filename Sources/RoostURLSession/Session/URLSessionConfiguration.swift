public import Foundation
public import FoundationNetworking
import LifeCycleModel
import Synchronization

/// How a session behaves. A session copies it: what is changed afterwards changes nothing.
public final class URLSessionConfiguration: NSObject, NSCopying, Sendable {
    /// What FoundationNetworking's has no room for.
    struct Values: Hashable, Sendable {
        var isDiscretionary = false
        var sessionSendsLaunchEvents = true
        var waitsForConnectivity = false
        var allowsExpensiveNetworkAccess = true
        var allowsConstrainedNetworkAccess = true
        var sharedContainerIdentifier: String?
    }

    /// The name of a background session; nil for any other.
    public let identifier: String?
    /// All the rest, and what other sessions are made with. Whoever changes it does so from one place, as with any
    /// configuration.
    let base: FoundationNetworking.URLSessionConfiguration
    private let values: Mutex<Values>

    private init(
        identifier: String? = nil, base: FoundationNetworking.URLSessionConfiguration, values: Values = Values()
    ) {
        self.identifier = identifier
        self.base = base
        self.values = Mutex(values)
    }

    /// A configuration of its own that begins with the defaults.
    public class var `default`: URLSessionConfiguration { URLSessionConfiguration(base: .default) }

    /// The same, for sessions that keep nothing on disk.
    public class var ephemeral: URLSessionConfiguration { URLSessionConfiguration(base: .ephemeral) }

    /// For a session whose downloads the system carries, also while the app is suspended or not running (R-50, K095).
    public class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
        precondition(
            identifier != SessionIdentifier.newsstand.rawValue,
            "\(identifier) is the name of the session of an app's Newsstand downloads: NKAssetDownload makes these")
        return URLSessionConfiguration(identifier: identifier, base: .default)
    }

    /// For an app's Newsstand downloads.
    package static var newsstand: URLSessionConfiguration {
        URLSessionConfiguration(identifier: SessionIdentifier.newsstand.rawValue, base: .default)
    }

    /// A copy.
    public func copy(with zone: NSZone? = nil) -> Any {
        // A copy of a configuration is a configuration.
        let base = base.copy() as? FoundationNetworking.URLSessionConfiguration ?? .default
        return URLSessionConfiguration(identifier: identifier, base: base, values: values.withLock(\.self))
    }

    // MARK: Background sessions

    /// Whether the system chooses the time: on a network that costs nothing, with power (R-51, R-52, K097).
    public var isDiscretionary: Bool {
        get { values.withLock(\.isDiscretionary) }
        set { values.withLock { $0.isDiscretionary = newValue } }
    }

    /// Whether the app is resumed or launched when all is done (R-51, K096).
    public var sessionSendsLaunchEvents: Bool {
        get { values.withLock(\.sessionSendsLaunchEvents) }
        set { values.withLock { $0.sessionSendsLaunchEvents = newValue } }
    }

    /// Of no meaning to a background session, which always waits, nor to FoundationNetworking.
    public var waitsForConnectivity: Bool {
        get { values.withLock(\.waitsForConnectivity) }
        set { values.withLock { $0.waitsForConnectivity = newValue } }
    }

    /// Whether networks may be used that cost something.
    public var allowsExpensiveNetworkAccess: Bool {
        get { values.withLock(\.allowsExpensiveNetworkAccess) }
        set { values.withLock { $0.allowsExpensiveNetworkAccess = newValue } }
    }

    /// Whether networks in Low Data Mode may be used.
    public var allowsConstrainedNetworkAccess: Bool {
        get { values.withLock(\.allowsConstrainedNetworkAccess) }
        set { values.withLock { $0.allowsConstrainedNetworkAccess = newValue } }
    }

    /// The container that an extension shares with its app; an app has one.
    public var sharedContainerIdentifier: String? {
        get { values.withLock(\.sharedContainerIdentifier) }
        set { values.withLock { $0.sharedContainerIdentifier = newValue } }
    }

    // MARK: Every session

    /// Whether mobile networks may be used.
    public var allowsCellularAccess: Bool {
        get { base.allowsCellularAccess }
        set { base.allowsCellularAccess = newValue }
    }

    /// How many connections one host may get.
    public var httpMaximumConnectionsPerHost: Int {
        get { base.httpMaximumConnectionsPerHost }
        set { base.httpMaximumConnectionsPerHost = newValue }
    }

    /// Fields that are added to every request.
    public var httpAdditionalHeaders: [AnyHashable: Any]? {
        get { base.httpAdditionalHeaders }
        set { base.httpAdditionalHeaders = newValue }
    }

    /// How long nothing may arrive, in seconds; a background session tries again then.
    public var timeoutIntervalForRequest: TimeInterval {
        get { base.timeoutIntervalForRequest }
        set { base.timeoutIntervalForRequest = newValue }
    }

    /// How long it may take in all, in seconds.
    public var timeoutIntervalForResource: TimeInterval {
        get { base.timeoutIntervalForResource }
        set { base.timeoutIntervalForResource = newValue }
    }

    /// How a cache is used; not by a background session.
    public var requestCachePolicy: NSURLRequest.CachePolicy {
        get { base.requestCachePolicy }
        set { base.requestCachePolicy = newValue }
    }

    /// What the traffic is for.
    public var networkServiceType: NSURLRequest.NetworkServiceType {
        get { base.networkServiceType }
        set { base.networkServiceType = newValue }
    }

    /// Whether requests carry the cookies of `httpCookieStorage`; not those of a background session.
    public var httpShouldSetCookies: Bool {
        get { base.httpShouldSetCookies }
        set { base.httpShouldSetCookies = newValue }
    }

    /// Which cookies are kept.
    public var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { base.httpCookieAcceptPolicy }
        set { base.httpCookieAcceptPolicy = newValue }
    }

    /// Where cookies are kept.
    public var httpCookieStorage: HTTPCookieStorage? {
        get { base.httpCookieStorage }
        set { base.httpCookieStorage = newValue }
    }

    /// Where answers are kept; not those of a background session.
    public var urlCache: URLCache? {
        get { base.urlCache }
        set { base.urlCache = newValue }
    }

    /// Where credentials are kept.
    public var urlCredentialStorage: URLCredentialStorage? {
        get { base.urlCredentialStorage }
        set { base.urlCredentialStorage = newValue }
    }

    /// Protocols of the app's own; a background session knows none.
    public var protocolClasses: [AnyClass]? {
        get { base.protocolClasses }
        set { base.protocolClasses = newValue }
    }
}
