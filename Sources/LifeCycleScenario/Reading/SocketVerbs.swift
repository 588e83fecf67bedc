import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation

/// The words for kept sockets and keep-alive handlers.
extension SimulatedSockets: VerbsOfConcern {
    static let ofApps = [
        AppVerb(word: "keepsSocket") { phrase throws(ScenarioProblem) in
            try phrase.wantsNothing()
            return .keepsSocket()
        },
        AppVerb(word: "dropsSocket") { phrase throws(ScenarioProblem) in
            try phrase.wantsNothing()
            return .dropsSocket
        },
        AppVerb(word: "keepAlive") { phrase throws(ScenarioProblem) in
            .setsKeepAlive(phrase.value.content == .text("off") ? nil : try phrase.value.time())
        },
    ]

    static let ofSteps = [
        StepVerb(word: "traffic", others: ["socket"]) { phrase, reader throws(ScenarioProblem) in
            .traffic(try reader.app(phrase.value), try socket(phrase), isOver: false)
        },
        StepVerb(word: "hangUp", others: ["socket"]) { phrase, reader throws(ScenarioProblem) in
            .traffic(try reader.app(phrase.value), try socket(phrase), isOver: true)
        },
    ]

    /// Reads the number of a socket: apps number their sockets from 1 in each launch. Without a number, the first one.
    private static func socket(_ phrase: Phrase) throws(ScenarioProblem) -> SocketID {
        SocketID(rawValue: try phrase["socket"]?.number(1...1000) ?? 1)
    }
}
