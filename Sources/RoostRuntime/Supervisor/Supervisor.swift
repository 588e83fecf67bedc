internal import Glibc
public import LifeCycleModel
import LifeCyclePolicy
import LifeCycleText
public import Logging
public import RoostPorts
internal import RoostWire

/// The real body: owns the `Device`, gives it what happens, and carries out what it decides. It decides nothing.
///
/// Everything runs on the thread that calls `run`. Within a turn of the loop all that is readable is handled first,
/// then what must last is written, then effects are performed in their order; at its end the journal is written. Only
/// transfers that do not build on what is written are begun before.
public final class Supervisor {
    /// The organs, and where things are.
    public struct Parts {
        /// Processes and their freezer.
        public var processes: any ProcessControl
        /// What is kept over restarts.
        public var store: any Store
        /// Bundles, containers and logs.
        public var files: any AppFiles
        /// The path of the socket for apps.
        public var appSocket: String
        /// Whether apps run as other users, and any of them may connect to it.
        public var isAppSocketForAll: Bool
        /// The path of the socket for control.
        public var controlSocket: String
        /// What callers show there before anything else.
        public var controlCookie: String
        /// The directory for journals.
        public var journalDirectory: String
        /// The file in which decisions are kept for `roost why` over restarts; nil where they are not.
        public var historyFile: String?
        /// Which boot this is.
        public var bootID: String
        /// Whether the device was started since the system last ran.
        public var isFirstSinceBoot: Bool
        /// What `status` tells: the system's id and its state directory.
        public var systemID: String
        /// The state directory.
        public var stateDirectory: String
        /// What keeps the device awake; nil where nothing does.
        public var power: (any PowerControl)?
        /// What tells when memory runs low; nil where nothing does.
        public var memory: (any MemoryWatch)?
        /// What keeps the logs of apps that run at a length; nil where nothing does.
        public var logs: (any LogKeeper)?
        /// Measures what takes milliseconds on a thread that is there already, one after the other.
        public var measuring: (@escaping @Sendable () -> Void) -> Void = { $0() }
        /// Returns memory that the next wait does not need. Called on the loop's thread, after apps were suspended.
        public var releaseMemory: () -> Void = {}
        /// Does work that may take seconds on a thread that is there already, one piece after the other.
        public var aside: (@escaping @Sendable () -> Void) -> Void = { $0() }
        /// Closes what strangers have passed, as long as that takes, on threads of their own; nil where the kernel refuses
        /// what they pass.
        public var closing: ((@escaping @Sendable () -> Void) -> Void)?
        /// Whether processes that are on no record are found and ended at the next start.
        public var endsLeftovers = true
        /// What `status` tells of how apps are shut in.
        public var sandbox = "none"
        /// What tells whether there is a network; nil where nothing does, and there is taken to be one.
        public var links: (any LinkWatch)?
        /// What tells of the device's power; nil where nothing does.
        public var supplies: (any PowerSupplyWatch)?
        /// What carries background transfers; nil where nothing does.
        public var transfers: (any TransferEngine)?
        /// What knows the time zones; nil where nothing does, and there are none.
        public var zones: (any ZoneWatch)?
        /// Looks at a sound among an app's files.
        public var examineSound: (BundleIdentifier, String) -> SoundFile = { _, _ in .missing }

        /// Parts with these values.
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
    /// Every installed app's identifier; kept a moment longer than the app, for its files to be found.
    var identifiers: [AppID: BundleIdentifier] = [:]
    /// The last launch of each app whose process could not be started, and the error, for the caller that asked for it.
    var startFailures: [AppID: (launch: LaunchID, error: SystemError)] = [:]
    /// Launches asked to freeze that had not obeyed when last looked at.
    var freezing: [LaunchID: PendingFreeze] = [:]
    /// Launches that were killed, and whose exit is still to be seen.
    var killed: Set<LaunchID> = []
    /// What shows that a suspended launch was thawed by another process.
    var thawWatches: [LaunchID: Int32] = [:]

