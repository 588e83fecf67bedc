import LifeCycleModel
import LifeCyclePolicy
import LifeCycleText
import Logging
import RoostPorts
import RoostWire

/// The server of `roost.Control`, the interface for user commands and other programs. For the loop's thread only.
final class ControlServer {
    unowned let supervisor: Supervisor
    private var clients: [Int: ControlCaller] = [:]
    private var watchers: [Int: ControlCaller] = [:]
    private var next = 0
    /// Warnings about refused connections, limited in number.
    private var log: BoundedLog
    /// Callers that wait for an app's removal, with the decisions of that call.
    private var uninstalling: [AppID: (client: ControlCaller, call: VarlinkCall, decisions: [DecisionLine])] = [:]

    /// Callers that wait for a launch whose app's files are not ready, with the answer for a successful start.
    private var starting: [(launch: LaunchID, client: ControlCaller, call: VarlinkCall, reply: ControlReply)] = []
    /// The launch that the last action asked for; nil if its app is already running, or if no launch was asked for.
    private var launchAskedFor: LaunchID?

    private static let service = VarlinkService(version: RoostVersion.current, interfaces: [.control])
    /// The most unsent bytes per caller. A reply may list all apps.
    private static let unsentLimit = 16 << 20
    private static let clientLimit = 256

    init(supervisor: Supervisor) {
        self.supervisor = supervisor
        log = BoundedLog(supervisor.logger)
    }

    /// The number of connections.
    var clientCount: Int { clients.count }

    /// Sends an occurrence to all watchers.
    func publish(_ occurrence: Occurrence) {
        guard !watchers.isEmpty else { return }
        let reply = ControlReply.decision(occurrence.line).reply
        for number in watchers.keys.sorted() { watchers[number]?.send(reply) }
    }

    /// Takes ownership of a new connection. An app's process is refused, because no app may control the system. A
    /// process that has already exited is also refused, because it may have been an app's.
    func accept(_ descriptor: Int32) {
        guard
            let connection = Connection(descriptor, at: supervisor.reception, unsentLimit: Self.unsentLimit)
        else { return }
        let pid = connection.peer.pid
        guard supervisor.parts.processes.isAppProcess(connection.peer) == false, makeRoom(for: pid) else {
            log.warning("a control connection was refused", metadata: ["pid": "\(pid)"])
            return connection.shut()
        }
        connection.forgetPeer()
        next += 1
        let number = next
        let client = ControlCaller(connection)
        clients[number] = client
        client.onCall = { [weak self] in self?.handle($0, from: $1, number) }
        connection.onEnd = { [weak self] _ in
            self?.clients[number] = nil
            self?.watchers[number] = nil
        }
    }

    /// Evicts a caller if too many are connected. Returns false if every caller waits for an answer.
    ///
    /// The newest caller's own process pays first, so that a flood evicts only itself. Then the order is: callers
    /// without the cookie, callers that leave answers unread, callers that have made no call, the oldest.
    private func makeRoom(for pid: Int32) -> Bool {
        guard clients.count >= Self.clientLimit else { return true }
        func rank(_ number: Int, _ client: ControlCaller) -> (Int, Int, Int) {
            let use = client.isAuthenticated ? client.leavesAnswersUnread ? 1 : client.hasAsked ? 3 : 2 : 0
            return (client.peerPID == pid ? 0 : 1, use, number)
        }
        let oldest = clients.filter { !$0.value.isBusy }.min { rank($0.key, $0.value) < rank($1.key, $1.value) }?.key
        guard let oldest, let client = clients.removeValue(forKey: oldest) else { return false }
        log.warning(
            "too many control connections: one was closed", metadata: ["pid": "\(client.peerPID)"])
        client.shut()
        return true
    }

