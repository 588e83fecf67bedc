import LifeCycleSimulation

/// The words by which scenarios use concerns.
enum ConcernVerbs {
    private static let all = SimulatedConcerns.types.compactMap { $0 as? any VerbsOfConcern.Type }

    static let ofApps = all.flatMap { $0.ofApps }
    static let ofSteps = all.flatMap { $0.ofSteps }
}

/// The words of one concern: its `SimulatedConcern` has them, if there are any.
protocol VerbsOfConcern: SendableMetatype {
    /// The verbs for what the code of apps does with the concern.
    static var ofApps: [AppVerb] { get }
    /// The verbs for what its adapter reports and what the user does.
    static var ofSteps: [StepVerb] { get }
}

/// Something an app's code does, by its word.
struct AppVerb: Sendable {
    let word: String
    /// The words that may stand beside it.
    var others: [String] = []
    let read: @Sendable (Phrase) throws(ScenarioProblem) -> AppScript.Act
}

/// Something that happens in a step, by its word.
struct StepVerb: Sendable {
    let word: String
    /// The words that may stand beside it, besides `at` and `refused`.
    var others: [String] = []
    let read: @Sendable (Phrase, ScenarioReader) throws(ScenarioProblem) -> ScenarioStep.Act
}
