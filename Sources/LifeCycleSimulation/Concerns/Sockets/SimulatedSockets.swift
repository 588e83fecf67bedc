import LifeCycleModel
import LifeCyclePolicy

/// Kept sockets, keep-alive handlers and launches after an end in the simulation.
package enum SimulatedSockets: SimulatedConcern {
    static let calls = SocketCall.samples.map { ConcernCall.socket($0) }
    static let reasons = SocketDecision.samples.map { ConcernReason.socket($0) }
    static let acts = [
        Act(10) { $0.world.receiveData(for: $1) },
        // Data arrives again and again, each time after the app may have been suspended.
        Act(2) { history, app in
            for _ in 0..<4 {
                history.world.receiveData(for: app)
                history.world.advance(by: .seconds(12))
            }
        },
        Act(1) { history, _ in history.world.loseSocket() },
    ]
    static let reference: any ReferenceConcern.Type = ReferenceSockets.self
    static let alphabets = [
        ConcernAlphabet(
            name: "sockets", modes: [.voip],
            searchSteps: [
                .keepSocket, .dropSocket, .receiveData, .endConnection, .setKeepAlive, .clearKeepAlive, .crash,
            ])
    ]

    static func invariants(of device: Device) -> [any Invariant] { [SocketsKeepTheRules(device)] }

    static func rules(of call: ConcernCall) -> (any SimulatedCall)? {
        if case .socket(let word) = call { word } else { nil }
    }
    static func work(_ output: ConcernOutput) -> (any SimulatedOutput)? {
        if case .socket(let word) = output { word } else { nil }
    }
    static func reason(_ reason: ConcernReason) -> (any SimulatedReason)? {
        if case .socket(let word) = reason { word } else { nil }
    }
}

extension SocketCall: SimulatedCall {
    static let samples = everyKind(from: SocketCall.keepAlive) { call in
        switch call {
        case .keepAlive: ([call], next: nil)
        }
    }

    func handler(deliveredBy callback: CallbackID) -> CompletionHandler? { nil }
    func opensApp(_ pushes: (PushID) -> RemoteNotification?) -> Bool { false }

    /// One call is enough, no matter how often it was due.
    func outdates(_ older: ConcernCall) -> Bool { older == .socket(self) }
}

extension SocketID {
    /// The socket of the exhaustive search, and of the samples of decisions.
    static let sample = SocketID(rawValue: 1)
}

extension ConcernStep {
    static let keepSocket = code("keep socket") {
        $0.request(.concern(.socket(.keep(KeptSocket(id: .sample, descriptor: 5)))), $1)
    }
    static let dropSocket = code("drop socket") { $0.request(.concern(.socket(.drop(.sample))), $1) }
    static let receiveData = arrive("receive data", isOver: false)
    static let endConnection = arrive("end connection", isOver: true)
    static let setKeepAlive = code("set keep-alive") {
        $0.request(.concern(.socket(.setKeepAlive(.seconds(600)))), $1)
    }
    static let clearKeepAlive = code("clear keep-alive") { $0.request(.concern(.socket(.setKeepAlive(nil))), $1) }
    static let crash = code("crash") { world, index in
        let launch = world.processes.remove(at: index).launch
        world.handle(.process(launch, .exited(.signaled(11))))
        return true
    }

    private static func arrive(_ name: String, isOver: Bool) -> ConcernStep {
        ConcernStep(name) { world, app in
            guard let process = world.processes.first(where: { $0.launch.app == app }) else { return false }
            world.handle(.concern(.socket(.readable(process.launch, .sample, isOver: isOver))))
            return true
        }
    }
}
