public import Foundation
import LifeCycleModel
import RoostKit

/// A kind of push that a registry can ask for.
public struct PKPushType: RawRepresentable, Hashable, Sendable {
    /// The name of the kind.
    public let rawValue: String

    /// Creates a kind by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Pushes for incoming calls.
    public static let voIP = PKPushType(rawValue: "PKPushTypeVoIP")
    /// Pushes for a complication of a watch. Roost delivers none.
    public static let complication = PKPushType(rawValue: "PKPushTypeComplication")
    /// Pushes for a File Provider extension. Roost delivers none.
    public static let fileProvider = PKPushType(rawValue: "PKPushTypeFileProvider")
}

/// The token by which a provider addresses an app for pushes of a kind.
public final class PKPushCredentials: NSObject, Sendable {
    /// The kind of the pushes.
    public let type: PKPushType
    /// The token: 32 bytes.
    public let token: Data

    init(_ token: DeviceToken) { (type, self.token) = (.voIP, Data(token.bytes)) }
}

/// A push that has arrived.
public final class PKPushPayload: NSObject {
    /// The kind of the push.
    public let type: PKPushType
    /// The JSON object that the provider sent.
    public let dictionaryPayload: [AnyHashable: Any]

    init(_ payload: String) { (type, dictionaryPayload) = (.voIP, UIApplication.userInfo(of: payload)) }
}
