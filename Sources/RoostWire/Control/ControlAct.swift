public import LifeCycleModel

/// A user action that belongs to a concern. The answer consists of decisions.
protocol ControlAct: Hashable, Sendable {
    var subject: ControlSubject { get }
    /// The call as it is sent.
    var call: VarlinkCall { get }
}

/// The subject of a user action, with the action as the brain receives it.
public enum ControlSubject {
    /// An app, which has an id if it is installed.
    case app(BundleIdentifier, (AppID) -> ConcernInput)
    /// The device, at a time of the wall clock.
    case device((_ wallNow: Nanoseconds) -> ConcernInput)
}

/// A user action of any concern.
public struct AnyControlAct: Hashable, Sendable {
    let act: any ControlAct

    init(_ act: some ControlAct) { self.act = act }

    /// The app or the device that the user acts on.
    public var subject: ControlSubject { act.subject }

    /// Whether both are the same action.
    public static func == (left: Self, right: Self) -> Bool { AnyHashable(left.act) == AnyHashable(right.act) }

    /// Needed because the action is existential.
    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(act)) }
}
