import Foundation
import LifeCycleModel
import Synchronization
import Testing

@testable import RoostKit

/// Made from its type, like an app's delegate.
class MadeByType: NSObject {
    var text = "made"

    override init() {
        super.init()
        text += " by init"
    }
}

class MadeBySubclass: MadeByType {}

class FoundDelegate: UIResponder, UIWindowSceneDelegate {}

/// The log of a hosted app, so that no other app in this process receives its lines.
private final class HostedLog: HostLink {
    private let written = Mutex<[String]>([])

    var lines: [String] { written.withLock { $0 } }
    var now: Nanoseconds { .zero }
    func send(_ request: AppRequest) {}
    func log(_ line: String) { written.withLock { $0.append(line) } }
    func began(_ task: TaskID, file: String, line: Int) {}
    // App: nothing in it sleeps.
    func sleep(until deadline: Nanoseconds) async throws {}
}

/// Classes that are named by a value or a string.
@Suite @MainActor struct ClassTests {
    private let module = "RoostKitTests"

    private func manifest(_ entries: [[String: Any]]) -> SceneManifest {
        SceneManifest(
            info: [
                "UIApplicationSceneManifest": [
                    "UISceneConfigurations": ["UIWindowSceneSessionRoleApplication": entries]
                ]
            ], appModule: module)
    }

    @Test func anObjectIsMadeByItsOwnInit() {
        weak var weak: MadeByType?
        do {
            let object = ClassByName.make(MadeByType.self)
            #expect(object.text == "made by init")
            weak = object
        }
        #expect(weak == nil, "the object is released")
        let type: MadeByType.Type = MadeBySubclass.self
        #expect(ClassByName.make(type) is MadeBySubclass)
        #expect(ClassByName.make(UIView.self).frame == .zero)
    }

    @Test(arguments: [
        "FoundDelegate", "RoostKitTests.FoundDelegate", "$(PRODUCT_MODULE_NAME).FoundDelegate",
        "${PRODUCT_MODULE_NAME}.FoundDelegate",
    ])
    func aClassIsFoundByName(_ name: String) {
        #expect(ClassByName.find(name, appModule: module) == FoundDelegate.self)
    }

    @Test(arguments: ["UIWindowScene", "UIKit.UIWindowScene", "RoostKit.UIWindowScene"])
    func aClassOfUIKitIsFound(_ name: String) {
        #expect(ClassByName.find(name, appModule: module) == UIWindowScene.self)
    }

    @Test(arguments: ["", ".", "Nothing", "No.Such", "a.b.c", "$(PRODUCT_MODULE_NAME)", "$(OTHER).FoundDelegate", "소"])
    func missingClassesAreNotFound(_ name: String) {
        #expect(ClassByName.find(name, appModule: module) == nil)
    }

    @Test func aConfigurationIsLookedUpByName() {
        let manifest = manifest([
            ["UISceneConfigurationName": "A", "UISceneDelegateClassName": "FoundDelegate"],
            ["UISceneConfigurationName": "B", "UISceneClassName": "UIWindowScene"],
        ])
        func configuration(_ name: String?) -> UISceneConfiguration {
            UISceneConfiguration(name: name, sessionRole: .windowApplication, manifest: manifest)
        }
        #expect(configuration(nil).name == "A" && configuration(nil).delegateClass == FoundDelegate.self)
        #expect(configuration("B").sceneClass == UIWindowScene.self && configuration("B").delegateClass == nil)
        #expect(configuration("C").name == "C" && configuration("C").delegateClass == nil)
        let other = UISceneConfiguration(
            name: nil, sessionRole: .windowExternalDisplayNonInteractive, manifest: manifest)
        #expect(other.name == nil && other.delegateClass == nil)
    }

    /// The class exists, but has not the required type. The app's log names it.
    @Test func aClassOfTheWrongKindIsNotTaken() {
        let log = HostedLog()
        let context = LaunchContext(reason: .user, backgroundTime: .seconds(30), isMultitaskingSupported: true)
        let runner = AppRunner(session: AppSession(context: context, link: log), code: HostedCode(info: [:]))
        CurrentApp.$here.withValue(runner) {
            let manifest = manifest([["UISceneDelegateClassName": "MadeByType", "UISceneClassName": "MadeByType"]])
            let configuration = UISceneConfiguration(name: nil, sessionRole: .windowApplication, manifest: manifest)
            #expect(configuration.delegateClass == nil && configuration.sceneClass == nil)
        }
        #expect(log.lines.count == 2 && log.lines.allSatisfy { $0.contains("names MadeByType as a scene") })
    }

    @Test(arguments: [
        #""text""#, #"{"UISceneConfigurations": [1, 2]}"#,
        #"{"UISceneConfigurations": {"UIWindowSceneSessionRoleApplication": "text"}}"#,
        #"{"UISceneConfigurations": {"UIWindowSceneSessionRoleApplication": [{}]}}"#,
        #"{"UISceneConfigurations": {"UIWindowSceneSessionRoleApplication": [{"UISceneDelegateClassName": 3}]}}"#,
    ])
    func anAbsurdManifestHasNoClasses(_ json: String) throws {
        let value = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
        let manifest = SceneManifest(info: ["UIApplicationSceneManifest": value], appModule: nil)
        let configuration = UISceneConfiguration(name: nil, sessionRole: .windowApplication, manifest: manifest)
        #expect(configuration.delegateClass == nil)
    }

    @Test func productsBecomeModuleNames() {
        #expect(
            ["My App", "2048", "a-b.c", "한글", "_x"].map(\.asModuleName) == ["My_App", "_2048", "a_b_c", "한글", "_x"])
    }
}
