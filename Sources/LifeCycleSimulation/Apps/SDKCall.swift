import LifeCycleModel

/// A call of an app's code to a concern's SDK, as in scripts and scenarios. No requirement has a default.
protocol SDKCall: Hashable, Sendable {
    /// The method's signature, as Apple writes it.
    var signature: String { get }
    /// The rule that the call follows.
    var rule: String { get }
    /// The action in words, such as `registers for notifications`.
    var text: String { get }

    /// Makes the call. `now` is the time on CLOCK_MONOTONIC.
    func perform(in app: inout ScriptedApp, at now: Nanoseconds, into acts: inout [ScriptedApp.Act])
}

/// A call to the SDK of any concern.
public struct AnySDKCall: Hashable, Sendable {
    let call: any SDKCall

    init(_ call: some SDKCall) { self.call = call }

    /// The method's signature, as Apple writes it.
    public var signature: String { call.signature }
    /// The rule that the call follows.
    public var rule: String { call.rule }
    /// The action in words. The text may contain texts of the app, which must be made safe before they are displayed.
    public var text: String { call.text }

    /// Whether both are the same call to the same concern.
    public static func == (left: Self, right: Self) -> Bool { AnyHashable(left.call) == AnyHashable(right.call) }

    /// Needed because `call` is existential.
    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(call)) }
}
