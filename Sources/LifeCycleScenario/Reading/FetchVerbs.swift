import LifeCycleModel
import LifeCycleSimulation

/// The words for background fetch.
extension SimulatedFetch: VerbsOfConcern {
    static let ofApps = [AppVerb(word: "fetches", read: fetches)]
    static let ofSteps: [StepVerb] = []

    /// Reads `minimum`, `never`, or a duration.
    @Sendable private static func fetches(_ phrase: Phrase) throws(ScenarioProblem) -> AppScript.Act {
        switch phrase.value.content {
        case .text("never"): return .fetches(nil)
        case .text("minimum"): return .fetches(.zero)
        default: return .fetches(try phrase.value.time("minimum, never, or a length of time such as 1h30m"))
        }
    }
}
