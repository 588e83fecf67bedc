import AVFAudio
import CallKit
import PushKit
import UIKit

/// Receives VoIP pushes, and reports an incoming call for each.
final class Phone: NSObject, PKPushRegistryDelegate, CXProviderDelegate {
    private let registry = PKPushRegistry(queue: .main)
    private let provider: CXProvider
    private(set) var log: [String] = []

    override init() {
        let configuration = CXProviderConfiguration()
        configuration.maximumCallGroups = 1
        configuration.maximumCallsPerCallGroup = 1
        configuration.supportedHandleTypes = [.generic]
        provider = CXProvider(configuration: configuration)
        super.init()
        provider.setDelegate(self, queue: nil)
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType
    ) {
        note("token of \(pushCredentials.token.count) bytes")
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        let caller = payload.dictionaryPayload["caller"] as? String ?? "Unknown"
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: caller)
        update.localizedCallerName = caller
        provider.reportNewIncomingCall(with: UUID(), update: update) { error in
            if let error { print("no call:", error.localizedDescription) }
        }
        note("\(caller) calls")
        completion()
    }

    func providerDidReset(_ provider: CXProvider) { note("reset") }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        note("answered")
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        note("ended")
        action.fulfill()
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) { note("sound on") }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) { note("sound off") }

    private func note(_ line: String) {
        log.append(line)
        print(line)
    }
}

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private(set) var phone: Phone?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        phone = Phone()
        return true
    }
}

/// Calls that begin in the app.
extension Phone {
    /// Calls a person, who answers at once.
    func call(_ callee: String) async {
        let start = CXStartCallAction(call: UUID(), handle: CXHandle(type: .generic, value: callee))
        do {
            try await CXCallController().request(CXTransaction(action: start))
            note("calling \(callee)")
        } catch {
            note("no call: \(error.localizedDescription)")
        }
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        note("started a call to \(action.handle.value)")
        action.fulfill()
        provider.reportOutgoingCall(with: action.callUUID, connectedAt: nil)
    }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        note(action.isOnHold ? "on hold" : "resumed")
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        note(action.isMuted ? "muted" : "unmuted")
        action.fulfill()
    }
}

// The following is not in the guide.

extension AppDelegate {
    /// The key `Callee` of the Info.plist names the person whom the app calls.
    func applicationDidBecomeActive(_ application: UIApplication) {
        guard let callee = Bundle.main.object(forInfoDictionaryKey: "Callee") as? String else { return }
        Task { await phone?.call(callee) }
    }
}
