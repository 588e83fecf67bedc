import LifeCycleModel

/// One capability of the device, such as background fetch: who wants it, what is due, and what is persisted of it.
///
/// A concern reads the device and never changes it: it says what it wants by `Actions`, in the order in which that is to be
/// done. It hears of changes of the device at the end of each event, and knows nothing of the other concerns.
protocol Concern: Hashable, Sendable, Codable {
    /// A report of its adapter, or an act of the user.
    associatedtype Input
    /// A request of an app.
    associatedtype Request
    /// Why something was or was not done.
    associatedtype Reason
    /// A change of its records.
    associatedtype Persisted
    /// Work for its adapter.
    associatedtype Output
    /// A message to an app, which calls no code of the app.
    associatedtype Message

    /// The concern becomes what the store remembers of it. The records are of installed apps, and those of other concerns are
    /// among them.
    mutating func restore(_ records: [ConcernRecord], on device: DeviceState)

    /// Whether no app uses the concern. The concern is then told only of inputs, requests, and apps that attach.
    var isIdle: Bool { get }
    /// After a restart of the system: the completion handlers that apps may have been given before, and of which the apps
    /// say nothing when they connect again.
    var openHandlers: [OpenHandler] { get }
    /// When `settle` is wanted next, on the awake clock.
    func nextDeadline(on device: DeviceState) -> Deadline?

    /// Its adapter reports something, or the user acts.
    mutating func handle(_ input: Input, on device: DeviceState, into actions: inout Actions<Self>)
    /// An app that runs asks for something.
    mutating func handle(
        _ request: Request, from launch: LaunchID, on device: DeviceState, into actions: inout Actions<Self>)
    /// The device or an app has changed. It has no default: a new change is looked at for each concern.
    mutating func handle(_ change: DeviceChange, on device: DeviceState, into actions: inout Actions<Self>)
    /// The event is handled: the concern does what is due.
    mutating func settle(on device: DeviceState, into actions: inout Actions<Self>)

    /// The word of this concern inside a sum; nil if the sum holds a word of another concern.
    static func input(in input: ConcernInput) -> Input?
    static func request(in request: ConcernRequest) -> Request?
    static func reason(_ reason: Reason) -> ConcernReason
    static func record(_ change: Persisted) -> ConcernRecord
    static func output(_ output: Output) -> ConcernOutput
    static func message(_ message: Message) -> ConcernMessage
}
