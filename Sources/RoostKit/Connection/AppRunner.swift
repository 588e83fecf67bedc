import AppCore
import CRoostNote
import Foundation
package import LifeCycleModel

/// Runs an app: carries out the core's steps on the main thread. One for each launch; a process has one, a test that
/// hosts apps one for each of them.
@MainActor package final class AppRunner {
    /// What exists from the launch on, and for a process that was started early not before (T28).
    private struct Launched {
        let application: UIApplication
        /// The application's reference is weak, as UIKit's.
        let delegate: (any UIApplicationDelegate)?
        let teller: Teller
    }

    nonisolated package let session: AppSession
    /// The app's windows.
    let windows = WindowList()
    /// The app's property list, read when something needs it: a launch does not wait for that.
    private(set) lazy var info = hosted?.info ?? Bundle.main.infoDictionary ?? [:]
    /// How the app's scenes are made.
    private(set) lazy var scenes = SceneManifest(
        info: info, appModule: delegateType.flatMap(ClassByName.module) ?? moduleByExecutable)
    /// The device as the app has asked for it.
    let device = UIDevice()

    private let principalClassName: String?
    private let delegateType: AnyClass?
    private let hosted: HostedCode?
    /// Who hosts it, or writes down what becomes of it; nil in a process that no test has started.
    package weak var host: (any AppHost)?
    private var launched: Launched?
    private var hasFinishedLaunching = false

    private static var ofProcess: AppRunner?
    private static var link: SystemLink?

    /// The runner of the app whose code this is; nil before there is one.
    static var current: AppRunner? { CurrentApp.runner ?? ofProcess }

    /// Makes the application object, then the delegate, connects, and runs the main run loop.
    static func run(principalClassName: String? = nil, delegate type: AnyClass?) -> Never {
        precondition(ofProcess == nil, "UIApplicationMain is called once")
        _ = roost_prepare_app()
        // The environment is looked at first: without the system nothing of the app's may run.
        let session = AppSession.shared
        guard let environment = session.environment else { preconditionFailure("the session of a process has one") }
        // An app's home is its container. Foundation on Linux asks the password file for it, unless it is told.
        if let home = getenv("HOME") { setenv("CFFIXED_USER_HOME", home, 0) }
        let runner = AppRunner(session: session, principalClassName: principalClassName, delegate: type)
        ofProcess = runner
        runner.host = TestRecorder.shared
        if !session.isPrewarmed { _ = runner.launch() }
        let link = SystemLink(session: session, environment: environment) { runner.perform(session.receive($0)) }
        self.link = link
        link.connect(receivingUntil: { runner.hasFinishedLaunching })
        RunLoop.main.run()
        fatalError("the main run loop has ended")
    }

    private init(session: AppSession, principalClassName: String?, delegate: AnyClass?) {
        self.session = session
        self.principalClassName = principalClassName
        delegateType = delegate
        hosted = nil
    }

    // MARK: Hosted by a test

    /// An app that a test hosts in its own process.
    package init(session: AppSession, code: HostedCode) {
        self.session = session
        principalClassName = code.principalClassName
        delegateType = code.delegateType
        hosted = code
    }

    /// The process would run now: its `main` begins.
    package func begin() {
        CurrentApp.begin(self)
        if !session.isPrewarmed { CurrentApp.$here.withValue(self) { _ = launch() } }
    }

    /// Takes a message of the system's, and does all that it brings forth.
    package func receive(_ message: SystemMessage) {
        CurrentApp.$here.withValue(self) { perform(session.receive(message)) }
    }

    /// A callback counts as finished, for which the host has said that it did not yet.
    package func finish(_ callback: CallbackID) {
        CurrentApp.$here.withValue(self) { conclude(callback) }
    }

    /// The app's delegate, from the launch on.
    package var delegate: (any UIApplicationDelegate)? { application?.delegate }

    /// The launch is over: nothing of the app is called any more.
    package func end() { CurrentApp.end(self) }

    // MARK: The launch

    /// The application object, from the launch on.
    var application: UIApplication? { launched?.application }

    private func launch() -> Launched {
        if let launched { return launched }
        session.launched()
        let name = principalClassName ?? session.principalClass
        let application = ClassByName.make(Self.principalClass(named: name))
        let delegate = delegateType.map(Self.makeDelegate)
        application.delegate = delegate
        application.sceneHost = SceneHost(application: application, runner: self)
        let launched = Launched(
            application: application, delegate: delegate, teller: Teller(application: application, session: session))
        self.launched = launched
        hosted?.main()
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

    /// Without a delegate the app's own module is called as the executable is.
    private var moduleByExecutable: String? {
        let name = hosted == nil ? Bundle.main.executableURL?.lastPathComponent : info["CFBundleExecutable"] as? String
        return name?.asModuleName
    }

    // MARK: Steps

    /// Carries steps out in order; those a step brings forth go before the ones that are left.
    private func perform(_ steps: [Step]) {
        guard !steps.isEmpty else { return }
        let (application, teller) = (launch().application, launch().teller)
        for step in steps {
            switch step {
            case .call(let call):
                host?.willCall(call)
                teller.tell(call)
            case .post(let notification):
                host?.willPost(notification)
                teller.post(notification)
            case .expire(let task):
                guard let handler = session.takeHandler(of: task) else { break }
                host?.willExpire(task)
                handler()
            case .transfer(let identifier, let news): session.hear(news, of: identifier)
            case .deliver(let input): EventDelivery.perform(input, by: application)
            case .finish(let callback):
                // The launch is over and the app is in front: its windows are shown (R-07, T01).
                if application.applicationState == .active { windows.open() }
                hasFinishedLaunching = true
                if hosted == nil, application.applicationState == .background { UserDefaults.keep() }
                if host?.hasReturned(callback) ?? true { conclude(callback) }
            case .send: preconditionFailure("the session sends, under its lock")
            case .log(let fault): session.log(fault)
            case .exit:
                guard hosted == nil else {
                    host?.exit()
                    return
                }
                UserDefaults.keep()
                fflush(nil)
                exit(0)
            }
        }
    }

    private func conclude(_ callback: CallbackID) { perform(session.finish(callback)) }
}
