import AppCore
public import LifeCycleModel
import LifeCyclePolicy

/// The engine of the virtual device, between the brain and the virtual network.
extension World {
    /// Does the brain's work on a transfer.
    fileprivate mutating func perform(_ output: TransferOutput) {
        switch output {
        case .begin(let id, let attempt):
            // The transfer may be gone by now.
            guard let order = device.transferJob(of: id), order.attempt == attempt else { return }
            engine.begin(order, at: now.awake)
            plan(.transferGoesOn(id, attempt: attempt), in: latency())
        case .stop(let id):
            if let report = engine.stop(id, network, at: now.awake) { tell(report) }
        case .move(let id): move(id)
        case .discard(let id): engine.discard(id)
        }
    }

    /// ENOSPC and EACCES of Linux.
    private static var noSpace: Int32 { 28 }
    private static var noPermission: Int32 { 13 }

    private mutating func move(_ id: TransferID) {
        if now.awake < diskIsFullUntil { return tell(.moved(id, errno: Self.noSpace)) }
        if goesWrong(1, in: 60) {
            faultObserver?(.brokenMove)
            return tell(.moved(id, errno: Self.noPermission))
        }
        guard engine.move(id) else {
            return core.fail("bytes are never lost", "\(id) has arrived, is to be moved, and is not there")
        }
        tell(.moved(id, errno: nil))
    }

    /// Handles an attempt whose time has come.
    mutating func transferGoesOn(_ id: TransferID, attempt: Int32) {
        let url = device.transferSnapshot(of: id)?.record.request.url
        if areFaultsOn, random.chance(1, in: 200), let url {
            faultObserver?(.changedFile)
            network.change(url)
        }
        let trouble = trouble() ?? url.flatMap { network.files[$0]?.trouble }
        let turn = engine.goOn(id, attempt: attempt, trouble, network, at: now.awake)
        for report in turn.reports { tell(report) }
        if let next = turn.next { plan(.transferGoesOn(id, attempt: attempt), in: next) }
    }

    private mutating func trouble() -> VirtualEngine.Trouble? {
        if now.awake < diskIsFullUntil { return .noRoom }
        guard goesWrong(1, in: 12) else { return nil }
        let trouble = VirtualEngine.Trouble.allCases[random.below(VirtualEngine.Trouble.allCases.count)]
        switch trouble {
        case .lost: faultObserver?(.lostConnection)
        case .busy: faultObserver?(.busyServer)
        case .refused: faultObserver?(.badCertificate)
        case .noRoom: faultObserver?(.fullDisk)
        }
        return trouble
    }

    /// Sends a report of the engine. Reports arrive in order, but may be late or repeated.
    private mutating func tell(_ report: TransferReport) {
        let happening = Happening.adapterReports(.transfer(.reported(report)))
        var delay = latency()
        if goesWrong(1, in: 100) {
            faultObserver?(.lateReport)
            delay = delay + Nanoseconds(random.span(upTo: 15_000_000_000))
        }
        if goesWrong(1, in: 100) {
            faultObserver?(.repeatedReport)
            plan(happening, in: delay + Nanoseconds(1 + random.span(upTo: 60_000_000_000)))
        }
        let at = max(lastReportAt, now.awake + delay)
        lastReportAt = at
        core.agenda.plan(happening, at: at)
    }

    /// The system was restarted, and its engine with it.
    mutating func restartEngine() {
        engine.systemRestarted(keeping: Set(device.transferIDs))
        lastReportAt = .zero
    }

    /// Changes the kind of network connection.
    mutating func setNetwork(_ kind: Network) {
        setNetwork(kind, bytesPerSecond: kind == .cellular ? 1 << 20 : 4 << 20)
    }

    /// Changes the kind of network connection, and the speed of each download unless `bytesPerSecond` is nil.
    public mutating func setNetwork(_ kind: Network, bytesPerSecond: Int64?) {
        network.kind = kind
        if let bytesPerSecond { network.bytesPerSecond = bytesPerSecond }
        handle(.device(.settingChanged(.network(kind))))
    }

    /// Puts a file on a server, in place of an earlier version.
    public mutating func serve(_ file: ServedFile, at url: String) {
        var file = file
        file.version = (network.files[url]?.version ?? 0) + 1
        network.serve(file, at: url)
    }