    private func handle(_ call: VarlinkCall, from client: ControlCaller, _ number: Int) {
        do throws(WireError) {
            if let reply = try Self.service.reply(to: call) { return client.answer(reply, to: call) }
            guard client.isAuthenticated || !ControlCall.isForKnownCallers(call) else {
                return client.answer(ControlReply.notAuthenticated.reply, to: call)
            }
            let control = try ControlCall(call)
            switch control {
            case .authenticate(let cookie):
                client.isAuthenticated = Token.isEqual(cookie, supervisor.parts.controlCookie)
                let reply: ControlReply = client.isAuthenticated ? .authenticated : .notAuthenticated
                client.answer(reply.reply, to: call)
            case .install(let path, let replacing): install(path, replacing: replacing, call, client)
            case .uninstall(let identifier): uninstall(identifier, call, client)
            case .watch:
                watchers[number] = client
                // This line is sent at once: from here on, the caller receives every occurrence.
                let begin = DecisionLine(
                    time: Moment.now.wall, app: nil, kind: "watching", text: "decisions from now on")
                client.send(ControlReply.decision(begin).reply)
            case .restart: restart(call, client)
            default: answerOnceStarted(control, call, client)
            }
        } catch {
            client.answer(VarlinkFailure(error).reply, to: call)
        }
    }

    private func answer(_ call: ControlCall) -> ControlReply {
        do throws(ControlFailure) {
            switch call {
            case .launch(let app): return try act(on: app) { .device(.appOpened($0)) }
            case .home: return try act(.device(.homePressed))
            case .wake(let app, let reason, let identifiers):
                return try act(on: app) { .device(.wakeOccurred($0, reason, restoreIdentifiers: identifiers)) }
            case .quit(let app): return try act(on: app) { .device(.appForceQuit($0)) }
            case .list: return .apps(supervisor.device.snapshots.map { summary($0) })
            case .why(let app):
                // A decision that a caller has read is on disk, also if several iterations are written together.
                supervisor.settle()
                return .decisions(supervisor.memory.lines(about: try find(app).record.app, app))
            case .status: return .status(status)
            case .switchTo(let app): return try act(.device(.appSwitched(try number(of: app))))
            case .interrupt(let kind): return try act(.device(.interruptionBegan(kind)))
            case .dismiss: return try act(.device(.interruptionDismissed))
            case .accept(let app): return try act(.device(.interruptionAccepted(try number(of: app))))
            case .lock: return try act(.device(.deviceLocked))
            case .unlock: return try act(.device(.deviceUnlocked))
            case .memory(let pressure):
                return try act(.device(pressure == .warning ? .memoryRanLow : .memoryRanShort))
            case .clock: return try act(.device(.clockWasSet))
            case .settings: return .settings(settings)
            case .set(let name, let value, let app): return try set(name, value, app)
            case .send(let app, let input): return try act(on: app) { .device(.inputOccurred($0, input)) }
            case .notifications(let app): return .notifications(try notifications(of: app))
            case .act(let call):
                switch call.subject {
                case .app(let app, let input): return try act(on: app) { .concern(input($0)) }
                case .device(let input): return try act(.concern(input(Moment.now.wall)))
                }
            case .transfer(let call): return try answer(call)
            // These calls are answered elsewhere.
            case .authenticate, .install, .uninstall, .watch, .restart: return .decisions([])
            }
        } catch {
            return .failed(error)
        }
    }

    /// Answers a call. A call that launches an app is answered once it is known whether the app could be started.
    private func answerOnceStarted(_ control: ControlCall, _ call: VarlinkCall, _ client: ControlCaller) {
        launchAskedFor = nil
        let reply = answer(control)
        if case .decisions = reply, let launch = launchAskedFor,
            supervisor.launchAwaitingFiles(of: launch.app) == launch
        {
            starting.append((launch, client, call, reply))
        } else {
            client.answer(reply.reply, to: call)
        }
    }

