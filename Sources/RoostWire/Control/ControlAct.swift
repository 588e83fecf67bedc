public import LifeCycleModel

/// Something that people and programs do to an app, of a concern: it is answered with what was decided.
protocol ControlAct: Hashable, Sendable {
    var app: BundleIdentifier { get }
    /// The input of the concern, for the app by its number.
    func input(_ app: AppID) -> ConcernInput
    /// The call as it is sent.
    var call: VarlinkCall { get }
}

/// An act of any concern.
public struct AnyControlAct: Hashable, Sendable {
    let act: any ControlAct

    init(_ act: some ControlAct) { self.act = act }

    /// The app that something is done to.
    public var app: BundleIdentifier { act.app }
    /// The input of the concern, for the app by its number.
    public func input(_ app: AppID) -> ConcernInput { act.input(app) }

    /// Whether both are the same act of the same concern.
    public static func == (left: Self, right: Self) -> Bool { AnyHashable(left.act) == AnyHashable(right.act) }

    /// Hashes the act.
    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(act)) }
}
