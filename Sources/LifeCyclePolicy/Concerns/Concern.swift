import LifeCycleModel

/// One capability of the device, such as background fetch: the apps that use it, its deadlines and its records.
///
/// A concern reads the device and never changes it. It asks for changes by `Actions`, in the order in which they are to
/// be carried out. It is notified of changes of the device at the end of each event, and knows no other concern.
protocol Concern: Hashable, Sendable, Codable {
    /// A report of its adapter, or an action of the user.
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

    /// Restores the concern from the records in the store. The records are of installed apps and of all concerns.
    mutating func restore(_ records: [ConcernRecord], on device: DeviceState)

    /// Whether no app uses the concern. An idle concern is notified only of inputs, requests, and apps that attach.
    var isIdle: Bool { get }
    /// The handlers that apps may have been given before a restart of the system, and that they do not report when they
    /// connect again.
    var openHandlers: [OpenHandler] { get }
    /// The assertions of apps from before a restart of the system.
    var assertions: [(app: AppID, assertion: Assertion)] { get }
    /// The time at which `settle` is wanted next, on the awake clock.
    func nextDeadline(on device: DeviceState) -> Deadline?

    /// Its adapter reports something, or the user acts.
    mutating func handle(_ input: Input, on device: DeviceState, into actions: inout Actions<Self>)
    /// An app that runs asks for something.
    mutating func handle(
        _ request: Request, from launch: LaunchID, on device: DeviceState, into actions: inout Actions<Self>)
    /// The device or an app has changed. There is no default implementation, so that each concern has to consider a new
    /// change.
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
