public import Foundation

/// A means to reach a caller.
public final class CXHandle: NSObject, Sendable {
    /// The kinds of handles; raw values are Apple's.
    public enum HandleType: Int, Sendable {
        case generic = 1
        case phoneNumber = 2
        case emailAddress = 3
    }

    /// The kind of the handle.
    public let type: HandleType
    /// The name, the number or the address.
    public let value: String

    /// Creates a handle.
    public init(type: HandleType, value: String) {
        (self.type, self.value) = (type, value)
        super.init()
    }
}

/// Facts about a call. In a report of an update, the facts that are not set stay as they are.
///
/// The caller and `hasVideo` reach the system. The other values are stored and have no effect.
open class CXCallUpdate: NSObject {
    /// The handle of the caller, shown without a name.
    open var remoteHandle: CXHandle?
    /// The name of the caller.
    open var localizedCallerName: String?
    /// Whether the call has video.
    open var hasVideo = false {
        didSet { isVideoSet = true }
    }
    /// Whether the call can be held.
    open var supportsHolding = true
    /// Whether the call can be grouped with others.
    open var supportsGrouping = true
    /// Whether the call can leave its group.
    open var supportsUngrouping = true
    /// Whether tones can be sent.
    open var supportsDTMF = true

    private var isVideoSet = false

    /// Creates an update without facts.
    public override init() { super.init() }

    /// The caller to show; nil if it is not set.
    var caller: String? { localizedCallerName ?? remoteHandle?.value }

    /// Whether the call has video; nil if it is not set.
    var video: Bool? { isVideoSet ? hasVideo : nil }
}