    let fileWork: FileWork
    /// Launches whose files were not ready for their start.
    var files: [LaunchID: FilesProgress] = [:]
    let filesResults: Mailbox<FilesResult>
    let measurements: Mailbox<Measurement>
    /// The processes of apps that were started early: nobody looks for them after a restart.
    var unkept: [LaunchID: (process: StoredProcess, token: String)] = [:]
    /// Suspended apps whose memory is still to be measured, one in each turn of the loop.
    var unmeasured: [LaunchID] = []
    /// Whether an app was suspended since memory was last released.
    var hasSuspended = false
    /// Whether it is all over but for transfers that are still to be stopped, and by when they have to be.
    var transfersHaveUntil: Nanoseconds?
    /// Those of them that have not said how far they came.
    var transfersEnding: Set<TransferID> = []
    /// The device's time zone, as the brain was last told.
    var zone: (name: String, rules: ZoneRules)?
    /// Who starts the system again; nil where nobody does.
    var guardian: GuardianWatch?
    /// Says that nobody need notice any more whether the loop hangs.
    var stopBeating: (() -> Void)?
    /// Why `run` has come to its end.
    public internal(set) var ending = Ending.shutDown

    private let journal: Journal
    private var effects: [Effect] = []
    private var changes: [StoreChange] = []
    private var isSettling = false
    private var listeners: [Listener] = []
    private(set) var control: ControlServer?
    /// What the last attempt to write to the store failed with.
    private(set) var storeFailure: SystemError?
    private var journalFailure: SystemError?
    private var retryJournalAt: Nanoseconds?
    private var retryStoreAt: Nanoseconds?
    /// When the first turn of the loop ended of those that still have to be settled.
    private var unsettledSince: Nanoseconds?
    /// The bounds of how long messages are gathered before one commit, while unread messages wait. Within them it is as long as
    /// the last commit and its effects took: a slow disk then takes at most half of the time.
    var gathering = Nanoseconds.milliseconds(5)...Nanoseconds.milliseconds(50)
    private var lastSettling = Nanoseconds.zero
    /// How long a disk that takes nothing is left alone.
    var retryPause = Nanoseconds.seconds(1)
    /// What waits for something owed to be written, or for an app's files, in its order.
    private var held = HeldEffects()

    struct PendingFreeze {
        let attempt: Int32
        var watch: Int32?
        var lookAgainAt: Nanoseconds
    }

    /// A supervisor that goes on from what the store holds: launches that are under way are found again.
    ///
    /// Throws where the store can't be read or a socket not be made. A journal that can't be begun is said in the log,
    /// and begun as soon as it can be.
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
        // The end of the turn that this makes writes it.
        try loop.attach(journalReady) { _ in }
        fileWork.onRemoval = { [unowned self] in removed($0) }
        loop.onDeadline = { [unowned self] in deadlineReached() }
        loop.endOfTurn = { [unowned self] in endTurn() }
        // The kernel's wake lock outlives whoever took it: an app that still has a task open takes it anew.
        try? parts.power?.keepAwake(false)
        try watchLinks()
        try watchPower()
        try watchZones()
        recover(stored.launches)
        if parts.isFirstSinceBoot { submit(.device(.deviceStarted)) }
        watchClock()
        watchMemory()
        try watchTransfers()
        listeners.append(
            try Listener(path: parts.appSocket, mode: parts.isAppSocketForAll ? 0o666 : 0o600, reception: reception) {
                [unowned self] in sessions.accept($0)
            })
        let control = ControlServer(supervisor: self)
        self.control = control
        listeners.append(try Listener(path: parts.controlSocket, reception: reception) { control.accept($0) })
        settle()
    }

