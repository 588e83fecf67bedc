import Glibc
import LifeCycleModel
import RoostPorts

/// The calls to all fakes, in order.
final class CallLog {
    var calls: [String] = []
    /// How often memory was released.
    var releases = 0
}

/// Processes that do not exist: each pidfd is a pipe that the test closes to make the process exit.
final class FakeProcesses: ProcessControl {
    let log: CallLog
    let mechanism = "fake"
    var exits: [LaunchID: ExitStatus] = [:]
    /// The launches that the test's own process counts as part of.
    var residents: Set<LaunchID> = []
    var startFailure: SystemError?
    /// The work that each launch's files need before its start. A piece that was handed out counts as done.
    var preparations: [LaunchID: [@Sendable () -> Result<Void, SystemError>]] = [:]
    var freezeFailure: SystemError?
    /// Called the instant before a launch is frozen.
    var beforeFreeze: ((LaunchID) -> Void)?
    var pendingLooks = 0
    /// The number of thaws that will still fail.
    var failingThaws = 0
    /// The number of processes that each launch leaves behind.
    var leftProcesses = 0
    /// How many more times something of ended launches is left.
    var leftovers = 0
    private var writeEnds: [LaunchID: Int32] = [:]
    private var readEnds: [LaunchID: Int32] = [:]

    init(log: CallLog) { self.log = log }

    deinit { for end in Array(writeEnds.values) + Array(readEnds.values) { close(end) } }

    func preparation(
        of specification: LaunchSpecification
    ) throws(SystemError) -> (@Sendable () -> Result<Void, SystemError>)? {
        guard preparations[specification.launch]?.isEmpty == false else { return nil }
        return preparations[specification.launch]?.removeFirst()
    }

    func start(_ specification: LaunchSpecification) throws(SystemError) -> ProcessHandle {
        log.calls.append("start \(specification.launch)")
        if let startFailure { throw startFailure }
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        readEnds[specification.launch] = ends[0]
        writeEnds[specification.launch] = ends[1]
        return ProcessHandle(pid: 1000 + specification.launch.app.rawValue, descriptor: ends[0], startTime: 1)
    }

    /// Makes a launch's process exit.
    func exit(_ launch: LaunchID, _ status: ExitStatus) {
        exits[launch] = status
        if let end = writeEnds.removeValue(forKey: launch) { close(end) }
    }

    func find(_ launch: LaunchID, identifier: BundleIdentifier, pid: Int32, startTime: UInt64) -> ProcessHandle? { nil }

    func collect(_ launch: LaunchID) -> ExitStatus {
        if let end = readEnds.removeValue(forKey: launch) { close(end) }
        return exits[launch] ?? .unknown
    }

    func finishCollecting() -> Bool {
        if leftovers > 0 { log.calls.append("leftovers") }
        leftovers -= 1
        return leftovers >= 0
    }

    func freeze(_ launch: LaunchID) throws(SystemError) -> FreezeProgress {
        log.calls.append("freeze \(launch)")
        if let freezeFailure { throw freezeFailure }
        beforeFreeze?(launch)
        return try freezeProgress(launch)
    }

    func freezeProgress(_ launch: LaunchID) throws(SystemError) -> FreezeProgress {
        guard pendingLooks == 0 else {
            pendingLooks -= 1
            return .pending(watch: nil, lookAgainAfter: .milliseconds(1))
        }
        return .frozen
    }

    func thaw(_ launch: LaunchID) throws(SystemError) {
        log.calls.append("thaw \(launch)")
        guard failingThaws == 0 else {
            failingThaws -= 1
            throw SystemError(doing: "thaw an app", subject: "launch \(launch)", errno: 5, reason: "I/O error")
        }
    }
    func left(of launch: LaunchID) -> Int { leftProcesses }
    func thawWatch(of launch: LaunchID) -> Int32? { nil }
    func setPriority(_ launch: LaunchID, _ priority: ProcessPriority) throws(SystemError) {
        log.calls.append("priority \(launch) \(priority.rawValue)")
    }
    func footprint(of launch: LaunchID) -> (@Sendable () -> Int64)? { { 4096 } }
    func requestExit(_ launch: LaunchID) throws(SystemError) { log.calls.append("request exit \(launch)") }

