import LifeCycleModel
import LifeCyclePolicy

/// The part that the simulation plays of a concern. No requirement has a default: a new one is looked at for each concern.
protocol SimulatedConcern: SendableMetatype {
    /// A call of each kind. A long exploration has to reach each.
    static var calls: [ConcernCall] { get }
    /// The decisions that a long exploration has to reach.
    static var reasons: [ConcernReason] { get }
    /// What the user and its adapters do in random histories.
    static var acts: [Act] { get }
    /// The rules that hold for the concern, for a device as it is when a journal begins.
    static func invariants(of device: Device) -> [any Invariant]

    // Each gives nil for a word of another concern.
    static func rules(of call: ConcernCall) -> (any SimulatedCall)?
    static func work(_ output: ConcernOutput) -> (any SimulatedOutput)?
    static func reason(_ reason: ConcernReason) -> (any SimulatedReason)?
    /// Its part of the reference model.
    static var reference: any ReferenceConcern.Type { get }
    /// Its letters in the exhaustive search, which explores each two alphabets of concerns together.
    static var alphabets: [ConcernAlphabet] { get }
}

/// The concerns that are simulated, in the order in which they settle.
package enum SimulatedConcerns {
    static let all: [any SimulatedConcern.Type] = [
        SimulatedTransfers.self, SimulatedFetch.self, SimulatedNotifications.self,
    ]

    /// The same, for other modules, which extend them with what the concern brings there.
    package static var types: [any SendableMetatype.Type] { all }

    /// The word as its own concern has it. A word that no concern knows is a fault of ours.
    fileprivate static func own<Word>(_ word: some Any, _ read: (any SimulatedConcern.Type) -> Word?) -> Word {
        for concern in all { if let own = read(concern) { return own } }
        preconditionFailure("the concern of \(word) is not in SimulatedConcerns.all")
    }
}

/// What the rules say of a call of a concern. The brain's own answers are not asked.
protocol SimulatedCall {
    /// A call of each kind.
    static var samples: [Self] { get }
    /// The completion handler that the app gets with the call, if this callback delivers it; nil if it gets none.
    func handler(deliveredBy callback: CallbackID) -> CompletionHandler?
    /// Whether the user may open an app by it, which then gets the call on its way to the front. `pushes` looks up a remote
    /// notification of the device.
    func opensApp(_ pushes: (PushID) -> RemoteNotification?) -> Bool
    /// Whether an older call, which the app has not been sent, is no longer made.
    func outdates(_ older: ConcernCall) -> Bool
}

extension ConcernCall {
    /// What the rules say of it.
    var rules: any SimulatedCall { SimulatedConcerns.own(self) { $0.rules(of: self) } }
}

/// Work for the adapters of the virtual bodies.
protocol SimulatedOutput {
    func perform(in world: inout World)
    func perform(in world: inout SmallWorld)
}

extension ConcernOutput {
    /// The work that it is.
    var work: any SimulatedOutput { SimulatedConcerns.own(self) { $0.work(self) } }
}

/// What the simulation asks of a decision of a concern.
protocol SimulatedReason {
    /// A decision of each kind, in each variant that is counted apart and that a long exploration has to reach.
    static var samples: [Self] { get }
    /// Its name in the explorer's report.
    var name: String { get }
    /// Whether it tells that an app is woken or called of the system's own accord.
    var isOwnWake: Bool { get }
    /// Whether it tells that the system wakes this app of its own accord, for this reason.
    func wakes(_ app: AppID, for reason: LaunchReason, by rules: WakesFollowTheRules) -> Bool
}

extension ConcernReason {
    /// What the simulation asks of it.
    var simulated: any SimulatedReason { SimulatedConcerns.own(self) { $0.reason(self) } }
}

/// The variants of each kind of word. `link` gives the variants of a word, and a word of the next kind: it is a `switch`
/// without `default`, so that a new kind does not compile before it is here.
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
    /// The launch that samples are about.
    static let sample = LaunchID(app: AppID(1), number: 1)
}
