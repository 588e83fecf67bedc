import LifeCycleSimulation

/// The verbs in scenarios that come from concerns.
enum ConcernVerbs {
    private static let all = SimulatedConcerns.types.compactMap { $0 as? any VerbsOfConcern.Type }

    static let ofApps = all.flatMap { $0.ofApps }
    static let ofSteps = all.flatMap { $0.ofSteps }
}

/// The verbs of one concern. A `SimulatedConcern` conforms to this if it has any.
protocol VerbsOfConcern: SendableMetatype {
    /// The verbs for calls of apps to the concern.
    static var ofApps: [AppVerb] { get }
    /// The verbs for reports of the concern's adapter and for user actions.
    static var ofSteps: [StepVerb] { get }
}

/// A verb for an action of an app's code.
struct AppVerb: Sendable {
    let word: String
    /// The other words that are allowed with it.
    var others: [String] = []
    let read: @Sendable (Phrase) throws(ScenarioProblem) -> AppScript.Act
}

/// A verb for the act of a step.
struct StepVerb: Sendable {
    let word: String
    /// The other words that are allowed with it, in addition to `at` and `refused`.
    var others: [String] = []
    let read: @Sendable (Phrase, ScenarioReader) throws(ScenarioProblem) -> ScenarioStep.Act
}
