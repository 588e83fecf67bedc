import Foundation
import RoostAVFAudio
import RoostCallKit
import RoostKit
import RoostPushKit
import Testing

/// Reports a call for each push, unless the test wants something else, and records its calls.
@MainActor final class Callee: UIResponder, UIApplicationDelegate, PKPushRegistryDelegate, CXProviderDelegate {
    struct Conduct {
        var registers = true
        var reports = true
        var completes = true
        /// Nil: it leaves the user's actions undone.
        var fulfills: Bool? = true
        var plays = false
        var queue: DispatchQueue?
    }
    static var conduct = Conduct()

    let registry = PKPushRegistry(queue: Callee.conduct.queue)
    let provider = CXProvider(configuration: CXProviderConfiguration())
    private(set) var player: AVAudioPlayer?
    /// The calls of its code, without those about the token.
    private(set) var calls: [String] = []
    private(set) var tokens: [Data] = []
    private(set) var lastCall = UUID()

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        provider.setDelegate(self, queue: Self.conduct.queue)
        registry.delegate = self
        if Self.conduct.registers { register() }
        if Self.conduct.plays {
            do {
                try AVAudioSession.sharedInstance().setCategory(.playAndRecord)
                player = try AVAudioPlayer(data: Song.wave(seconds: 600))
            } catch {
                Issue.record(error)
            }
        }
        return true
    }

    func register() { registry.desiredPushTypes = [.voIP] }

    func report(_ call: UUID, caller: String) {
        lastCall = call
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .phoneNumber, value: "+49 30 123456")
        update.localizedCallerName = caller
        provider.reportNewIncomingCall(with: call, update: update) { [weak self] in self?.reported($0) }
    }

    private func reported(_ error: (any Error)?) {
        let code = (error as? CXErrorCodeIncomingCallError)?.code.rawValue
        calls.append(code.map { "refused \($0)" } ?? "rings")
    }

    private func finish(_ action: CXAction) {
        switch Self.conduct.fulfills {
        case true?: action.fulfill()
        case false?: action.fail()
        case nil: break
        }
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType
    ) {
        tokens.append(pushCredentials.token)
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        let caller = payload.dictionaryPayload["caller"] as? String ?? ""
        calls.append("push \(caller)")
        if Self.conduct.reports { report(UUID(), caller: caller) }
        if Self.conduct.completes { completion() }
    }

    func providerDidReset(_ provider: CXProvider) { calls.append("reset") }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        calls.append("answer")
        finish(action)
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        calls.append("end")
        finish(action)
    }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        calls.append("timed out \(action.isComplete)")
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        calls.append("sound on")
        if let player, !player.play() { calls.append("cannot play") }
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) { calls.append("sound off") }
}

/// Plays a long song, and plays again after an interruption.
@MainActor final class Radio: UIResponder, UIApplicationDelegate {
    private(set) var player: AVAudioPlayer?
    private(set) var interruptions = 0

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let session = AVAudioSession.sharedInstance()
        NotificationCenter.default.addObserver(
            forName: AVAudioSession.interruptionNotification, object: session, queue: .main
        ) { [weak self] notification in
            let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
            MainActor.assumeIsolated { self?.interruption(type) }
        }
        do {
            try session.setCategory(.playback)
            player = try AVAudioPlayer(data: Song.wave(seconds: 7200))
        } catch {
            Issue.record(error)
        }
        player?.play()
        return true
    }

    private func interruption(_ type: UInt?) {
        if type == AVAudioSession.InterruptionType.began.rawValue { interruptions += 1 } else { player?.play() }
    }
}

/// A delegate with none of the optional methods.
@MainActor final class Onlooker: NSObject, CXProviderDelegate {
    func providerDidReset(_ provider: CXProvider) {}
}