    /// Answers the callers that wait for a launch which is now under way, or has failed.
    func answerStarted() {
        guard !starting.isEmpty else { return }
        let ended = starting.filter { supervisor.launchAwaitingFiles(of: $0.launch.app) != $0.launch }
        starting.removeAll { supervisor.launchAwaitingFiles(of: $0.launch.app) != $0.launch }
        for (launch, client, call, reply) in ended {
            client.answer((startFailure(of: launch).map { .failed($0) } ?? reply).reply, to: call)
        }
        for waiting in ended { supervisor.startFailures[waiting.launch.app] = nil }
    }

    /// The reason why a launch's process could not be started; nil after a successful start.
    private func startFailure(of launch: LaunchID) -> ControlFailure? {
        guard let failure = supervisor.startFailures[launch.app], failure.launch == launch else { return nil }
        return ControlFailure(code: .systemFault, message: failure.error.description)
    }

    // MARK: Actions

    func number(of app: BundleIdentifier?) throws(ControlFailure) -> AppID? {
        guard let app else { return nil }
        return try find(app).record.app
    }

    func act(on identifier: BundleIdentifier, _ event: (AppID) -> Event) throws(ControlFailure) -> ControlReply {
        try act(event(try find(identifier).record.app))
    }

    func act(_ event: Event) throws(ControlFailure) -> ControlReply {
        let before = supervisor.backlog
        let decided = supervisor.memory.collect {
            supervisor.submit(event)
            supervisor.settle(tryingStore: true)
        }
        if let refusal = decided.last(where: { $0.refuses(event) }) {
            throw ControlFailure(code: .refused, message: refusal.line.text)
        }
        try checkRecorded(since: before)
        if event.asksForLaunch {
            let begun = decided.last { $0.launchBegun != nil }?.launchBegun
            launchAskedFor = begun ?? event.appAskedFor.flatMap(supervisor.launchAwaitingFiles)
            if let begun, let failure = startFailure(of: begun) {
                supervisor.startFailures[begun.app] = nil
                throw failure
            }
        }
        return .decisions(decided.map(\.line))
    }

    /// Throws if changes since `before` are not on disk. The message says whether the changes were applied.
    func checkRecorded(since before: (changes: Int, effects: Int)) throws(ControlFailure) {
        let now = supervisor.backlog
        guard let failure = supervisor.storeFailure, now.changes > before.changes else { return }
        let fate =
            now.effects > before.effects
            ? "this takes effect once it can be recorded, and is lost if the system ends before that"
            : "this took effect but could not be recorded, and is lost if the system ends before it can be"
        throw ControlFailure(code: .systemFault, message: "\(fate): \(failure)")
    }

    // MARK: Installation

    /// Copies and registers a bundle. Copying is slow and runs on another thread; the answer follows.
    private func install(_ path: String, replacing: Bool, _ call: VarlinkCall, _ client: ControlCaller) {
        supervisor.fileWork.enqueue { [weak self] in
            self?.supervisor.fileWork.copy(from: path, replacing: replacing) { result in
                self?.installed(result, call, client)
            }
        }
    }

    private func installed(
        _ result: Result<InstalledBundle, BundleRejection>, _ call: VarlinkCall, _ client: ControlCaller
    ) {
        let reply: ControlReply
        do throws(ControlFailure) {
            reply = try register(result)
        } catch {
            reply = .failed(error)
        }
        supervisor.fileWork.finished()
        client.answer(reply.reply, to: call)
    }

    /// Ends the app and removes its files on another thread. The answer follows when the files are gone.
    private func uninstall(_ identifier: BundleIdentifier, _ call: VarlinkCall, _ client: ControlCaller) {
        do throws(ControlFailure) {
            let app = try find(identifier).record.app
            uninstalling[app] = (client, call, [])
            do throws(ControlFailure) {
                guard case .decisions(let lines) = try act(.device(.appUninstalled(app))) else { return }
                uninstalling[app]?.decisions = lines
            } catch {
                uninstalling[app] = nil
                throw error
            }
        } catch {
            client.answer(ControlReply.failed(error).reply, to: call)
        }
    }