    func kill(_ launch: LaunchID) throws(SystemError) {
        log.calls.append("kill \(launch)")
        exit(launch, .signaled(9))
    }

    func contains(_ launch: LaunchID, _ peer: PeerProcess) -> Bool { residents.contains(launch) }
    func isAppProcess(_ peer: PeerProcess) -> Bool? { !residents.isEmpty }
    func evidence(_ launch: LaunchID) -> KernelEvidence? { nil }
}

/// A device that records when it may not sleep.
final class FakePower: PowerControl {
    let log: CallLog
    var failure: SystemError?

    init(log: CallLog) { self.log = log }

    func keepAwake(_ isKept: Bool) throws(SystemError) {
        log.calls.append(isKept ? "keep awake" : "may sleep")
        if let failure { throw failure }
    }
}

/// A store in memory.
final class FakeStore: Store {
    let log: CallLog
    var failure: SystemError?
    private(set) var changes: [StoreChange] = []
    private(set) var commits = 0
    private var next: Int32 = 0
    private let kept: StoredState

    init(log: CallLog, kept: StoredState) {
        self.log = log
        self.kept = kept
    }

    func load() throws(SystemError) -> StoredState { kept }

    func commit(_ changes: [StoreChange]) throws(SystemError) {
        if let failure { throw failure }
        commits += 1
        for change in changes {
            switch change {
            case .record(.app(let record)): log.calls.append("store app \(record.app.rawValue)")
            case .record(.launch(let record)): log.calls.append("store launch \(record.launch)")
            case .record(.concern(.transfer(.task(let record)))):
                let outcome =
                    switch record.outcome {
                    case .downloaded(_, _, let isMoved): isMoved ? " moved" : " downloaded"
                    case .failed(let failure): " failed \(failure.code)"
                    case nil: ""
                    }
                log.calls.append("store transfer \(record.id)\(outcome)")
            case .record(.concern(.transfer(.taskRemoved(let id)))): log.calls.append("store without transfer \(id)")
            case .process(let launch, _, _): log.calls.append("store process \(launch)")
            case .filesRemoved(let identifier): log.calls.append("store files removed \(identifier)")
            case .record: break
            }
        }
        self.changes += changes
    }

    func nextAppID() throws(SystemError) -> AppID {
        next += 1
        return AppID(next)
    }
}

/// Bundles that do not exist; the last part of the path is the app's name.
final class FakeFiles: AppFiles {
    let log: CallLog
    /// The variables each launch was given.
    var environments: [LaunchID: [String]] = [:]
    var containerSize: Int64 = 0

    init(log: CallLog) { self.log = log }

    func install(
        from path: String, replacing: Bool,
        done: @escaping @Sendable (Result<InstalledBundle, BundleRejection>) -> Void
    ) {
        guard let name = path.split(separator: "/").last, let identifier = BundleIdentifier("org.test.\(name)") else {
            return done(.failure(BundleRejection("\(path) is not a bundle")))
        }
        let mode = name == "phone" ? BackgroundMode.voip : .location
        let manifest = AppManifest(identifier: identifier, executable: "app", backgroundModes: [mode])
        done(.success(InstalledBundle(manifest: manifest, notes: [])))
    }

    func installWasRecorded(_ identifier: BundleIdentifier) { log.calls.append("recorded \(identifier)") }

    func specification(
        for launch: LaunchID, of manifest: AppManifest, adding: [String]
    ) throws(SystemError) -> LaunchSpecification {
        environments[launch] = adding
        return LaunchSpecification(
            launch: launch, identifier: manifest.identifier, executable: "/bin/true", environment: adding,
            workingDirectory: "/", logFile: "/dev/null")
    }

    func log(of identifier: BundleIdentifier) -> String { "/dev/null" }

    func container(of identifier: BundleIdentifier) -> String { "/containers/\(identifier)" }

    func measure(_ identifier: BundleIdentifier, done: @escaping @Sendable (Result<Int64, SystemError>) -> Void) {
        log.calls.append("measure \(identifier)")
        done(.success(containerSize))
    }

    func remove(_ identifier: BundleIdentifier, done: @escaping @Sendable (Result<Void, SystemError>) -> Void) {
        log.calls.append("remove \(identifier)")
        done(.success(()))
    }
}
