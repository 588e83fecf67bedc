import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation

/// The words for VoIP pushes and calls.
extension SimulatedVoIP: VerbsOfConcern {
    static let ofApps = [
        AppVerb(word: "registersVoIP") { phrase throws(ScenarioProblem) in
            .registersVoIP(phrase.value.content == .nothing ? true : try phrase.value.flag())
        },
        AppVerb(word: "reportsCall") { phrase throws(ScenarioProblem) in .reportsCall(try call(phrase.value)) },
        AppVerb(word: "startsCall") { phrase throws(ScenarioProblem) in .startsCall(try call(phrase.value)) },
        AppVerb(word: "connectsCall") { phrase throws(ScenarioProblem) in .connectsCall(try call(phrase.value)) },
        AppVerb(word: "endsCall") { phrase throws(ScenarioProblem) in .endsCall(try call(phrase.value)) },
    ]

    static let ofSteps = [
        StepVerb(word: "voipPush") { phrase, reader throws(ScenarioProblem) in
            .device(.concern(.voip(.pushArrived(try reader.app(phrase.value), payload: "{}"))))
        },
        StepVerb(word: "phone") { phrase, _ throws(ScenarioProblem) in
            let word = try phrase.value.choice(CallChoice.allCases.map(\.rawValue), "the user's action on a call")
            return .user(.concern(.voip(.chosen(CallChoice(rawValue: word) ?? .end))))
        },
    ]

    /// Reads the number of a call: apps number their calls from 1 in each launch. Nil, for a new call or for the newest
    /// call, without a number.
    private static func call(_ node: ScenarioNode) throws(ScenarioProblem) -> CallID? {
        if node.content == .nothing { return nil }
        let number = try node.number(1...Int64(PhoneCall.most))
        guard let id = CallID("00000000-0000-4000-8000-00000000000\(number)") else {
            preconditionFailure("\(number) has more than one digit")
        }
        return id
    }
}
