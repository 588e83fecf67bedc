import Foundation
public import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation
import LifeCycleText
public import RoostKit

/// A device with a virtual clock, for testing code that depends on the iOS application life cycle. The device follows
/// the same rules as `roost up`, and time advances only on the test's request.
///
/// ```swift
/// @Test @MainActor func savesInTheBackground() async throws {
///     try await withVirtualDevice { device in
///         let app = try device.install { SyncManager.shared.register() }
///         await device.launch(app)
///         await device.home()
///         await device.advance(by: .seconds(60))
///         #expect(app.state == .suspended)
///     }
/// }
/// ```
///
/// End a device with `finish()`, which fails the test for work that an app has left undone. `withVirtualDevice` calls
/// `finish()`. Main thread only.
@MainActor public final class VirtualDevice {
    let body: Body
    let policy: Policy
    private(set) var apps: [VirtualApp] = []
    private var story: Story
    private let reporter: Reporter
    let failures = FailureWatch()
    private let place: SourcePlace
    private let start: Nanoseconds
    /// The limit of a callback in seconds of real time.
    private let patience: Double
    private var isFinished = false
    /// The shared resources of apps that run as processes; nil until such an app is installed.
    private var processes: ProcessWorld?
    /// The directory for the downloads of hosted apps.
    private let downloads = "\(NSTemporaryDirectory())roost-testing-\(UUID().uuidString)"
    /// The durations of callbacks on the device's clock.
    private var spans: [(name: String, app: AppID?, span: Nanoseconds)] = []
    /// The tasks that were open when an app's end was decided, by launch.
    private var condemned: [LaunchID: [VirtualApp.OpenTask]] = [:]
    /// The last output of launches that have ended, by launch.
    private var lastWords: [LaunchID: String] = [:]
    /// The launches that the test itself has killed.
    private var killed: Set<LaunchID> = []

    /// Creates an unlocked device of an iOS generation, on its home screen. Waits until no other test has a device: all
    /// devices share the process's `UIApplication.shared` and `NotificationCenter.default`.
    ///
    /// - Parameters:
    ///   - policy: The iOS generation, or the test's own limits.
    ///   - fileID: Do not pass it: the place of failures that have no other place.
    ///   - filePath: Do not pass it; see `fileID`.
    ///   - line: Do not pass it; see `fileID`.
    ///   - column: Do not pass it; see `fileID`.
    public convenience init(
        _ policy: Policy = .iOS26, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) async {
        await self.init(policy, reporter: .ofThisTest, at: SourcePlace(fileID, filePath, line, column))
    }

    init(_ policy: Policy, reporter: Reporter, at place: SourcePlace, patience: Double = 10) async {
        // A day in the middle of a year, so that code that reads the date gets a plausible one.
        let start = Moment(awake: .seconds(1000), elapsed: .seconds(1000), wall: .seconds(1_781_524_800))
        self.policy = policy
        self.reporter = reporter
        self.place = place
        self.start = start.awake
        self.patience = patience
        story = Story(start: start.awake)
        body = Body(policy: policy, start: start)
        await DeviceTurn.shared.take()
        body.observer = self
    }

    isolated deinit {
        guard !isFinished else { return }
        end()
        fail("the test ended without finishing the device: call `await device.finish()`, or use withVirtualDevice")
    }

    // MARK: Installing

