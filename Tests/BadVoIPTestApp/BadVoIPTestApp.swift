import CallKit
import PushKit
import UIKit

/// Reports the call of each push, and misbehaves if the payload of the push has one of these keys:
///
/// - `silent`: it reports no call.
/// - `failsAnswer`: it cannot answer the call.
/// - `slow`: it neither calls the completion handler of the push nor performs the user's actions.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate, PKPushRegistryDelegate, CXProviderDelegate {
    private let registry = PKPushRegistry(queue: DispatchQueue(label: "pushes"))
    private let provider = CXProvider(configuration: CXProviderConfiguration(localizedName: "Phone"))
    private var payload: [AnyHashable: Any] = [:]

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        print("launched in the", application.applicationState == .background ? "background" : "foreground")
        provider.setDelegate(self, queue: DispatchQueue(label: "calls"))
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
        return true
    }

    private func has(_ fault: String) -> Bool { payload[fault] as? Bool == true }

    func pushRegistry(
        _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType
    ) {
        print("token", pushCredentials.token.base64EncodedString())
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        self.payload = payload.dictionaryPayload
        print("push")
        if !has("silent") {
            let text = self.payload["uuid"] as? String
            let update = CXCallUpdate()
            update.localizedCallerName = self.payload["caller"] as? String
            provider.reportNewIncomingCall(with: text.flatMap { UUID(uuidString: $0) } ?? UUID(), update: update) {
                print($0.map { "refused: \($0.localizedDescription)" } ?? "rings")
            }
        }
        if !has("slow") { completion() }
    }

    func providerDidReset(_ provider: CXProvider) {}

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        print("answer")
        if has("failsAnswer") {
            action.fail()
        } else if !has("slow") {
            action.fulfill()
        }
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        print("end")
        if !has("slow") { action.fulfill() }
    }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        print(action.isComplete ? "too late" : "too late, but not complete")
    }
}
