internal import Glibc
public import LifeCycleModel
import LifeCyclePolicy
import LifeCycleText
public import Logging
public import RoostPorts
internal import RoostWire

/// The body on Linux: it owns the `Device`, reports events to it, and performs its effects. It makes no decisions.
///
/// Everything runs on the thread that calls `run`. An iteration of the loop handles all readable descriptors, commits
/// records to the store, and performs the effects in order. It ends with the journal. Only transfers that do not depend
/// on the records are begun before the commit.
public final class Supervisor {
    /// The adapters, and the locations of files and sockets.
    public struct Parts {
        /// Control of processes and the freezer.
        public var processes: any ProcessControl
        /// The store of records, which outlive restarts.
        public var store: any Store
        /// Bundles, containers and logs of apps.
        public var files: any AppFiles
        /// The path of the socket for apps.
        public var appSocket: String
        /// Whether any user may connect to the apps' socket, because apps run as other users.
        public var isAppSocketForAll: Bool
        /// The path of the control socket.
        public var controlSocket: String
        /// The cookie that control clients must present first.
        public var controlCookie: String
        /// The directory for new journals: `journal` in the state directory.
        public var journalDirectory: String
        /// The file of decisions from earlier runs, for `roost why`; nil for none.
        public var historyFile: String?
        /// The kernel's id of this boot.
        public var bootID: String
        /// Whether this is the first run of the system since the device booted.
        public var isFirstSinceBoot: Bool
        /// The system's id, which `status` reports.
        public var systemID: String
        /// The state directory, which `status` reports.
        public var stateDirectory: String
        /// The wake lock that keeps the device awake; nil for none.
        public var power: (any PowerControl)?
        /// The source of memory pressure events; nil for none.
        public var memory: (any MemoryWatch)?
        /// Limits the length of running apps' logs; nil for no limit.
        public var logs: (any LogKeeper)?
        /// Runs measurements of a few milliseconds on an existing thread, one after the other.
        public var measuring: (@escaping @Sendable () -> Void) -> Void = { $0() }
        /// Releases memory that is not needed while the loop waits. Called on the loop's thread, after apps were
        /// suspended.
        public var releaseMemory: () -> Void = {}
        /// Runs work that may take seconds on an existing thread, one piece after the other.
        public var aside: (@escaping @Sendable () -> Void) -> Void = { $0() }
        /// Closes passed descriptors, however long that takes, on its own threads. Nil if the kernel refuses passed
        /// descriptors.
        public var closing: ((@escaping @Sendable () -> Void) -> Void)?
        /// Whether the next start finds and ends processes that have no record.
        public var endsLeftovers = true
        /// The level of the apps' sandbox, which `status` reports.
        public var sandbox = "none"
        /// The source of network state; nil for none, which counts as connected.
        public var links: (any LinkWatch)?
        /// The source of the power supply's state; nil for none.
        public var supplies: (any PowerSupplyWatch)?
        /// The engine for background transfers; nil for none.
        public var transfers: (any TransferEngine)?
        /// The source of the device's positions; nil for none.
        public var location: (any LocationSource)?
        /// The watch of apps' sockets; nil for none, and then no socket is kept.
        public var sockets: (any SocketWatch)?
        /// The source of time zones; nil for none, and then no zone is known.
        public var zones: (any ZoneWatch)?
        /// Examines a sound file of an app.
        public var examineSound: (BundleIdentifier, String) -> SoundFile = { _, _ in .missing }

        /// All further parts have defaults. Without an adapter, the system lacks the adapter's feature.
        public init(
            processes: any ProcessControl, store: any Store, files: any AppFiles, appSocket: String,
            controlSocket: String, controlCookie: String, journalDirectory: String, bootID: String,
            isFirstSinceBoot: Bool, systemID: String, stateDirectory: String, isAppSocketForAll: Bool = false
        ) {
            self.processes = processes
            self.store = store
            self.files = files
            self.appSocket = appSocket
            self.isAppSocketForAll = isAppSocketForAll
            self.controlSocket = controlSocket
            self.controlCookie = controlCookie
            self.journalDirectory = journalDirectory
            self.bootID = bootID
            self.isFirstSinceBoot = isFirstSinceBoot
            self.systemID = systemID
            self.stateDirectory = stateDirectory
        }
    }

    let parts: Parts
    let loop: EventLoop
    let reception: Reception
    let logger: Logger
    let sessions: AppSessions
    let memory: DecisionMemory
    var device: Device
    var handles: [LaunchID: ProcessHandle] = [:]
    /// The identifier of each installed app. An identifier remains until the app's files are removed.
    var identifiers: [AppID: BundleIdentifier] = [:]
    /// The last launch of each app whose process could not be started, and the error, for the caller that asked for it.
    var startFailures: [AppID: (launch: LaunchID, error: SystemError)] = [:]
    /// Launches whose freeze was not complete at the last check.
    var freezing: [LaunchID: PendingFreeze] = [:]
    /// Killed launches whose exit has not been observed yet.
    var killed: Set<LaunchID> = []
    /// The descriptors that show whether another process has thawed a suspended launch.
    var thawWatches: [LaunchID: Int32] = [:]

