import ArgumentParser
import Glibc
import LifeCycleModel
import Logging
import RoostCarrier
import RoostGPS
import RoostGuardian
import RoostLinux
import RoostPorts
import RoostRuntime
import RoostStore

/// Runs the supervisor. The guardian starts this command, never the user.
struct Supervise: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "supervise",
        abstract: "Run the supervisor of `roost up`, which starts it.", shouldDisplay: false)

    @OptionGroup var options: SystemOptions
    @Option(help: "The connection to the guardian.")
    var guardian: Int32
    @Option(help: "The timer by which the guardian notices that we hang.")
    var heartbeat: Int32?

    /// The arguments, beginning with the program's name.
    static func command(_ options: SystemOptions) -> [String] {
        ["roost", "supervise", "--guardian=\(Guardian.supervisorsDescriptor)"] + options.arguments
    }

    func run() throws {
        EventLoop.holdBack(Supervisor.endingSignals)
        signal(SIGPIPE, SIG_IGN)
        let guardianPID = getppid()
        switch try supervise() {
        case .shutDown: break
        case .restart: throw ExitCode(Guardianship.handOverCode)
        case .guardianLost:
            // Executes a new program, which holds neither the lock nor the store nor any socket.
            let command = Release.command(
                state: options.state.path, guardian: guardianPID,
                after: try options.chosenPolicy().supervisorAbsence)
            var words = command.map { strdup($0) } + [nil]
            execv("/proc/self/exe", &words)
            throw Failure.failed("cannot release the apps: \(String(cString: strerror(errno)))")
        }
    }

    /// Runs the system to its end. Afterwards the process holds no lock, store or socket.
    private func supervise() throws -> Supervisor.Ending {
        let logger = options.logger
        do {
            let link = try GuardianLink(taking: guardian)
            let state = try stateDirectory(for: link)
            if let former = state.formerID {
                logger.notice(
                    "the state directory is a copy of another's: its system gets an id of its own",
                    metadata: ["was": "\(former)", "is": "\(state.systemID)"])
            }
            let (sandbox, sockets) = try shutIn(state, logger)
            // Taken before anything with the system's name is touched, because another system may use that name.
            let lock = try sockets.hold()
            note(sockets, in: state, logger)
            let processes = try LinuxProcesses(systemID: state.systemID, environment: LinuxProcesses.ownEnvironment)
            defer { processes.removeTreeIfEmpty() }
            processes.sandbox = sandbox
            processes.exits = link
            // Each app uses some descriptors of the supervisor. Apps get the inherited limit.
            processes.openFilesOfApps = try LinuxProcesses.raiseOpenFiles()
            if let limitation = processes.limitation {
                logger.warning(
                    "no cgroup may be written, so apps are frozen by SIGSTOP",
                    metadata: ["problem": "\(limitation)"])
            }
            for refusal in processes.refusedControllers {
                logger.warning("apps get less than the machine has", metadata: ["problem": "\(refusal)"])
            }
            let supervisor = try supervisor(state, processes, sockets, link, logger)
            try supervisor.watchGuardian(pid: link.pid, at: link.descriptor)
            if let heartbeat = heartbeat.flatMap(Heartbeat.init(taking:)) {
                supervisor.beat(
                    busy: heartbeat.busy(for:), asleep: heartbeat.asleep(until:), off: { heartbeat.asleep(until: nil) })
            } else if heartbeat != nil {
                logger.warning("the guardian's timer was not inherited: a supervisor that hangs will not be noticed")
            }
            for leftover in processes.removeLeftovers() {
                logger.notice("an unknown process was ended", metadata: ["cgroup": "\(leftover)"])
            }
            link.isReady(system: state.systemID)
            // The code used for starting is not needed again.
            OwnMemory.releaseCode()
            // The lock protects the directory while this value exists.
            try withExtendedLifetime((state, lock)) {
                try supervisor.run()
                if supervisor.ending == .shutDown { sockets.remove() }
            }
            return supervisor.ending
        } catch let error as SystemError {
            throw Failure.failed(error.description)
        } catch let error as BundleError {
            throw Failure.failed(error.description)
        }
    }

    private func stateDirectory(for link: GuardianLink) throws -> StateDirectory {
        do {
            return try StateDirectory(path: options.state.path, holder: link.pid)
        } catch {
            throw Failure.refused(error, ifInUse: "end it first, or name another directory with --state")
        }
    }

    private func supervisor(
        _ state: StateDirectory, _ processes: LinuxProcesses, _ sockets: RuntimeDirectory, _ link: GuardianLink,
        _ logger: Logger
    ) throws -> Supervisor {
        var left = LeftFiles(state: state.path)
        try left.setAsideLogOfLostStore()
        let store = try SQLiteStore(path: state.store)
        try left.tidyUp(store)
        left.log(to: logger)
        if state.formerID != nil { try store.forgetProcesses() }
        try state.bind()
        // The threads are started now, because later the machine may have no thread left.
        let measurer = try WorkerThread("measure")
        let journalist = try WorkerThread("journal")
        let files = try BundleFiles(state: state, measurer: measurer)
        var parts = Supervisor.Parts(
            processes: processes, store: store, files: files,
            appSocket: sockets.appSocket, controlSocket: sockets.controlSocket,
            controlCookie: try sockets.makeCookie(),
            journalDirectory: state.journal, bootID: LinuxProcesses.bootID,
            isFirstSinceBoot: BootRecord.isAnotherBoot(than: LinuxProcesses.bootID, in: state.path),
            systemID: state.systemID, stateDirectory: state.path,
            isAppSocketForAll: processes.sandbox.level == .uids)
        parts.historyFile = state.path + "/decisions"
        parts.power = WakeLock(systemID: state.systemID)
        parts.measuring = { measurer.post($0) }
        parts.releaseMemory = OwnMemory.releaseCode
        parts.aside = { journalist.post($0) }
        // Two, because closing what an app passed or keeps may block.
        let closers = try WorkerThread("close", count: 2, most: 16)
        parts.closing = receivesDescriptors ? { closers.post($0) } : nil
        parts.sockets = try LinuxSockets { closers.post($0) }
        let memory = MemoryPressure()
        if let limitation = memory.limitation {
            logger.warning("cannot detect low memory", metadata: ["problem": "\(limitation)"])
        }
        parts.memory = memory
        parts.logs = logWatch(logger)
        parts.transfers = try transferEngine(state, processes.sandbox.carrierUser, link, logger)
        parts.location = try receiver(processes.sandbox.carrierUser, link, logger)
        parts.links = try NetworkLinks()
        parts.supplies = try powerSupplies()
        let zones = TimeZones()
        if let limitation = zones.limitation {
            logger.warning("cannot detect changes of the time zone", metadata: ["problem": "\(limitation)"])
        }
        parts.zones = zones
        parts.examineSound = { app, name in files.examineSound(name, of: app) }
        parts.sandbox = processes.sandbox.summary
        // Without cgroups, a process without a record cannot be identified.
        parts.endsLeftovers = processes.limitation == nil
        let supervisor = try Supervisor(policy: options.chosenPolicy(), parts: parts, logger: logger)
        BootRecord.note(LinuxProcesses.bootID, in: state.path)
        return supervisor
    }

    /// Writes the sockets' location. A failure, such as a full disk, does not prevent the start.
    private func note(_ sockets: RuntimeDirectory, in state: StateDirectory, _ logger: Logger) {
        do throws(SystemError) {
            try state.note(sockets: sockets.path)
        } catch {
            logger.warning(
                "commands with another XDG_RUNTIME_DIR won't find this system", metadata: ["problem": "\(error)"])
        }
    }

    private func logWatch(_ logger: Logger) -> LogWatch? {
        do throws(SystemError) {
            return try LogWatch()
        } catch {
            logger.warning("the size of apps' logs is not limited", metadata: ["problem": "\(error)"])
            return nil
        }
    }

    /// Whether passed descriptors have to be received and closed. The kernel refuses them, unless it is older than Linux
    /// 6.16, or a test simulates that.
    private var receivesDescriptors: Bool {
        LinuxProcesses.ownEnvironment["ROOST_DESCRIPTORS"] == "receive" || !Supervisor.kernelRefusesDescriptors
    }

    private func powerSupplies() throws(SystemError) -> PowerSupplies {
        guard let directory = SystemEnvironment().powerSupplies else { return try PowerSupplies() }
        return try PowerSupplies(directory: directory)
    }

    /// The engine starts a process with the first transfer. Until then the engine costs a few descriptors and two
    /// sleeping threads.
    private func transferEngine(
        _ state: StateDirectory, _ user: UInt32?, _ link: GuardianLink, _ logger: Logger
    ) throws -> CarriedTransfers {
        var options = CarriedTransferOptions(directory: state.transfers, bootID: LinuxProcesses.bootID)
        options.user = user
        let environment = SystemEnvironment()
        options.additionalRoots = environment.tlsRoot
        let policy = try self.options.chosenPolicy()
        options.reservedAhead = policy.transferReserve
        options.roomLeft = policy.transferRoomLeft
        options.allowsLinkLocal = environment.allowsLinkLocal
        let starter = GuardedHelpers(.carry, link)
        if let obstacle = starter.obstacle {
            logger.warning("cannot run downloads", metadata: ["problem": "\(obstacle)"])
        }
        let (movers, deleters) = (try WorkerThread("move"), try WorkerThread("delete"))
        return try CarriedTransfers(
            options, startedBy: starter,
            filesOn: FileThreads(committing: { movers.post($0) }, slow: { deleters.post($0) }))
    }

    /// The receiver's process starts when an app needs a position.
    private func receiver(_ user: UInt32?, _ link: GuardianLink, _ logger: Logger) throws(SystemError) -> GPSSource {
        let starter = GuardedHelpers(.gps, link)
        if let obstacle = starter.obstacle {
            logger.warning("cannot read positions", metadata: ["problem": "\(obstacle)"])
        }
        return try GPSSource(SystemEnvironment().gpsd, user: user, startedBy: starter)
    }

    /// Chooses the sandbox, and opens the paths that apps need: the way to their own files and to their socket, and
    /// nothing else.
    private func shutIn(
        _ state: StateDirectory, _ logger: Logger
    ) throws(SystemError) -> (Sandbox, RuntimeDirectory) {
        let environment = LinuxProcesses.ownEnvironment
        let place = try RuntimeDirectory(systemID: state.systemID, environment: environment)
        let sandbox = try Sandbox(
            options.sandbox, systemID: state.systemID, stateDirectory: state.path, runtimeDirectory: place.path,
            environment: environment)
        try sandbox.open(stateDirectory: state.path)
        if sandbox.level == .none {
            let reason = sandbox.shortcomings.joined(separator: "; ")
            logger.warning("apps are not sandboxed", metadata: ["reason": "\(reason)"])
        } else {
            logger.info("apps are sandboxed", metadata: ["sandbox": "\(sandbox.summary)"])
            for shortcoming in sandbox.shortcomings {
                logger.warning("the sandbox could be stronger", metadata: ["problem": "\(shortcoming)"])
            }
        }
        let sockets = try RuntimeDirectory.prepare(
            systemID: state.systemID, environment: environment, isOpenToApps: sandbox.level == .uids)
        return (sandbox, sockets)
    }
}
