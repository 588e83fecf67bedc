import LifeCycleModel
import LifeCyclePolicy

/// A concern's part in the simulation. No requirement has a default, so that each concern considers a new requirement.
protocol SimulatedConcern: SendableMetatype {
    /// A call of each kind. A long exploration must reach each of them.
    static var calls: [ConcernCall] { get }
    /// The decisions that a long exploration must reach.
    static var reasons: [ConcernReason] { get }
    /// The actions of the user and of the concern's adapters in random histories.
    static var acts: [Act] { get }
    /// The rules of the concern, for a device at the start of a journal.
    static func invariants(of device: Device) -> [any Invariant]

    // Each of the following returns nil for a word of another concern.
    static func rules(of call: ConcernCall) -> (any SimulatedCall)?
    static func work(_ output: ConcernOutput) -> (any SimulatedOutput)?
    static func reason(_ reason: ConcernReason) -> (any SimulatedReason)?
    /// The concern's part of the reference model.
    static var reference: any ReferenceConcern.Type { get }
    /// The concern's alphabets in the exhaustive search, which explores each pair of concerns together.
    static var alphabets: [ConcernAlphabet] { get }
}

/// The simulated concerns, in the order in which they settle.
package enum SimulatedConcerns {
    static let all: [any SimulatedConcern.Type] = [
        SimulatedTransfers.self, SimulatedFetch.self, SimulatedNotifications.self, SimulatedLocation.self,
        SimulatedVoIP.self, SimulatedAudio.self, SimulatedSockets.self,
    ]

    /// The simulated concerns, for other modules that extend the types with their own parts.
    package static var types: [any SendableMetatype.Type] { all }

    /// The word as its own concern reads it. A word that no concern knows is a programming error.
    fileprivate static func own<Word>(_ word: some Any, _ read: (any SimulatedConcern.Type) -> Word?) -> Word {
        for concern in all { if let own = read(concern) { return own } }
        preconditionFailure("the concern of \(word) is not in SimulatedConcerns.all")
    }
}

/// The rules for a concern's call, independent of the brain's rules.
protocol SimulatedCall {
    /// A call of each kind.
    static var samples: [Self] { get }
    /// The completion handler that the app gets with this callback; nil if it gets none.
    func handler(deliveredBy callback: CallbackID) -> CompletionHandler?
    /// Whether a user action may open the app with this call, which the app then gets on its way to the foreground.
    /// `pushes` looks up a remote notification of the device.
    func opensApp(_ pushes: (PushID) -> RemoteNotification?) -> Bool
    /// Whether an older call that was not sent to the app yet is dropped.
    func outdates(_ older: ConcernCall) -> Bool
}

extension ConcernCall {
    var rules: any SimulatedCall { SimulatedConcerns.own(self) { $0.rules(of: self) } }
}

/// Work for the adapters of the virtual bodies.
protocol SimulatedOutput {
    func perform(in world: inout World)
    func perform(in world: inout SmallWorld)
}

extension ConcernOutput {
    var work: any SimulatedOutput { SimulatedConcerns.own(self) { $0.work(self) } }
}

/// The simulation's view of a concern's decision.
protocol SimulatedReason {
    /// A decision of each kind, in each variant that is counted separately. A long exploration must reach all of them.
    static var samples: [Self] { get }
    /// The name in the explorer's report.
    var name: String { get }
    /// Whether the system itself decides to wake or call an app.
    var isOwnWake: Bool { get }
    /// Whether the system itself decides to wake this app for this reason.
    func wakes(_ app: AppID, for reason: LaunchReason, by rules: WakesFollowTheRules) -> Bool
}

extension ConcernReason {
    /// The simulation's view of the decision.
    var simulated: any SimulatedReason { SimulatedConcerns.own(self) { $0.reason(self) } }
}

/// The variants of each kind of word. `link` returns the variants of a word, and a word of the next kind. `link` must
/// be a `switch` without `default`, so that a new kind does not compile until it is added.
func everyKind<Word>(from first: Word, _ link: (Word) -> (variants: [Word], next: Word?)) -> [Word] {
    var all: [Word] = []
    var word: Word? = first
    while let present = word {
        let (variants, next) = link(present)
        all += variants
        word = next
    }
    return all
}

extension LaunchID {
    /// The launch that `samples` of calls and decisions refer to.
    static let sample = LaunchID(app: AppID(1), number: 1)
}