    let fileWork: FileWork
    /// The progress of launches whose files were not ready for the start.
    var files: [LaunchID: FilesProgress] = [:]
    let filesResults: Mailbox<FilesResult>
    let measurements: Mailbox<Measurement>
    /// The processes of prewarmed apps. These processes are not stored, so a restart does not look for them.
    var unkept: [LaunchID: (process: StoredProcess, token: String)] = [:]
    /// Suspended apps whose memory is still to be measured, one per iteration.
    var unmeasured: [LaunchID] = []
    /// Whether an app was suspended since memory was last released.
    var hasSuspended = false
    /// The time by which transfers must have stopped at the end; nil unless only transfers are left.
    var transfersHaveUntil: Nanoseconds?
    /// The transfers that have not sent their last report.
    var transfersEnding: Set<TransferID> = []
    /// The device's time zone, as last reported to the brain.
    var zone: (name: String, rules: ZoneRules)?
    /// The guardian, which restarts the system; nil without one.
    var guardian: GuardianWatch?
    /// Ends the detection of hangs.
    var stopBeating: (() -> Void)?
    /// The reason why `run` returned.
    public internal(set) var ending = Ending.shutDown

    private let journal: Journal
    private var effects: [Effect] = []
    private var changes: [StoreChange] = []
    private var isSettling = false
    private var listeners: [Listener] = []
    private(set) var control: ControlServer?
    /// The error of the last write to the store; nil after a successful write.
    private(set) var storeFailure: SystemError?
    private var journalFailure: SystemError?
    private var retryJournalAt: Nanoseconds?
    private var retryStoreAt: Nanoseconds?
    /// The end of the first iteration that is not committed yet; nil if every iteration is committed.
    private var unsettledSince: Nanoseconds?
    /// The bounds of the time for which messages are gathered before one commit, while unread messages wait. Within the
    /// bounds, messages are gathered for as long as the last commit and its effects took. A slow disk thus takes at
    /// most half of the time.
    var gathering = Nanoseconds.milliseconds(5)...Nanoseconds.milliseconds(50)
    private var lastSettling = Nanoseconds.zero
    /// The pause before a failed write is retried.
    var retryPause = Nanoseconds.seconds(1)
    /// The effects that wait for a record to be written or for an app's files, in order.
    private var held = HeldEffects()

    /// When to look again for what ended launches have left, and the pause after that; nil if nothing is left.
    var collectAgain: (at: Nanoseconds, pause: Nanoseconds)?

    struct PendingFreeze {
        let attempt: Int32
        var watch: Int32?
        var lookAgainAt: Nanoseconds
    }

    /// Creates a supervisor from the store's content, and finds the launches that are under way.
    ///
    /// Throws if the store cannot be read or a socket cannot be created. If the journal cannot be begun, the error is
    /// logged, and the journal is retried later.
    public init(policy: Policy, parts: Parts, logger: Logger) throws(SystemError) {
        self.parts = parts
        self.logger = logger
        memory = DecisionMemory(history: parts.historyFile.map { DecisionHistory(path: $0) })
        loop = try EventLoop()
        reception = Reception(
            loop: loop, receivesDescriptors: parts.closing != nil, closing: parts.closing ?? { $0() })
        let stored = try parts.store.load()
        device = Device(
            policy: policy, record: stored.device, apps: stored.apps, launches: stored.launches.map(\.record),
            concerns: stored.concerns, endsLeftovers: parts.endsLeftovers)
        let journalReady = try Mailbox<Void>()
        journal = Journal(
            directory: parts.journalDirectory, device: device, aside: parts.aside,
            whenReady: stored.isLarge ? { @Sendable in journalReady.post(()) } : nil)
        fileWork = try FileWork(files: parts.files, loop: loop)
        filesResults = try Mailbox()
        measurements = try Mailbox()
        sessions = AppSessions(reception: reception, processes: parts.processes, logger: logger)
        sessions.onAttach = { [unowned self] in submit(.app($0, .attached($1))) }
        sessions.onRequest = { [unowned self] in submit(.app($0, .requested($1))) }
        try loop.attach(filesResults) { [unowned self] in filesEnded($0) }
        try loop.attach(measurements) { [unowned self] in measured($0) }
        // Wakes the loop; the end of that iteration writes the line.
        try loop.attach(journalReady) { _ in }
        fileWork.onRemoval = { [unowned self] in removed($0) }
        loop.onDeadline = { [unowned self] in deadlineReached() }
        loop.endOfTurn = { [unowned self] in endTurn() }
        // The kernel's wake lock outlives its holder. An app that still has an open task takes it again.
        try? parts.power?.keepAwake(false)
        try watchLinks()
        try watchPower()
        try watchZones()
        recover(stored.launches)
        if parts.isFirstSinceBoot { submit(.device(.deviceStarted)) }
        watchClock()
        watchMemory()
        try watchTransfers()
        try watchLocations()
        try watchSockets()
        listeners.append(
            try Listener(path: parts.appSocket, mode: parts.isAppSocketForAll ? 0o666 : 0o600, reception: reception) {
                [unowned self] in sessions.accept($0)
            })
        let control = ControlServer(supervisor: self)
        self.control = control
        listeners.append(try Listener(path: parts.controlSocket, reception: reception) { control.accept($0) })
        settle()
    }

