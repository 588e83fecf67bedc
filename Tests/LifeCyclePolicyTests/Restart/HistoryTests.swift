import FoundationEssentials
import LifeCycleModel
import Testing

@testable import LifeCyclePolicy
@testable import LifeCycleSimulation

/// Properties of every history.
@Suite struct HistoryTests {
    static let seeds = 1...60

    /// A device that is restored from its records equals the device before. The exceptions are assertions, open
    /// callbacks, and the time of a container's last measurement.
    @Test(arguments: 1...20) func aRestoredDeviceIsTheOneBefore(seed: Int) {
        var history = RandomHistory(seed: seed)
        for step in 0..<400 {
            history.step()
            let bench = history.bench
            let restored = Device(policy: bench.device.policy, bench.stored)
            let place: Comment = "seed \(seed), step \(step)"
            #expect(restored.state.ids == bench.device.state.ids, place)
            #expect(restored.sessionRecords == bench.device.sessionRecords, place)
            #expect(restored.transferSnapshots.map(\.record) == bench.device.transferSnapshots.map(\.record), place)
            #expect(bench.device.concerns.transfers.unsoundness == nil, place)
            #expect(restored.concerns.transfers.unsoundness == nil, place)
            #expect(restored.state.runningApps == bench.device.state.runningApps, place)
            for (new, old) in zip(restored.state.apps, bench.device.state.apps) {
                #expect(new.record == old.record, place)
                #expect(new.stored == old.stored, place)
                #expect(new.lifeCycle.launch == old.lifeCycle.launch, place)
                #expect(new.isBeingUninstalled == old.isBeingUninstalled, place)
                #expect((new.published == .suspended) == old.suspension.isFrozen, place)
                if old.lifeCycle.launch == nil { #expect(new == old.withoutMeasurements, place) }
            }
            let foregroundApp = bench.device.state.apps.first { $0.stored?.isInForeground == true }
            #expect(restored.state.foreground.app == foregroundApp?.record.app, place)
        }
    }

    /// At most one persisted launch is in the foreground. A restored device derives its foreground app from these
    /// records alone.
    @Test(arguments: seeds) func atMostOneAppIsInTheForeground(seed: Int) {
        var history = RandomHistory(seed: seed)
        for step in 0..<400 {
            history.step()
            let foregroundApp = history.bench.device.state.apps.filter { $0.stored?.isInForeground == true }
            #expect(foregroundApp.count <= 1, "seed \(seed), step \(step)")
        }
    }

    @Test(arguments: seeds) func theSameEventsGiveTheSameDevicesAndEffects(seed: Int) {
        var history = RandomHistory(seed: seed)
        for _ in 0..<400 { history.step() }
        var device = Device(policy: history.bench.device.policy)
        var effects: [Effect] = []
        for app in RandomHistory(seed: seed).bench.device.snapshots {
            device.handle(.device(.appInstalled(app.record.app, app.record.manifest)), at: .zero, into: &effects)
        }
        for (event, now) in history.events { device.handle(event, at: now, into: &effects) }
        #expect(device == history.bench.device, "seed \(seed)")
        #expect(effects == history.bench.effects, "seed \(seed)")
    }

    /// A device depends neither on the order of installations nor on anything that has ended. The exception is the time
    /// of a container's measurement, which outlives its launch.
    @Test(arguments: seeds) func aDeviceForgetsItsHistory(seed: Int) {
        var history = RandomHistory(seed: seed)
        for _ in 0..<300 { history.step() }
        var bench = history.bench
        for launch in bench.device.snapshots.compactMap(\.launch) {
            bench.handle(.process(launch, .exited(.signaled(9))))
        }
        // Apps with a pending reason to run have been launched again.
        bench.handle(.device(.homePressed))
        for launch in bench.device.snapshots.compactMap(\.launch) {
            bench.handle(.process(launch, .exited(.signaled(9))))
        }
        var left = bench.device
        left.state.apps = left.state.apps.map(\.withoutMeasurements)
        // The apps' records stay, and so do the device's settings and the concerns' state, for example transfers.
        let records = left.snapshots.map(\.record)
        let device = Device(policy: left.policy, record: left.record, apps: records, launches: [])
        left.state.lock = device.state.lock
        left.state.surroundings = device.state.surroundings
        left.concerns = device.concerns
        #expect(left == device, "seed \(seed)")
    }

    // MARK: Codable

    @Test(arguments: seeds) func devicesEventsAndEffectsGoThroughJSON(seed: Int) throws {
        var history = RandomHistory(seed: seed)
        for _ in 0..<150 { history.step() }
        try roundTrip(history.bench.device)
        try roundTrip(history.bench.effects)
        try roundTrip(history.events.map(\.event))
        try roundTrip(history.events.map(\.at))
    }

    private func roundTrip<Value: Codable & Equatable>(_ value: Value) throws {
        let data = try JSONEncoder().encode(value)
        #expect(try JSONDecoder().decode(Value.self, from: data) == value)
    }

    @Test func aDecodedDeviceContinuesUnchanged() throws {
        var history = RandomHistory(seed: 7)
        for _ in 0..<100 { history.step() }
        var copy = try JSONDecoder().decode(Device.self, from: JSONEncoder().encode(history.bench.device))
        let before = history.events.count
        for _ in 0..<100 { history.step() }
        var effects: [Effect] = []
        for (event, now) in history.events[before...] { copy.handle(event, at: now, into: &effects) }
        #expect(copy == history.bench.device)
        #expect(Array(history.bench.effects.suffix(effects.count)) == effects)
    }

    @Test func everyEventGoesThroughJSON() throws {
        for event in LateMessageTests.reports { try roundTrip(event) }
        try roundTrip([
            Event.device(.appInstalled(app(1), .sample(modes: [.fetch]))), .device(.appUninstalled(app(1))),
            .device(.appOpened(app(1))),
            .device(.homePressed), .device(.appForceQuit(app(1))), .device(.wakeOccurred(app(1), .locationMonitoring)),
            .device(.memoryRanShort),
            .device(.shutdownBegan),
            .deadlineReached,
        ])
    }

    @Test func theOrderOfInstallationsDoesNotShow() {
        var one = Device()
        var other = Device()
        var effects: [Effect] = []
        for number: Int32 in [1, 2, 3] {
            one.handle(.device(.appInstalled(app(number), .sample(Int(number)))), at: .zero, into: &effects)
        }
        for number: Int32 in [3, 9, 1, 2] {
            other.handle(.device(.appInstalled(app(number), .sample(Int(number)))), at: .zero, into: &effects)
        }
        other.handle(.device(.appUninstalled(app(9))), at: .zero, into: &effects)
        #expect(one == other)
        for number: Int32 in [1, 2, 3] { one.handle(.device(.appUninstalled(app(number))), at: .zero, into: &effects) }
        one.state.surroundings.clocks = Clocks()
        #expect(one == Device())
    }
}

extension Transfers {
    /// The first count, list or timer that disagrees with the tasks; nil if all agree.
    fileprivate var unsoundness: String? {
        for (id, session) in sessions {
            let tasks = session.transfers.map(\.value)
            if session.underWay != tasks.count(where: \.isUnderWay) { return "\(id): under way" }
            let kept = tasks.filter(\.isKept).map { Timer(at: $0.keptUntil, id: $0.record.id) }
            if session.kept.keys != kept.sorted() { return "\(id): kept" }
            if session.active != Int32(tasks.count(where: \.isActive)) { return "\(id): active" }
            if session.fromBackground != tasks.count(where: { $0.isUnderWay && $0.record.isFromBackground }) {
                return "\(id): from the background"
            }
            if session.pendingOutcomes.keys != tasks.filter(\.isOutcomePending).map(\.record.place).sorted() {
                return "\(id): pending"
            }
            if session.sentCount != session.pendingOutcomes.count(where: { $0.value.isSent }) { return "\(id): sent" }
            var queue = TransferQueue(limit: session.queue.limit)
            for task in tasks where task.isActive { queue.began(at: task.host) }
            for queued in tasks.compactMap(\.places.queued) { queue.insert(queued.place, in: queued.lane) }
            if queue != session.queue { return "\(id): queue" }
        }
        if ready != sessions.filter({ $0.value.queue.hasFirst }).map(\.key) { return "ready" }
        let tasks = sessions.flatMap { $0.value.transfers.map(\.value) }
        if active != tasks.filter(\.isActive).map(\.record.id) { return "active" }
        for (app, client) in clients {
            let own = tasks.filter { $0.record.id.session.app == app }
            if client.count != own.count || client.active != Int32(own.count(where: \.isActive)) { return "\(app)" }
        }
        let wall = tasks.compactMap { task in task.places.wallTimer.map { Timer(at: $0, id: task.record.id) } }
        if wallTimers.keys != wall.sorted() { return "wall timers" }
        let limits = tasks.compactMap { task in task.places.limitTimer.map { Timer(at: $0, id: task.record.id) } }
        if limitTimers.keys != limits.sorted() { return "limit timers" }
        let wakes = sessions.compactMap { id, session in
            session.wakeAt.map { Timer(at: $0, id: TransferID(session: id, number: 0)) }
        }
        let steady = tasks.compactMap { task in task.places.steadyTimer.map { Timer(at: $0, id: task.record.id) } }
        return steadyTimers.keys == (steady + wakes).sorted() ? nil : "steady timers"
    }
}

extension App {
    /// The app as if its container had never been measured.
    fileprivate var withoutMeasurements: App {
        var copy = self
        copy.container = ContainerCheck()
        return copy
    }
}
