public import LifeCycleModel

/// A user action on an app that belongs to a concern. The answer consists of decisions.
protocol ControlAct: Hashable, Sendable {
    var app: BundleIdentifier { get }
    /// The action as the brain receives it, for the installed app with this id.
    func input(_ app: AppID) -> ConcernInput
    /// The call as it is sent.
    var call: VarlinkCall { get }
}

/// A user action of any concern.
public struct AnyControlAct: Hashable, Sendable {
    let act: any ControlAct

    init(_ act: some ControlAct) { self.act = act }

    /// The app that the user named.
    public var app: BundleIdentifier { act.app }
    /// The action as the brain receives it, for the installed app with this id.
    public func input(_ app: AppID) -> ConcernInput { act.input(app) }

    /// Whether both are the same action.
    public static func == (left: Self, right: Self) -> Bool { AnyHashable(left.act) == AnyHashable(right.act) }

    /// Needed because the action is existential.
    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(act)) }
}
