import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation

/// The words for sound.
extension SimulatedAudio: VerbsOfConcern {
    static let ofApps = [
        AppVerb(word: "setsAudio") { phrase throws(ScenarioProblem) in .setsAudio(try session(phrase.value)) },
        AppVerb(word: "playsAudio") { phrase throws(ScenarioProblem) in
            .playsAudio(phrase.value.content == .nothing ? nil : try phrase.value.time())
        },
        AppVerb(word: "stopsAudio") { phrase throws(ScenarioProblem) in
            try phrase.wantsNothing()
            return .stopsAudio
        },
    ]

    static let ofSteps = [
        StepVerb(word: "call") { phrase, _ throws(ScenarioProblem) in
            let word = try phrase.value.choice(["begin", "end"], "the beginning or the end of a phone call")
            return .device(.concern(.audio(.call(isOn: word == "begin"))))
        }
    ]

    /// Reads a category, followed by `mixing` if the app's sound mixes with the sound of others.
    private static func session(_ node: ScenarioNode) throws(ScenarioProblem) -> AudioSession {
        let word = try node.choice(sessions.map(\.word), "a category of sound")
        return sessions.first { $0.word == word }?.session ?? AudioSession()
    }

    private static let sessions: [(word: String, session: AudioSession)] = AudioCategory.allCases.flatMap { category in
        (category.mayMix ? [false, true] : [false]).map { mixes in
            (
                word: category.rawValue + (mixes ? " mixing" : ""),
                session: AudioSession(category: category, mixesWithOthers: mixes)
            )
        }
    }
}