    /// Runs until the system has shut down after a signal, is to be restarted, or has lost its guardian. `ending` has
    /// the reason.
    public func run() throws(SystemError) {
        try loop.watchSignals(Self.endingSignals) { [unowned self] in signaled($0) }
        logger.info(
            "the system is up",
            metadata: ["policy": "\(device.policy.name)", "freezer": "\(parts.processes.mechanism)"])
        settle()
        loop.run()
        stopBeating?()
        for listener in listeners { listener.close() }
        finishJournal()
        switch ending {
        case .shutDown: logger.info("the system is down")
        case .restart: logger.info("ending, to be replaced by a successor")
        case .guardianLost:
            let limit = device.policy.supervisorAbsence
            logger.warning("the guardian is gone: suspended apps are ended in \(limit) unless `roost up` comes first")
            try? parts.power?.keepAwake(false)
        }
    }

    /// Whether the kernel refuses passed descriptors. If the kernel accepts them, `Parts.closing` is required.
    public static var kernelRefusesDescriptors: Bool { Reception.kernelRefusesDescriptors }

    /// The signals that begin a shutdown. Block them with `EventLoop.holdBack` before anything else is created.
    public static let endingSignals = SupervisorSignal.allCases.flatMap(\.numbers)

    // MARK: The iteration

    /// Gives the brain an event. The effects are performed at the end of the iteration, or by `settle`.
    func submit(_ event: Event) {
        let now = Moment.now
        let first = effects.count
        device.handle(event, at: now, into: &effects)
        let new = effects[first...]
        journal.note(event, at: now, effects: Array(new))
        for effect in new {
            switch effect {
            case .store(let record):
                changes.append(.record(device.filled(record)))
                if case .launch(let launch) = record { storePrewarmed(launch.launch) }
            case .decided(let decision): remember(.decided(decision), about: decision.app, at: now)
            case .launch(let launch, .send(.callback(_, let callback))):
                remember(.sent(callback, launch), about: launch.app, at: now)
            case .launch, .device, .concern: break
            }
        }
    }

    /// Commits the iteration's changes and performs its effects. While unread messages wait, one commit serves several
    /// iterations, because a commit costs more than most messages.
    private func endTurn() {
        if reception.hasMore {
            let now = EventLoop.now
            let since = unsettledSince ?? now
            unsettledSince = since
            guard now - since >= min(max(lastSettling, gathering.lowerBound), gathering.upperBound) else { return }
        }
        let begin = EventLoop.now
        settle()
        lastSettling = EventLoop.now - begin
    }

    /// Commits changes, then performs effects, until no change and no effect is left.
    ///
    /// After a failure, the store is retried after a pause, or at once if a caller waits for the answer.
    func settle(tryingStore: Bool = false) {
        guard !isSettling else { return }
        isSettling = true
        unsettledSince = nil
        defer { isSettling = false }
        if tryingStore { retryStoreAt = nil }
        repeat {
            beginTransfersEarly()
            commit()
            let due = held.takeAll() + effects
            effects.removeAll(keepingCapacity: true)
            let unwritten = Set(storeFailure == nil ? [] : changes.flatMap(\.subjects))
            let unready = Set(files.filter { $0.value == .underWay }.keys)
            for effect in due where !held.takes(effect, waitingFor: unwritten, orFilesOf: unready) { perform(effect) }
        } while !effects.isEmpty || !(changes.isEmpty || storeFailure != nil)
        writeJournal()
        memory.write { logger.warning("cannot write the history of decisions", metadata: ["problem": "\($0)"]) }
        loop.deadline = nextDeadline
        control?.answerStarted()
        releaseMemoryAtRest()
    }