    /// Installs an app whose code runs in the test's process. Each launch calls `main` before the first callback, as a
    /// process would. `main` may set `UIApplication.shared.delegate`, or register for notifications.
    ///
    /// - Parameters:
    ///   - name: The app's name in traces; by default, the delegate's class or a number.
    ///   - infoPlist: The app's `Info.plist`.
    ///   - delegate: The class of the app delegate, created at each launch; nil for none.
    ///   - main: Further code to run at each launch.
    /// - Throws: `InstallationError`.
    @discardableResult public func install(
        _ name: String? = nil, infoPlist: InfoPlist = [:],
        delegate: (any UIApplicationDelegate.Type)? = nil, main: @escaping @MainActor () -> Void = {}
    ) throws(InstallationError) -> VirtualApp {
        let name = name ?? delegate.map { "\($0)" } ?? "App\(apps.count + 1)"
        let (manifest, keys) = try infoPlist.read(name: name)
        guard !manifest.isAdopted else {
            throw InstallationError(
                "an app with RoostAdopted in its Info.plist receives no callbacks, so there is nothing to call in this "
                    + "process: install its executable instead")
        }
        let installation = HostedInstallation(keys: keys, delegateType: delegate, main: main)
        return install(
            VirtualApp(
                id: AppID(Int32(apps.count + 1)), name: name, installation: .hosted(installation), device: self),
            manifest)
    }

    /// Installs an app whose launches are separate processes. The app's real executable is started, stopped and killed.
    /// Its time follows the device's: `Date()`, timers, `asyncAfter` and `Task.sleep` work in unmodified code.
    ///
    /// - Parameters:
    ///   - executable: The name of a product of the package, or a path.
    ///   - name: The app's name in traces; by default, the executable's.
    ///   - infoPlist: The app's `Info.plist`.
    /// - Throws: `InstallationError`.
    @discardableResult public func install(
        executable: String, name: String? = nil, infoPlist: InfoPlist = [:]
    ) throws(InstallationError) -> VirtualApp {
        let found = try Executable(named: executable)
        let name = name ?? found.name
        let (manifest, keys) = try infoPlist.read(name: found.name)
        let world = try processWorld()
        let id = AppID(Int32(apps.count + 1))
        let home = try world.makeHome(name, id, found, infoPlist: try InfoPlist.data(keys))
        let app = VirtualApp(
            id: id, name: name, installation: .process(home, isAdopted: manifest.isAdopted), device: self)
        return install(app, manifest)
    }

    private func processWorld() throws(InstallationError) -> ProcessWorld {
        if let processes { return processes }
        let world = try ProcessWorld(now: body.now)
        processes = world
        body.page = world.page
        return world
    }

    private func install(_ app: VirtualApp, _ manifest: AppManifest) -> VirtualApp {
        apps.append(app)
        tell("installed", of: app)
        body.handle(.device(.appInstalled(app.id, manifest)))
        return app
    }

    // MARK: Time and the trace

    /// The time since the device was created, without its sleep.
    public var time: Duration { .nanoseconds((body.now.awake - start).rawValue) }

    /// The device's history, one line per event; at most the last 1,000 lines.
    public var trace: String { story.text(atMost: 1000) }

    /// Sets how long a callback takes on the device's clock, from now on. By default callbacks take no time.
    ///
    /// - Parameters:
    ///   - callback: The callback.
    ///   - app: The app; nil for every app.
    ///   - span: The duration on the device's clock.
    public func whileHandling(_ callback: CallbackName, of app: VirtualApp? = nil, takes span: Duration) {
        spans.removeAll { $0.name == callback.name && $0.app == app?.id }
        spans.append((callback.name, app?.id, Nanoseconds(span)))
    }

    private func span(of callback: Callback, _ app: AppID) -> Nanoseconds {
        spans.last { $0.name == callback.name && ($0.app == nil || $0.app == app) }?.span ?? .zero
    }

    func tell(_ text: String, of app: VirtualApp? = nil) {
        story.add(text, app: app?.name ?? "", at: body.now.awake)
    }

    func fail(_ text: String, at place: SourcePlace? = nil) {
        failures.whileReporting { reporter.fail(text + "\n\n" + story.text(atMost: 60), place ?? self.place) }
    }

    /// Shows the device's history if one of the test's own expectations has failed, or its body has thrown.
    func showStory() {
        guard failures.sawOther else { return }
        reporter.tell("What happened on the device:\n\n" + story.text(atMost: 60), place)
    }

    func app(_ id: AppID) -> VirtualApp? { apps.first { $0.id == id } }

