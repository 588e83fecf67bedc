public import Foundation
public import FoundationNetworking
import LifeCycleModel
import Synchronization

/// The configuration of a session. A session copies it, so later changes have no effect.
public final class URLSessionConfiguration: NSObject, NSCopying, Sendable {
    /// The values that FoundationNetworking's configuration lacks.
    struct Values: Hashable, Sendable {
        var isDiscretionary = false
        var sessionSendsLaunchEvents = true
        var waitsForConnectivity = false
        var allowsExpensiveNetworkAccess = true
        var allowsConstrainedNetworkAccess = true
        var sharedContainerIdentifier: String?
    }

    /// The identifier of a background session; nil for any other session.
    public let identifier: String?
    /// The other values, and the configuration of other sessions. This object is not synchronized: as with any
    /// configuration, the app must change it from one thread at a time.
    let base: FoundationNetworking.URLSessionConfiguration
    private let values: Mutex<Values>

    private init(
        identifier: String? = nil, base: FoundationNetworking.URLSessionConfiguration, values: Values = Values()
    ) {
        self.identifier = identifier
        self.base = base
        self.values = Mutex(values)
    }

    /// A new configuration with the default values.
    public class var `default`: URLSessionConfiguration { URLSessionConfiguration(base: .default) }

    /// A new configuration for sessions that store nothing on disk.
    public class var ephemeral: URLSessionConfiguration { URLSessionConfiguration(base: .ephemeral) }

    /// A configuration for downloads that the system performs, even while the app is suspended or not running (R-50,
    /// K095).
    public class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
        precondition(
            identifier != SessionIdentifier.newsstand.rawValue,
            "\(identifier) is reserved for Newsstand downloads: create them with NKAssetDownload")
        return URLSessionConfiguration(identifier: identifier, base: .default)
    }

    /// The configuration for an app's Newsstand downloads.
    package static var newsstand: URLSessionConfiguration {
        URLSessionConfiguration(identifier: SessionIdentifier.newsstand.rawValue, base: .default)
    }

    /// An independent configuration with the same values.
    public func copy(with zone: NSZone? = nil) -> Any {
        // The cast succeeds: a copy of a configuration is a configuration.
        let base = base.copy() as? FoundationNetworking.URLSessionConfiguration ?? .default
        return URLSessionConfiguration(identifier: identifier, base: base, values: values.withLock(\.self))
    }

    // MARK: Background sessions

    /// Whether the system chooses the time: on external power and an inexpensive network (R-51, R-52, K097).
    public var isDiscretionary: Bool {
        get { values.withLock(\.isDiscretionary) }
        set { values.withLock { $0.isDiscretionary = newValue } }
    }

    /// Whether the app is resumed or launched when all tasks have ended (R-51, K096).
    public var sessionSendsLaunchEvents: Bool {
        get { values.withLock(\.sessionSendsLaunchEvents) }
        set { values.withLock { $0.sessionSendsLaunchEvents = newValue } }
    }

    /// Stored without effect: a background session always waits, and FoundationNetworking never does.
    public var waitsForConnectivity: Bool {
        get { values.withLock(\.waitsForConnectivity) }
        set { values.withLock { $0.waitsForConnectivity = newValue } }
    }

    /// Whether expensive networks may be used.
    public var allowsExpensiveNetworkAccess: Bool {
        get { values.withLock(\.allowsExpensiveNetworkAccess) }
        set { values.withLock { $0.allowsExpensiveNetworkAccess = newValue } }
    }

    /// Whether networks in Low Data Mode may be used.
    public var allowsConstrainedNetworkAccess: Bool {
        get { values.withLock(\.allowsConstrainedNetworkAccess) }
        set { values.withLock { $0.allowsConstrainedNetworkAccess = newValue } }
    }

    /// The identifier of the container that an extension shares with its app; stored without effect.
    public var sharedContainerIdentifier: String? {
        get { values.withLock(\.sharedContainerIdentifier) }
        set { values.withLock { $0.sharedContainerIdentifier = newValue } }
    }

    // MARK: Every session

    /// Whether cellular networks may be used.
    public var allowsCellularAccess: Bool {
        get { base.allowsCellularAccess }
        set { base.allowsCellularAccess = newValue }
    }

    /// The maximum number of connections per host.
    public var httpMaximumConnectionsPerHost: Int {
        get { base.httpMaximumConnectionsPerHost }
        set { base.httpMaximumConnectionsPerHost = newValue }
    }

    /// Header fields to add to every request.
    public var httpAdditionalHeaders: [AnyHashable: Any]? {
        get { base.httpAdditionalHeaders }
        set { base.httpAdditionalHeaders = newValue }
    }

    /// The longest time without data, in seconds; a background session then tries again.
    public var timeoutIntervalForRequest: TimeInterval {
        get { base.timeoutIntervalForRequest }
        set { base.timeoutIntervalForRequest = newValue }
    }

    /// The longest time for a complete task, in seconds.
    public var timeoutIntervalForResource: TimeInterval {
        get { base.timeoutIntervalForResource }
        set { base.timeoutIntervalForResource = newValue }
    }

    /// The cache policy; ignored by a background session.
    public var requestCachePolicy: NSURLRequest.CachePolicy {
        get { base.requestCachePolicy }
        set { base.requestCachePolicy = newValue }
    }

    /// The purpose of the traffic.
    public var networkServiceType: NSURLRequest.NetworkServiceType {
        get { base.networkServiceType }
        set { base.networkServiceType = newValue }
    }

    /// Whether requests send the cookies of `httpCookieStorage`; ignored by a background session.
    public var httpShouldSetCookies: Bool {
        get { base.httpShouldSetCookies }
        set { base.httpShouldSetCookies = newValue }
    }

    /// The policy for accepting cookies.
    public var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { base.httpCookieAcceptPolicy }
        set { base.httpCookieAcceptPolicy = newValue }
    }

    /// The storage of cookies; nil for none.
    public var httpCookieStorage: HTTPCookieStorage? {
        get { base.httpCookieStorage }
        set { base.httpCookieStorage = newValue }
    }

    /// The cache of responses; ignored by a background session.
    public var urlCache: URLCache? {
        get { base.urlCache }
        set { base.urlCache = newValue }
    }

    /// The storage of credentials; nil for none.
    public var urlCredentialStorage: URLCredentialStorage? {
        get { base.urlCredentialStorage }
        set { base.urlCredentialStorage = newValue }
    }

    /// The app's own protocol classes; a background session ignores them.
    public var protocolClasses: [AnyClass]? {
        get { base.protocolClasses }
        set { base.protocolClasses = newValue }
    }
}
