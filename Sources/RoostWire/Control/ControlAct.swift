public import LifeCycleModel

/// A user action on an app that belongs to a concern. The answer consists of decisions.
protocol ControlAct: Hashable, Sendable {
    var app: BundleIdentifier { get }
    /// The input to the concern.
    func input(_ app: AppID) -> ConcernInput
    /// The call as it is sent.
    var call: VarlinkCall { get }
}

/// A user action of any concern.
public struct AnyControlAct: Hashable, Sendable {
    let act: any ControlAct

    init(_ act: some ControlAct) { self.act = act }

    /// The app that the action is for.
    public var app: BundleIdentifier { act.app }
    /// The input to the concern.
    public func input(_ app: AppID) -> ConcernInput { act.input(app) }

    /// Whether both are the same action.
    public static func == (left: Self, right: Self) -> Bool { AnyHashable(left.act) == AnyHashable(right.act) }

    /// Hashes the action.
    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(act)) }
}