    func openTask(_ task: BackgroundTask, of launch: LaunchID?) -> VirtualApp.OpenTask {
        let site = launch.flatMap { body.endpoint(of: $0)?.site(of: task.id) }
        return VirtualApp.OpenTask(name: task.name, site: site.map { "\($0.file):\($0.line)" })
    }

    func willKill(_ launch: LaunchID) { killed.insert(launch) }

    // MARK: The end

    /// Ends the device and checks what its apps have left. Unless the test expects it, the test fails if an app:
    ///
    /// - has left a background task open,
    /// - has not returned from a callback,
    /// - has logged a misuse, or
    /// - was terminated for breaking a rule.
    public func finish() async {
        guard !isFinished else { return }
        await body.settle()
        isFinished = true
        checkAtEnd()
        end()
    }

    private func end() {
        for endpoint in body.endpoints { endpoint.kill() }
        body.sockets.closeAll()
        processes?.remove()
        try? FileManager.default.removeItem(atPath: downloads)
        DeviceTurn.shared.giveBack()
    }

    private func checkAtEnd() {
        if let violation = body.core.violation {
            fail("this is an internal error of Roost, please report it: \(violation)")
        }
        for app in apps {
            for termination in app.unexpectedTerminations { fail(sentence(termination, of: app)) }
            for line in app.unexpectedLog {
                fail(
                    "\(app.name) has logged an error: \(line)\nIf the test expects it: device.expectLog(of:containing:)"
                )
            }
            guard let snapshot = app.snapshot, let launch = snapshot.launch, !snapshot.isEnding else { continue }
            let open = (body.endpoint(of: launch)?.openTasks ?? []).map { openTask($0, of: launch) }
            for task in open { fail("\(app.name) has left a background task open: \(task)") }
            if snapshot.assertions.contains(.callback) {
                let waiting = snapshot.nextDeadline.flatMap { deadline -> String? in
                    if case .callback(_, let callback) = deadline.reason { callback.name } else { nil }
                }
                fail("\(app.name) has not returned from \(waiting ?? "a callback") by the end of the test")
            }
        }
    }

    private func sentence(_ termination: VirtualApp.Termination, of app: VirtualApp) -> String {
        let at = Nanoseconds(termination.time)
        let what =
            switch termination.code {
            case .exception, .jetsam: "killed \(termination.code) at +\(at)"
            case .signal: "ended at +\(at)"
            }
        let why =
            switch termination.reason {
            case .tasksNotEnded where !termination.openTasks.isEmpty:
                termination.openTasks.map { "\($0), was never ended" }.joined(separator: "; ")
            default: DecisionText.text(termination.reason)
            }
        let printed = termination.lastWords.isEmpty ? "" : "\nIt had printed:\n\(termination.lastWords)"
        return "\(app.name) was \(what): \(why)\nIf the test expects it: device.expectTermination(of:)\(printed)"
    }
}

// MARK: Reports from the body

extension VirtualDevice: BodyObserver {
    func makeEndpoint(of launch: LaunchID, context: LaunchContext) -> (any Endpoint)? {
        guard let app = app(launch.app) else { return nil }
        switch app.installation {
        case .hosted(let installation):
            let code = HostedCode(
                info: installation.keys, delegateType: installation.delegateType, main: installation.main)
            return HostedEndpoint(
                launch: launch, context: context, code: code, container: home(of: app), clock: body.clock,
                conditions: conditions(of: launch))
        case .process(let home, let isAdopted):
            guard let processes else { return nil }
            return ProcessEndpoint(
                launch: launch, context: context, home: home, world: processes, isAdopted: isAdopted,
                conditions: conditions(of: launch), now: { [unowned self] in body.now.awake })
        }
    }

    func container(of app: AppID) -> String? { self.app(app).map(home) }

    /// The directory of an app's downloads. A hosted app has no home, so its directory is created with the first
    /// download.
    private func home(of app: VirtualApp) -> String { app.container ?? "\(downloads)/\(app.id.rawValue)" }

    private func conditions(of launch: LaunchID) -> Conditions {
        Conditions(
            span: { [unowned self] in span(of: $0, launch.app) }, patience: patience,
            plan: { [unowned self] in body.plan($0, of: launch, in: $1) })
    }

