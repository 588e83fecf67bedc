import AppCore
public import Foundation

/// The facts about a call of the app at one time.
public final class CXCall: NSObject, Sendable {
    /// The name of the call.
    public let uuid: UUID
    /// Whether the app has begun the call.
    public let isOutgoing: Bool
    /// Whether the call is on hold.
    public let isOnHold: Bool
    /// Whether the app has answered the call, or the other side has.
    public let hasConnected: Bool
    /// Whether the call is over.
    public let hasEnded: Bool

    init(_ call: CallSnapshot) {
        uuid = call.id.uuid
        isOutgoing = call.isOutgoing
        isOnHold = call.isOnHold
        hasConnected = call.hasConnected
        hasEnded = call.hasEnded
        super.init()
    }

    /// Whether all facts are the same.
    public func isEqual(to call: CXCall) -> Bool {
        uuid == call.uuid && isOutgoing == call.isOutgoing && isOnHold == call.isOnHold
            && hasConnected == call.hasConnected && hasEnded == call.hasEnded
    }

    /// Whether the object is a call with the same facts.
    public override func isEqual(_ object: Any?) -> Bool { (object as? CXCall).map { isEqual(to: $0) } ?? false }

    /// The hash value of the name.
    public override var hash: Int { uuid.hashValue }
}
