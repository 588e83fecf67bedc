import LifeCycleModel
import LifeCyclePolicy
import Logging
import RoostPorts
import RoostWire

/// `roost.Control`: what people and programs ask of the system. For the loop's thread only.
final class ControlServer {
    private unowned let supervisor: Supervisor
    private var connections: [Int: Connection] = [:]
    private var watchers: [Int: Connection] = [:]
    private var next = 0
    private let installations: Mailbox<Installation>
    /// Who waits for an app to be gone, and what was decided when it was asked for.
    private var uninstalling: [AppID: [Int]] = [:]
    private var decided: [AppID: [DecisionLine]] = [:]

    /// The end of a copy, on its way to whoever asked for it.
    private struct Installation: Sendable {
        let connection: Int
        let result: Result<InstalledBundle, BundleRejection>
    }

    private static let service = VarlinkService(version: RoostVersion.current, interfaces: [.control])
    /// A reply lists all apps; a watcher that does not read is cut off.
    private static let unsentLimit = 16 << 20
    private static let connectionLimit = 256

    init(supervisor: Supervisor) throws(SystemError) {
        self.supervisor = supervisor
        installations = try Mailbox()
        try supervisor.loop.attach(installations) { [unowned self] in finish($0) }
    }

    /// Tells a decision to whoever watches.
    func publish(_ line: DecisionLine) {
        guard !watchers.isEmpty else { return }
        let bytes = ControlReply.decision(line).encoded()
        for number in watchers.keys.sorted() { watchers[number]?.send(bytes) }
    }

    /// Takes over a connection that was just made. An app's process is refused: it may not control the system.
    func accept(_ descriptor: Int32) {
        guard
            let connection = Connection(descriptor, loop: supervisor.loop, unsentLimit: Self.unsentLimit)
        else { return }
        let pid = connection.peer.pid
        guard !supervisor.handles.keys.contains(where: { supervisor.parts.processes.contains($0, pid: pid) }),
            connections.count < Self.connectionLimit
        else {
            supervisor.logger.warning("a control connection was refused", metadata: ["pid": "\(pid)"])
            return connection.shut()
        }
        next += 1
        let number = next
        connections[number] = connection
        connection.onMessage = { [weak self] in self?.handle($0, from: connection, number) }
        connection.onEnd = { [weak self] _ in
            self?.connections[number] = nil
            self?.watchers[number] = nil
        }
    }

    private func handle(_ message: [UInt8], from connection: Connection, _ number: Int) {
        do throws(WireError) {
            let call = try VarlinkCall(message)
            if let reply = try Self.service.reply(to: call) { return connection.send(reply.encoded()) }
            let control = try ControlCall(call)
            if case .install(let path, let replacing) = control {
                return install(path, replacing: replacing, for: number)
            }
            if case .uninstall(let identifier) = control { return uninstall(identifier, for: number) }
            if control == .watch {
                watchers[number] = connection
                // At once, so that the caller knows from when on it misses nothing.
                let begin = DecisionLine(
                    time: Moment.now.wall, app: nil, kind: "watching", text: "decisions from now on")
                return connection.send(ControlReply.decision(begin).encoded())
            }
            let reply = answer(control)
            if !call.oneway { connection.send(reply.encoded()) }
        } catch {
            connection.send(VarlinkFailure(error).reply.encoded())
        }
    }

    private func answer(_ call: ControlCall) -> ControlReply {
        do throws(ControlFailure) {
            switch call {
            case .launch(let app): return try act(on: app) { .appOpened($0) }
            case .home: return try act(.homePressed)
            case .wake(let app, let reason): return try act(on: app) { .wakeOccurred($0, reason) }
            case .quit(let app): return try act(on: app) { .appForceQuit($0) }
            case .list: return .apps(supervisor.device.snapshots.map { summary($0) })
            case .why(let app): return .decisions(supervisor.memory.lines(about: try find(app).record.app))
            case .status: return .status(status)
            // Answered in their own time.
            case .install, .uninstall, .watch: return .decisions([])
            }
        } catch {
            return .failed(error)
        }
    }

    // MARK: Acts

    private func act(on identifier: BundleIdentifier, _ event: (AppID) -> Event) throws(ControlFailure) -> ControlReply
    {
        try act(event(try find(identifier).record.app))
    }

    private func act(_ event: Event) throws(ControlFailure) -> ControlReply {
        let lines = supervisor.memory.collect {
            supervisor.submit(event)
            supervisor.settle()
        }
        if let failure = supervisor.storeFailure {
            throw ControlFailure(code: .systemFault, message: failure.description)
        }
        if let refused = lines.first(where: { $0.kind == "refused" }) {
            throw ControlFailure(code: .refused, message: refused.text)
        }
        if case .appOpened(let app) = event, let failure = supervisor.startFailures.removeValue(forKey: app) {
            throw ControlFailure(code: .systemFault, message: failure.description)
        }
        return .decisions(lines)
    }

