import Foundation
import RoostAVFAudio
import RoostCallKit
import RoostKit
import Testing

/// Asks for actions on calls, performs them unless the test wants something else, and records its calls.
@MainActor final class Caller: UIResponder, UIApplicationDelegate, CXProviderDelegate, CXCallObserverDelegate {
    struct Conduct {
        var hasProvider = true
        /// Nil: it leaves the actions undone.
        var fulfills: Bool? = true
    }
    static var conduct = Conduct()

    let controller = CXCallController()
    private(set) var provider: CXProvider?
    /// The calls of its code, and the answers to its requests.
    private(set) var log: [String] = []
    /// The changes that the observer has reported.
    private(set) var changes: [String] = []
    /// The last start that the delegate had to perform.
    private(set) var lastStart: CXStartCallAction?

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        controller.callObserver.setDelegate(self, queue: nil)
        if Self.conduct.hasProvider {
            provider = CXProvider(configuration: CXProviderConfiguration())
            provider?.setDelegate(self, queue: nil)
        }
        return true
    }

    func request(_ actions: [CXAction]) {
        controller.request(CXTransaction(actions: actions)) { [weak self] in self?.answered($0) }
    }

    /// Asks as an app in its own task does.
    func requestLater(_ action: CXAction) {
        Task {
            do {
                try await controller.requestTransaction(with: action)
                log.append("returned")
            } catch CXErrorCodeRequestTransactionError.invalidAction {
                log.append("thrown")
            } catch {
                Issue.record(error)
            }
        }
    }

    private func answered(_ error: (any Error)?) {
        let code = (error as? CXErrorCodeRequestTransactionError)?.code
        log.append(code.map { "\($0)" } ?? "accepted")
    }

    /// Reports an incoming call.
    func ring(_ call: UUID) {
        let update = CXCallUpdate()
        update.localizedCallerName = "Ada"
        provider?.reportNewIncomingCall(with: call, update: update) { [weak self] error in
            self?.log.append(error == nil ? "rings" : "refused")
        }
    }

    func connect(_ call: UUID) {
        provider?.reportOutgoingCall(with: call, startedConnectingAt: nil)
        provider?.reportOutgoingCall(with: call, connectedAt: nil)
    }

    private func perform(_ action: CXAction, _ name: String) {
        log.append(name)
        switch Self.conduct.fulfills {
        case true?: action.fulfill()
        case false?: action.fail()
        case nil: break
        }
    }

    func providerDidReset(_ provider: CXProvider) { log.append("reset") }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        lastStart = action
        perform(action, "start \(action.handle.value)")
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { perform(action, "answer") }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) { perform(action, "end") }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        perform(action, action.isOnHold ? "hold" : "resume")
    }

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        perform(action, action.isMuted ? "mute" : "unmute")
    }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        log.append("timed out \(action.isComplete)")
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) { log.append("sound on") }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) { log.append("sound off") }

    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        let facts = [
            (call.isOutgoing, "outgoing"), (call.hasConnected, "connected"), (call.isOnHold, "on hold"),
            (call.hasEnded, "over"),
        ]
        changes.append(facts.filter { $0.0 }.map { $0.1 }.joined(separator: ", "))
    }
}
