import AppCore
import CRoostNote
import Foundation
package import LifeCycleModel

/// The runner of an app: it executes the core's steps on the main thread. Each launch has one runner, so a process has
/// one, and a test has one for each app that it hosts.
@MainActor package final class AppRunner {
    /// Objects that exist from the launch on; in a prewarmed process they do not exist before it (T28).
    private struct Launched {
        let application: UIApplication
        /// A strong reference, because the application's own reference is weak, as in UIKit.
        let delegate: (any UIApplicationDelegate)?
        let delegateCaller: DelegateCaller
    }

    nonisolated package let session: AppSession
    let windows = WindowList()
    /// The app's property list, read on first use so that the launch does not wait for it.
    private(set) lazy var info = hosted?.info ?? Bundle.main.infoDictionary ?? [:]
    /// The app's scene manifest, which says how scenes are created.
    private(set) lazy var scenes = SceneManifest(
        info: info, appModule: delegateType.flatMap { ClassByName.module(of: $0) } ?? moduleByExecutable)
    /// The device object that the app gets from `UIDevice.current`.
    let device = UIDevice()

    private let principalClassName: String?
    private let delegateType: (any UIApplicationDelegate.Type)?
    private let hosted: HostedCode?
    /// The `UIBackgroundModes` of an app that a test hosts; nil in a process of its own.
    nonisolated let hostedModes: [String]?
    /// The test host of the app, or the recorder of its calls; nil in a process that no test started.
    package weak var host: (any AppHost)?
    private var launched: Launched?
    private var hasFinishedLaunching = false

    private static var ofProcess: AppRunner?
    private static var link: SystemLink?

    /// The runner of the app whose code is running; nil before it exists.
    static var current: AppRunner? { CurrentApp.runner ?? ofProcess }

    /// Creates the application object and the delegate, connects, and runs the main run loop.
    static func run(principalClassName: String? = nil, delegate type: (any UIApplicationDelegate.Type)?) -> Never {
        precondition(ofProcess == nil, "UIApplicationMain must be called only once")
        _ = roost_prepare_app()
        // Check the environment first: without the system, none of the app's code may run.
        let session = AppSession.shared
        guard let environment = session.environment else { preconditionFailure("the session of a process has one") }
        // An app's home is its container. Without this variable, Foundation on Linux takes it from the password file.
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

    private init(session: AppSession, principalClassName: String?, delegate: (any UIApplicationDelegate.Type)?) {
        self.session = session
        self.principalClassName = principalClassName
        delegateType = delegate
        (hosted, hostedModes) = (nil, nil)
    }

    // MARK: Hosted by a test

    /// Creates the runner of an app that a test hosts in its own process.
    package init(session: AppSession, code: HostedCode) {
        self.session = session
        principalClassName = code.principalClassName
        delegateType = code.delegateType
        hosted = code
        hostedModes = code.info[Self.modesKey] as? [String] ?? []
    }

    /// Starts the hosted app, as `main` would in a process.
    package func begin() {
        CurrentApp.begin(self)
        if !session.isPrewarmed { CurrentApp.$here.withValue(self) { _ = launch() } }
    }

    /// Handles a message from the system, and performs all steps that follow from it.
    package func receive(_ message: SystemMessage) {
        CurrentApp.$here.withValue(self) { perform(session.receive(message)) }
    }

    /// Finishes a callback that the host had postponed.
    package func finish(_ callback: CallbackID) {
        CurrentApp.$here.withValue(self) { conclude(callback) }
    }

    /// The app's delegate; nil before the launch.
    package var delegate: (any UIApplicationDelegate)? { application?.delegate }

    /// Ends the launch: none of the app's code is called after this.
    package func end() {
        session.forgetListeners()
        CurrentApp.end(self)
    }

    // MARK: The launch

    /// The application object; nil before the launch.
    var application: UIApplication? { launched?.application }

    private func launch() -> Launched {
        if let launched { return launched }
        session.launched()
        let name = principalClassName ?? session.principalClass
        let application = ClassByName.make(Self.principalClass(named: name))
        let delegate = delegateType.map { Self.makeDelegate($0) }
        application.delegate = delegate
        application.sceneHost = SceneHost(application: application, runner: self)
        let launched = Launched(
            application: application, delegate: delegate,
            delegateCaller: DelegateCaller(application: application, session: session))
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

    private static func makeDelegate<Delegate: UIApplicationDelegate>(
        _ type: Delegate.Type
    ) -> any UIApplicationDelegate {
        guard let base = type as? NSObject.Type else {
            AppLog.fail("the app delegate class \(type) is no subclass of NSObject", code: EX_SOFTWARE)
        }
        // The object is of this class. A checked cast would search all conformances of the program.
        return unsafeDowncast(ClassByName.make(base), to: Delegate.self)
    }

    /// The name of the app's module if there is no delegate: the name of the executable.
    private var moduleByExecutable: String? {
        let name = hosted == nil ? Bundle.main.executableURL?.lastPathComponent : info["CFBundleExecutable"] as? String
        return name?.asModuleName
    }

    // MARK: Steps

    /// Performs steps in order. Steps that follow from a step run before the remaining steps.
    private func perform(_ steps: [Step]) {
        guard !steps.isEmpty else { return }
        let (application, delegateCaller) = (launch().application, launch().delegateCaller)
        for step in steps {
            switch step {
            case .call(let call):
                host?.willCall(call)
                delegateCaller.tell(call)
            case .post(let notification):
                host?.willPost(notification)
                delegateCaller.post(notification)
            case .expire(let task):
                guard let handler = session.takeHandler(of: task) else { break }
                host?.willExpire(task)
                handler()
            case .transfer(let identifier, let news): session.receive(news, of: identifier)
            case .deliver(let input): EventDelivery.perform(input, by: application)
            case .finish(let callback):
                // The app is active, so its launch is over: show its windows (R-07, T01).
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