    // MARK: Installing

    /// Copying takes its time and happens elsewhere; the answer follows when it is done.
    private func install(_ path: String, replacing: Bool, for number: Int) {
        let installations = installations
        supervisor.parts.files.install(from: path, replacing: replacing) { result in
            installations.post(Installation(connection: number, result: result))
        }
    }

    /// The app ends first, and its files go elsewhere; the answer follows when they have gone.
    private func uninstall(_ identifier: BundleIdentifier, for number: Int) {
        do throws(ControlFailure) {
            let app = try find(identifier).record.app
            uninstalling[app, default: []].append(number)
            guard case .decisions(let lines) = try act(.appUninstalled(app)) else { return }
            decided[app] = lines
        } catch {
            connections[number]?.send(ControlReply.failed(error).encoded())
        }
    }

    /// Answers whoever wanted an app uninstalled.
    func finish(_ removal: Supervisor.Removal) {
        let lines = decided.removeValue(forKey: removal.app) ?? []
        let reply: ControlReply =
            switch removal.result {
            case .success: .decisions(lines)
            case .failure(let error): .failed(ControlFailure(code: .systemFault, message: error.description))
            }
        for number in uninstalling.removeValue(forKey: removal.app) ?? [] {
            connections[number]?.send(reply.encoded())
        }
    }

    private func finish(_ installation: Installation) {
        let reply: ControlReply
        do throws(ControlFailure) {
            reply = try register(installation.result)
        } catch {
            reply = .failed(error)
        }
        connections[installation.connection]?.send(reply.encoded())
    }

    private func register(_ result: Result<InstalledBundle, BundleRejection>) throws(ControlFailure) -> ControlReply {
        let bundle: InstalledBundle
        switch result {
        case .success(let installed): bundle = installed
        case .failure(let error):
            throw ControlFailure(
                code: error.isAlreadyInstalled ? .alreadyInstalled : .badBundle, message: error.description)
        }
        let identifier = bundle.manifest.identifier
        let app: AppID
        if let known = supervisor.identifiers.first(where: { $0.value == identifier })?.key {
            app = known
        } else {
            do throws(SystemError) {
                app = try supervisor.parts.store.nextAppID()
            } catch {
                throw ControlFailure(code: .systemFault, message: error.description)
            }
        }
        supervisor.identifiers[app] = identifier
        guard case .decisions(let lines) = try act(.appInstalled(app, bundle.manifest)),
            let snapshot = supervisor.device.snapshot(of: app)
        else { return .decisions([]) }
        return .installed(summary(snapshot), notes: bundle.notes, decisions: lines)
    }

    // MARK: Answers

    private func find(_ identifier: BundleIdentifier) throws(ControlFailure) -> AppSnapshot {
        guard let app = supervisor.identifiers.first(where: { $0.value == identifier })?.key,
            let snapshot = supervisor.device.snapshot(of: app), !snapshot.isBeingUninstalled
        else {
            throw ControlFailure(
                code: .noSuchApp, message: "no app \"\(identifier)\" is installed; `roost ps` lists those that are")
        }
        return snapshot
    }

    private func summary(_ app: AppSnapshot) -> AppSummary {
        var summary = AppSummary(
            identifier: app.record.manifest.identifier, name: app.record.manifest.displayName, state: app.state,
            openTasks: app.openTasks, assertions: app.assertions.map(DecisionText.text),
            isForceQuit: app.record.isForceQuit, isAdopted: app.record.manifest.isAdopted)
        summary.lastEnd = supervisor.memory.lastEnd[app.record.app]
        summary.timeRemaining = app.backgroundTimeUntil.map { max(.zero, $0 - Moment.now.awake) }
        guard let launch = app.launch else { return summary }
        summary.launch = launch.number
        summary.pid = supervisor.handles[launch]?.pid
        let evidence = supervisor.parts.processes.evidence(launch)
        summary.freezer = evidence?.freezer
        summary.place = evidence?.place
        summary.memory = evidence?.memory
        summary.processorTime = evidence?.processorTime
        return summary
    }

    private var status: SystemStatus {
        SystemStatus(
            pid: supervisor.ownPID, system: supervisor.parts.systemID,
            stateDirectory: supervisor.parts.stateDirectory, policy: supervisor.device.policy.name,
            mechanism: supervisor.parts.processes.mechanism, version: RoostVersion.current)
    }
}