    /// Runs until the system has shut down, which signals begin, is to hand over, or has lost its guardian: `ending`.
    public func run() throws(SystemError) {
        try loop.watchSignals(Self.endingSignals) { [unowned self] in signalled($0) }
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
        case .restart: logger.info("handing over")
        case .guardianLost:
            let limit = device.policy.supervisorAbsence
            logger.warning("the guardian is gone: suspended apps are ended in \(limit) unless `roost up` comes first")
            try? parts.power?.keepAwake(false)
        }
    }

    /// Whether the kernel refuses the descriptors that strangers pass; where it does not, `Parts.closing` is needed.
    public static var kernelRefusesDescriptors: Bool { Reception.kernelRefusesDescriptors }

    /// What begins a shutdown. To be held back (`EventLoop.holdBack`) before anything else is made.
    public static let endingSignals = SupervisorSignal.allCases.flatMap(\.numbers)

    // MARK: The turn

    /// Gives the brain an event. What it decides is carried out at the end of the turn, or by `settle`.
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
                if case .launch(let launch) = record { keepUnkept(launch.launch) }
            case .decided(let decision): remember(.decided(decision), about: decision.app, at: now)
            case .launch(let launch, .send(.callback(_, let callback))):
                remember(.told(callback, launch), about: launch.app, at: now)
            case .launch, .device, .concern: break
            }
        }
    }

    /// Commits the turn's changes and performs its effects. While unread messages wait, one commit serves several turns,
    /// because a commit costs more than most messages.
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

    /// Writes what must last, then carries out what was decided, until nothing is left of either.
    ///
    /// A store that failed is tried again after a while, or at once for somebody who waits for the answer.
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
        memory.write { logger.warning("what was decided can't be kept", metadata: ["problem": "\($0)"]) }
        loop.deadline = nextDeadline
        control?.answerStarted()
        releaseMemoryAtRest()
    }

    /// Begins transfers before the commit if they do not build on it: the next files arrive while the disk is waited for. A
    /// store that fails holds effects back, in their order.
    private func beginTransfersEarly() {
        guard storeFailure == nil else { return }
        begin(
            effects.takeBeginnings(aheadOf: changes.flatMap(\.subjects)) {
                device.transferJob(of: $0)?.resumes.isEmpty ?? true
            })
    }

    /// How many changes are not on disk, and how many effects wait for that.
    var backlog: (changes: Int, effects: Int) { (changes.count, held.count) }

    /// Has a launch's start wait, and whatever else is to be done with the launch.
    func hold(_ start: Effect) { held.hold(start) }

    /// Whether a launch's start was waiting; neither that nor what was to follow is carried out any more.
    func dropHeldStart(of launch: LaunchID) -> Bool {
        files[launch] = nil
        return held.drop(launch)
    }

    /// An app that was started early is launched: from here on its process is to be found again.
    private func keepUnkept(_ launch: LaunchID) {
        guard let (process, token) = unkept.removeValue(forKey: launch) else { return }
        keep(process, of: launch, token: token)
    }

    /// Keeps how a launch's process is found again.
    func keep(_ process: StoredProcess, of launch: LaunchID, token: String) {
        changes.append(.process(launch, process, token: token))
    }

    /// Keeps that an app's files are deleted: its removal is done.
    func filesRemoved(of identifier: BundleIdentifier) { changes.append(.filesRemoved(identifier)) }

    /// Writes the journal, once the turn is done: nobody waits for it. One that failed is tried again after a while, with
    /// the first turn there is: each attempt writes the whole device.
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
                    "the journal can't be written: the system goes on without", metadata: ["problem": "\(error)"])
            }
            journalFailure = error
        }
    }

    private func finishJournal() {
        do throws(SystemError) {
            try journal.finish()
        } catch {
            logger.error("the journal can't be written", metadata: ["problem": "\(error)"])
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
            // The changes are kept and written with the next turn's; what runs goes on meanwhile.
            if storeFailure == nil { logger.error("the state can't be written", metadata: ["problem": "\(error)"]) }
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
        return [device.nextDeadlineTime, recheck, retryStoreAt, measureAt, transfersHaveUntil].compactMap {
            $0
        }.min()
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
        if let end = transfersHaveUntil, end <= now { loop.stop() }
        if let deadline = device.nextDeadlineTime, deadline <= now { submit(.deadlineReached) }
    }

    var ownPID: Int32 { getpid() }

    /// Leaves `run` after this turn, or, where transfers are under way, once they are stopped.
    func finish() {
        stopTransfers()
        if transfersHaveUntil == nil { loop.stop() }
    }
}
