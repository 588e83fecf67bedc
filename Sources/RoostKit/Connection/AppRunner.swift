import AppCore
import CRoostNote
import Foundation
import LifeCycleModel

/// Runs an app: carries out the core's steps on the main thread.
@MainActor final class AppRunner {
    private let application: UIApplication
    private let delegate: (any UIApplicationDelegate)?
    private let session: AppSession
    private let teller: Teller

    private static var runner: AppRunner?
    private static var link: SystemLink?

    /// Makes the application object, then the delegate, connects, and runs the main run loop.
    static func run(principalClassName: String? = nil, delegate type: AnyClass?) -> Never {
        precondition(UIApplication.instance == nil, "UIApplicationMain is called once")
        _ = roost_prepare_app()
        // The environment is looked at first: without the system nothing of the app's may run.
        let session = AppSession.shared
        // An app's home is its container. Foundation on Linux asks the password file for it, unless it is told.
        if let home = getenv("HOME") { setenv("CFFIXED_USER_HOME", home, 0) }
        let application = ClassByName.make(principalClass(named: principalClassName))
        UIApplication.instance = application
        let delegate = type.map(makeDelegate)
        application.delegate = delegate
        application.sceneHost = makeSceneHost(for: application, delegate: type)
        let runner = AppRunner(application: application, delegate: delegate, session: session)
        self.runner = runner
        let link = SystemLink(session: session) { runner.perform(session.receive($0)) }
        self.link = link
        link.connect()
        RunLoop.main.run()
        fatalError("the main run loop has ended")
    }

    private init(application: UIApplication, delegate: (any UIApplicationDelegate)?, session: AppSession) {
        self.application = application
        self.delegate = delegate
        self.session = session
        teller = Teller(application: application, session: session)
    }

    private static func principalClass(named name: String?) -> UIApplication.Type {
        let name = name ?? Bundle.main.object(forInfoDictionaryKey: "NSPrincipalClass") as? String
        guard let name, name != "UIApplication" else { return UIApplication.self }
        guard let type = NSClassFromString(name) as? UIApplication.Type else {
            AppLog.fail("the principal class \(name) is no subclass of UIApplication", code: EX_SOFTWARE)
        }
        return type
    }

    private static func makeDelegate(_ type: AnyClass) -> any UIApplicationDelegate {
        guard let type = type as? NSObject.Type, let delegate = ClassByName.make(type) as? any UIApplicationDelegate
        else {
            AppLog.fail("the app delegate class \(type) is no subclass of NSObject", code: EX_SOFTWARE)
        }
        return delegate
    }

    /// The app's own module is that of its delegate; without one it is called as the executable is.
    private static func makeSceneHost(for application: UIApplication, delegate: AnyClass?) -> SceneHost {
        if let module = delegate.flatMap(ClassByName.module) { SceneManifest.main.appModule = module }
        return SceneHost(
            application: application, manifest: .main,
            bundleIdentifier: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)
    }

    /// Carries steps out in order; those a step brings forth go before the ones that are left.
    private func perform(_ steps: [Step]) {
        for step in steps {
            switch step {
            case .call(let call): teller.tell(call)
            case .post(let notification): teller.post(notification)
            case .expire(let task): session.takeHandler(of: task)?()
            case .deliver(let input): EventDelivery.perform(input, by: application)
            case .finish(let callback):
                // The launch is over and the app is in front: its windows are shown (R-07, T01).
                if application.applicationState == .active { WindowList.shared.open() }
                perform(session.finish(callback))
            case .send: preconditionFailure("the session sends, under its lock")
            case .log(let fault): session.log(fault)
            case .exit:
                fflush(nil)
                exit(0)
            }
        }
    }
}