    func areStillBusy(after seconds: Double) {
        tell("code still runs after \(seconds) s of real time: the device continues without it")
    }

    func decided(_ decision: Decision) {
        let (kind, text) = DecisionText.kindAndText(decision, at: body.now)
        let app = decision.app.flatMap(app)
        tell(text, of: app)
        app?.reasons.append(text)
        switch decision {
        case .launch(_, .launched(let reason)), .launch(_, .woken(let reason)): app?.wakes.append(reason)
        case .launch(let launch, .terminating(_, let open)): condemned[launch] = open.map { openTask($0, of: launch) }
        case .launch(let launch, .ended(let reason, _)): ended(launch, reason)
        default: _ = kind
        }
    }

    private func ended(_ launch: LaunchID, _ reason: TerminationReason) {
        guard let app = app(launch.app) else { return }
        let termination = VirtualApp.Termination(
            reason: reason, time: time, openTasks: condemned.removeValue(forKey: launch) ?? [],
            lastWords: lastWords.removeValue(forKey: launch) ?? "")
        app.terminations.append(termination)
        if killed.remove(launch) == nil, reason.isAppsFault { app.unexpectedTerminations.append(termination) }
    }

    func reported(_ report: Report, of launch: LaunchID) {
        guard let app = app(launch.app) else { return }
        switch report {
        case .called(let call):
            app.callbacks.append(call)
            tell(call.name, of: app)
        case .posted(let notification):
            app.notifications.append(notification)
            tell("posts \(notification.name)", of: app)
        case .expired(let task):
            let name = app.snapshot?.openTasks.first { $0.id == task }?.name ?? "\(task)"
            app.expirations.append(name)
            tell("expiration handler of \"\(name)\"", of: app)
        case .logged(let line):
            app.log.append(line)
            app.unexpectedLog.append(line)
            tell("logs: \(line)", of: app)
        case .misbehaved(let sentence): fail("\(app.name) \(sentence)")
        case .startFailed(_, let why): fail("cannot start \(app.name): \(why)")
        case .exited: lastWords[launch] = body.endpoint(of: launch)?.lastWords
        case .started, .attached, .requested: break
        }
    }
}

extension TerminationReason {
    /// Whether the app's own code has caused the end, by breaking a rule or by exiting.
    fileprivate var isAppsFault: Bool {
        switch self {
        case .exited, .launchFailed, .watchdog, .didNotExit, .lostContact, .tasksNotEnded, .sessionEventsNotHandled,
            .eventNotHandled, .noCallReported, .wokenTooOften, .tooManyTasks, .tooManyRequests, .tooMuchDisk,
            .notFreezable:
            true
        case .cutOff, .forceQuit, .memory, .exitsOnSuspend, .shutdown, .deviceShutdown, .systemGone, .uninstalled,
            .updated, .fault:
            false
        }
    }
}

/// Runs a test with a virtual device, which is created before the body and finished after it, even if the body throws.
///
/// - Parameters:
///   - policy: The iOS generation, or the test's own limits.
///   - fileID: Do not pass it: the place of failures that have no other place.
///   - filePath: Do not pass it; see `fileID`.
///   - line: Do not pass it; see `fileID`.
///   - column: Do not pass it; see `fileID`.
///   - body: The test's code.
/// - Returns: The result of `body`.
/// - Throws: The error of `body`.
@MainActor @discardableResult public func withVirtualDevice<Result, Failure: Error>(
    _ policy: Policy = .iOS26, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ body: @MainActor (VirtualDevice) async throws(Failure) -> Result
) async throws(Failure) -> Result {
    let device = await VirtualDevice(policy, fileID: fileID, filePath: filePath, line: line, column: column)
    do throws(Failure) {
        let result = try await device.failures.watching { () async throws(Failure) in try await body(device) }
        await device.finish()
        device.showStory()
        return result
    } catch {
        await device.finish()
        device.showStory()
        throw error
    }
}
