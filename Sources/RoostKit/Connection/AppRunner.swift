import AppCore
import CRoostNote
import Foundation
import LifeCycleModel

/// Runs an app: carries out the core's steps on the main thread.
@MainActor final class AppRunner {
    /// What exists from the launch on, and for a process that was started early not before (T28).
    private struct Launched {
        let application: UIApplication
        /// The application's reference is weak, as UIKit's.
        let delegate: (any UIApplicationDelegate)?
        let teller: Teller
    }

    private let session: AppSession
    private let principalClassName: String?
    private let delegateType: AnyClass?
    private var launched: Launched?
    private var hasFinishedLaunching = false

    private static var runner: AppRunner?
    private static var link: SystemLink?

    /// Makes the application object, then the delegate, connects, and runs the main run loop.
    static func run(principalClassName: String? = nil, delegate type: AnyClass?) -> Never {
        precondition(runner == nil, "UIApplicationMain is called once")
        _ = roost_prepare_app()
        // The environment is looked at first: without the system nothing of the app's may run.
        let session = AppSession.shared
        // An app's home is its container. Foundation on Linux asks the password file for it, unless it is told.
        if let home = getenv("HOME") { setenv("CFFIXED_USER_HOME", home, 0) }
        let runner = AppRunner(session: session, principalClassName: principalClassName, delegate: type)
        self.runner = runner
        if !session.isPrewarmed { _ = runner.launch() }
        let link = SystemLink(session: session) { runner.perform(session.receive($0)) }
        self.link = link
        link.connect(receivingUntil: { runner.hasFinishedLaunching })
        RunLoop.main.run()
        fatalError("the main run loop has ended")
    }

    private init(session: AppSession, principalClassName: String?, delegate: AnyClass?) {
        self.session = session
        self.principalClassName = principalClassName
        delegateType = delegate
    }

    private func launch() -> Launched {
        if let launched { return launched }
        session.launched()
        let name = principalClassName ?? session.principalClass
        let application = ClassByName.make(Self.principalClass(named: name))
        UIApplication.instance = application
        let delegate = delegateType.map(Self.makeDelegate)
        application.delegate = delegate
        SceneManifest.appDelegate = delegateType
        application.sceneHost = SceneHost(application: application)
        let launched = Launched(
            application: application, delegate: delegate, teller: Teller(application: application, session: session))
        self.launched = launched
        return launched
    }

    private static func principalClass(named name: String?) -> UIApplication.Type {
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

    /// Carries steps out in order; those a step brings forth go before the ones that are left.
    private func perform(_ steps: [Step]) {
        guard !steps.isEmpty else { return }
        let (application, teller) = (launch().application, launch().teller)
        for step in steps {
            switch step {
            case .call(let call): teller.tell(call)
            case .post(let notification): teller.post(notification)
            case .expire(let task): session.takeHandler(of: task)?()
            case .deliver(let input): EventDelivery.perform(input, by: application)
            case .finish(let callback):
                // The launch is over and the app is in front: its windows are shown (R-07, T01).
                if application.applicationState == .active { WindowList.shared.open() }
                hasFinishedLaunching = true
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