    /// Nothing arrives for `span`, although the connection is up.
    public mutating func loseNetwork(for span: Nanoseconds) {
        faultObserver?(.outage)
        network.outageUntil = now.awake + span
    }

    /// The disk is full for `span`.
    mutating func fillDisk(for span: Nanoseconds) {
        faultObserver?(.fullDisk)
        diskIsFullUntil = now.awake + span
    }

    /// Restores the connection, the servers and the disk.
    mutating func heal() {
        network.outageUntil = .zero
        diskIsFullUntil = .zero
        letStore(fail: false)
        for entry in Downloads.catalog { network.wakeServer(of: entry.url) }
        setNetwork(.wifi)
    }

    // MARK: Deliveries to apps

    /// An app is notified of a transfer's outcome.
    mutating func outcomeDelivered(of id: TransferID, hasFile: Bool, isSecond: Bool) {
        if isSecond { core.fail("nothing is delivered twice", "\(id) is reported twice in one launch") }
        if hasFile, !engine.isDelivered(id) {
            core.fail("bytes are never lost", "\(id) is reported as downloaded, but its file is missing")
        }
    }

    /// The transfers that neither their app nor the user has suspended.
    var wantedTransfers: Set<TransferID> {  // ordered: looked up only
        Set(device.transferSnapshots.lazy.filter { !$0.record.isSuspended && !$0.record.isPaused }.map(\.id))
    }

    /// Checks that the wanted transfers are done and their outcomes delivered, with the network up and without faults.
    mutating func checkTransfersAtRest(_ wanted: Set<TransferID>) {
        for task in device.transferSnapshots where wanted.contains(task.id) {
            switch task.state {
            case .running, .moving: return core.fail("transfers come to an end", "\(task.id) is still \(task.state)")
            case .waiting:
                switch task.wait {
                case .suspended, .paused, .earliestBegin: break
                default: return core.fail("transfers come to an end", "\(task.id) still waits for \(task.wait as Any)")
                }
            case .retained: break
            case .delivering:
                guard let process = processes.first(where: { $0.app.launch.app == task.id.session.app }),
                    process.isConnected, !process.isFrozen, !process.app.isHung,
                    process.app.downloads.isOpen(task.id.session)
                else { break }
                return core.fail("transfers come to an end", "\(task.id) is not delivered to \(process.app.launch)")
            }
        }
    }
}

extension World {
    /// A new connection: requests on the old connection that may not have arrived are repeated.
    mutating func attach(_ launch: LaunchID, _ attachment: Attachment) {
        let present = restarts
        handle(.app(launch, .attached(attachment)))
        guard restarts == present, let index = index(of: launch), processes[index].isConnected else { return }
        var repeats = processes[index].app.core.repeats()
        repeats += processes[index].app.repeatedVoIPRequests + processes[index].app.repeatedSocketRequests
        for request in repeats { perform(.send(request), of: launch) }
    }

    mutating func delayTask(
        _ number: Int64, of session: SessionIdentifier, by span: Nanoseconds, _ index: Int
    ) {
        var acts: [ScriptedApp.Act] = []
        let launch = processes[index].app.launch
        processes[index].app.delayTask(number, of: session, until: now.wall + span, into: &acts)
        for act in acts { perform(act, of: launch) }
    }
}

extension Effect {
    /// Whether the effect is only about a concern: transfers, fetches or notifications.
    var isOfTransfers: Bool {
        switch self {
        case .concern, .decided(.concern), .store(.concern), .launch(_, .send(.concern)):
            true
        default: false
        }
    }

    /// Whether the system itself decides to wake or call an app.
    var isOwnWake: Bool {
        if case .decided(.concern(let reason)) = self { reason.simulated.isOwnWake } else { false }
    }
}

extension TransferOutput: SimulatedOutput {
    func perform(in world: inout World) { world.perform(self) }

    func perform(in world: inout SmallWorld) {
        switch self {
        case .begin(let id, let attempt):
            world.downloads.carried.append(SmallDownloads.Carried(id: id, attempt: attempt))
        case .stop(let id):
            guard let carried = world.downloads.carried.first(where: { $0.id == id }) else { return }
            world.downloads.carried.removeAll { $0.id == id }
            world.report(.stopped(id, attempt: carried.attempt, nil))
        case .move(let id): world.report(.moved(id, errno: nil))
        case .discard(let id): world.downloads.carried.removeAll { $0.id == id }
        }
    }
}