    /// Answers the caller that waits for an app's removal.
    func removed(_ removal: FileWork.Removal) {
        guard let waiting = uninstalling.removeValue(forKey: removal.app) else { return }
        let reply: ControlReply =
            switch removal.result {
            case .success: .decisions(waiting.decisions)
            case .failure(let error): .failed(ControlFailure(code: .systemFault, message: error.description))
            }
        waiting.client.answer(reply.reply, to: waiting.call)
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
        let known = supervisor.identifiers.first { $0.value == identifier }?.key
        if let known, supervisor.device.snapshot(of: known) != nil {
            app = known
        } else {
            do throws(SystemError) {
                app = try supervisor.parts.store.nextAppID()
            } catch {
                throw ControlFailure(code: .systemFault, message: error.description)
            }
        }
        supervisor.identifiers[app] = identifier
        if let waiting = uninstalling.removeValue(forKey: app) {
            let failure = ControlFailure(
                code: .refused,
                message: "\(identifier) was installed again before its removal was complete, so it stays")
            waiting.client.answer(ControlReply.failed(failure).reply, to: waiting.call)
        }
        guard case .decisions(let lines) = try act(.device(.appInstalled(app, bundle.manifest))),
            let snapshot = supervisor.device.snapshot(of: app)
        else { return .decisions([]) }
        supervisor.parts.files.installWasRecorded(identifier)
        return .installed(summary(snapshot), notes: bundle.notes, decisions: lines)
    }

    // MARK: Restart

    /// Restarts once installations and removals are done and all pending changes are written.
    private func restart(_ call: VarlinkCall, _ client: ControlCaller) {
        guard supervisor.guardian != nil else {
            let failure = ControlFailure(
                code: .refused, message: "this system was started without a guardian, so no process would restart it")
            return client.answer(ControlReply.failed(failure).reply, to: call)
        }
        supervisor.fileWork.enqueue { [weak self] in
            guard let supervisor = self?.supervisor else { return }
            supervisor.settle(tryingStore: true)
            if let failure = supervisor.storeFailure {
                supervisor.fileWork.finished()
                let failure = ControlFailure(code: .systemFault, message: failure.description)
                return client.answer(ControlReply.failed(failure).reply, to: call)
            }
            client.answer(ControlReply.restarting.reply, to: call)
            supervisor.leave(.restart)
        }
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
        summary.allowsBackgroundRefresh = app.record.allowsBackgroundRefresh
        summary.modes = app.record.manifest.backgroundModes
        summary.usesScenes = app.record.manifest.usesScenes
        summary.lastEnd = supervisor.memory.lastEnd(of: app.record.app, app.record.manifest.identifier)
        summary.timeRemaining = app.backgroundTimeUntil.map { max(.zero, $0 - Moment.now.awake) }
        guard let launch = app.launch else { return summary }
        summary.launch = launch.number
        summary.pid = supervisor.handles[launch]?.pid
        let evidence = supervisor.parts.processes.evidence(launch)
        summary.freezer = evidence?.freezer
        summary.place = evidence?.place
        summary.memory = evidence?.memory
        summary.processorTime = evidence?.processorTime
        summary.priority = evidence?.priority
        return summary
    }

    private var status: SystemStatus {
        var status = SystemStatus(
            pid: supervisor.ownPID, guardian: supervisor.guardian?.pid, system: supervisor.parts.systemID,
            stateDirectory: supervisor.parts.stateDirectory, policy: supervisor.device.policy.name,
            mechanism: supervisor.parts.processes.mechanism, version: RoostVersion.current)
        let record = supervisor.device.record
        status.foreground = supervisor.device.foregroundApp.flatMap { supervisor.identifiers[$0] }
        status.isLocked = record.isLocked
        status.interruption = record.interruption
        status.sandbox = supervisor.parts.sandbox
        return status
    }
}
