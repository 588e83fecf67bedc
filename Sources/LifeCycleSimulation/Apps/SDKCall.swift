/// Something that an app's code asks of a concern by the SDK, as scripts and scenarios have it. None of it has a default.
protocol SDKCall: Hashable, Sendable {
    /// The method, as Apple writes it.
    var signature: String { get }
    /// The rule it goes by.
    var rule: String { get }
    /// What the app does: `registers for notifications`.
    var text: String { get }

    func perform(in app: inout ScriptedApp, into acts: inout [ScriptedApp.Act])
}

/// A call of any concern's.
public struct AnySDKCall: Hashable, Sendable {
    let call: any SDKCall

    init(_ call: some SDKCall) { self.call = call }

    /// The method, as Apple writes it.
    public var signature: String { call.signature }
    /// The rule it goes by.
    public var rule: String { call.rule }
    /// What the app does, in words. It may have texts of the app's in it, which are not fit to be shown.
    public var text: String { call.text }

    /// Whether both are the same call of the same concern.
    public static func == (left: Self, right: Self) -> Bool { AnyHashable(left.call) == AnyHashable(right.call) }

    /// Hashes the call.
    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(call)) }
}