    /// Begins transfers that do not depend on the commit before it, so that data arrives while the disk is busy. If the
    /// store has failed, all effects wait in order.
    private func beginTransfersEarly() {
        guard storeFailure == nil else { return }
        begin(
            effects.takeBeginnings(aheadOf: changes.flatMap(\.subjects)) {
                device.transferJob(of: $0)?.resumes.isEmpty ?? true
            })
    }

    /// The number of changes that are not on disk, and the number of effects that wait for them.
    var backlog: (changes: Int, effects: Int) { (changes.count, held.count) }

    /// Holds back a launch's start, and all later effects on the launch.
    func hold(_ start: Effect) { held.hold(start) }

    /// Whether a launch's start was held back. The start and the later effects are dropped.
    func dropHeldStart(of launch: LaunchID) -> Bool {
        files[launch] = nil
        return held.drop(launch)
    }

    /// Stores the process of a prewarmed app that is now launched, so that a restart finds it.
    private func storePrewarmed(_ launch: LaunchID) {
        guard let (process, token) = unkept.removeValue(forKey: launch) else { return }
        keep(process, of: launch, token: token)
    }

    /// Stores the data by which a restart finds a launch's process.
    func keep(_ process: StoredProcess, of launch: LaunchID, token: String) {
        changes.append(.process(launch, process, token: token))
    }

    /// Stores that an app's files are deleted, which completes its removal.
    func filesRemoved(of identifier: BundleIdentifier) { changes.append(.filesRemoved(identifier)) }

    /// Writes the journal after the effects, because no caller waits for it. A failed write is retried after a pause,
    /// since each attempt writes the whole device.
    private func writeJournal() {
        if let retryJournalAt, Moment.now.awake < retryJournalAt { return }
        do throws(SystemError) {
            try journal.write(device: device)
            if journalFailure != nil { logger.notice("the journal can be written again") }
            journalFailure = nil
            retryJournalAt = nil
        } catch {
            retryJournalAt = Moment.now.awake + retryPause
            if journalFailure == nil {
                logger.error(
                    "cannot write the journal: the system continues without it", metadata: ["problem": "\(error)"])
            }
            journalFailure = error
        }
    }

    private func finishJournal() {
        do throws(SystemError) {
            try journal.finish()
        } catch {
            logger.error("cannot write the journal", metadata: ["problem": "\(error)"])
        }
    }

    private func commit() {
        if let retryStoreAt, Moment.now.awake < retryStoreAt { return }
        do throws(SystemError) {
            if !changes.isEmpty {
                try parts.store.commit(changes)
                changes.removeAll(keepingCapacity: true)
            }
            if storeFailure != nil { logger.notice("the state can be written again") }
            storeFailure = nil
            retryStoreAt = nil
        } catch {
            // The changes are retained and written with the changes of a later iteration. Apps continue to run.
            if storeFailure == nil { logger.error("cannot write the state", metadata: ["problem": "\(error)"]) }
            storeFailure = error
            retryStoreAt = Moment.now.awake + retryPause
        }
    }

    func remember(_ what: Occurrence.What, about app: AppID?, at now: Moment) {
        let occurrence = Occurrence(what: what, time: now, app: app.flatMap { identifiers[$0] })
        memory.remember(occurrence, about: app)
        control?.publish(occurrence)
    }

    // MARK: Time

    private var nextDeadline: Nanoseconds? {
        let recheck = freezing.values.map(\.lookAgainAt).min()
        let measureAt = unmeasured.isEmpty ? nil : Nanoseconds.zero
        return [device.nextDeadlineTime, recheck, retryStoreAt, measureAt, transfersHaveUntil, collectAgain?.at]
            .compactMap { $0 }.min()
    }

    /// Releases memory once the apps that left the foreground are suspended and no deadline is near. Suspending apps
    /// touches most of the program's code, which a waiting service does not need in memory.
    private func releaseMemoryAtRest() {
        guard hasSuspended, !reception.hasMore else { return }
        if let deadline = loop.deadline, deadline - EventLoop.now < .seconds(1) { return }
        hasSuspended = false
        parts.releaseMemory()
    }

    private func deadlineReached() {
        let now = Moment.now.awake
        for launch in freezing.filter({ $0.value.lookAgainAt <= now }).keys.sorted() { lookAtFreeze(of: launch) }
        measureNext()
        if let collectAgain, collectAgain.at <= now { finishCollecting(after: collectAgain.pause) }
        if let end = transfersHaveUntil, end <= now { loop.stop() }
        if let deadline = device.nextDeadlineTime, deadline <= now { submit(.deadlineReached) }
    }

    var ownPID: Int32 { getpid() }

    /// Leaves `run` after this iteration, or once all transfers are stopped.
    func finish() {
        stopTransfers()
        if transfersHaveUntil == nil { loop.stop() }
    }
}
