import AppCore
import CRoostNote
import Foundation
import LifeCycleModel

/// Runs an app: carries out the core's steps on the main thread.
@MainActor final class AppRunner {
    private let application: UIApplication
    private let delegate: (any UIApplicationDelegate)?
    private let session: AppSession

    private static var runner: AppRunner?
    private static var link: SystemLink?

    /// Makes the application object, then the delegate, connects, and runs the main run loop.
    static func run(
        principalClassName: String? = nil, delegate type: (any UIApplicationDelegate.Type)?
    ) -> Never {
        precondition(UIApplication.instance == nil, "UIApplicationMain is called once")
        _ = roost_prepare_app()
        // The environment is looked at first: without the system nothing of the app's may run.
        let session = AppSession.shared
        // An app's home is its container. Foundation on Linux asks the password file for it, unless it is told.
        if let home = getenv("HOME") { setenv("CFFIXED_USER_HOME", home, 0) }
        let application = principalClass(named: principalClassName).init()
        UIApplication.instance = application
        let delegate = type?.init()
        application.delegate = delegate
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
    }

    private static func principalClass(named name: String?) -> UIApplication.Type {
        let name = name ?? Bundle.main.object(forInfoDictionaryKey: "NSPrincipalClass") as? String
        guard let name, name != "UIApplication" else { return UIApplication.self }
        guard let type = NSClassFromString(name) as? UIApplication.Type else {
            AppLog.fail("the principal class \(name) is no subclass of UIApplication", code: EX_SOFTWARE)
        }
        return type
    }

    /// Carries steps out in order; those a step brings forth go before the ones that are left.
    private func perform(_ steps: [Step]) {
        for step in steps {
            switch step {
            case .call(let call): tell(call)
            case .post(let notification): post(notification)
            case .expire(let task): session.takeHandler(of: task)?()
            case .finish(let callback): perform(session.finish(callback))
            case .send: preconditionFailure("the session sends, under its lock")
            case .log(let fault): session.log(fault)
            case .deliver: break
            case .exit:
                fflush(nil)
                exit(0)
            }
        }
    }

    private func tell(_ call: DelegateCall) {
        // The application's `delegate` may have been set anew meanwhile.
        guard let delegate = application.delegate else { return }
        switch call {
        case .willFinishLaunching(let reason):
            _ = delegate.application(
                application, willFinishLaunchingWithOptions: UIApplication.launchOptions(for: reason))
        case .didFinishLaunching(let reason):
            _ = delegate.application(
                application, didFinishLaunchingWithOptions: UIApplication.launchOptions(for: reason))
        case .didBecomeActive: delegate.applicationDidBecomeActive(application)
        case .willResignActive: delegate.applicationWillResignActive(application)
        case .didEnterBackground: delegate.applicationDidEnterBackground(application)
        case .willEnterForeground: delegate.applicationWillEnterForeground(application)
        case .willTerminate: delegate.applicationWillTerminate(application)
        default: break
        }
    }

    private func post(_ notification: LifeCycleNotification) {
        let name: Notification.Name
        var userInfo: [AnyHashable: Any]?
        switch notification {
        case .didFinishLaunching(let reason):
            name = UIApplication.didFinishLaunchingNotification
            userInfo = UIApplication.launchOptions(for: reason)
        case .didBecomeActive: name = UIApplication.didBecomeActiveNotification
        case .willResignActive: name = UIApplication.willResignActiveNotification
        case .didEnterBackground: name = UIApplication.didEnterBackgroundNotification
        case .willEnterForeground: name = UIApplication.willEnterForegroundNotification
        case .willTerminate: name = UIApplication.willTerminateNotification
        default: return
        }
        NotificationCenter.default.post(name: name, object: application, userInfo: userInfo)
    }
}
