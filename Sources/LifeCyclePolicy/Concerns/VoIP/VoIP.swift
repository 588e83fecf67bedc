import LifeCycleModel

/// VoIP pushes, the incoming calls that apps report for them, and outgoing calls.
///
/// A push wakes its app in any state. The app has to report a call before its delegate has returned. While an app has a
/// call, it is kept running. It performs the actions on its calls, which the user chooses, or the app itself asks for.
struct VoIP: Hashable, Sendable, Codable {
    private(set) var clients = SortedMap<AppID, VoIPClient>()
    /// Whether something has changed since the apps were last looked at.
    private var isStale = true
    /// The next time at which something is due, on the awake clock.
    private var next: Nanoseconds?
    /// Whether a call has begun to ring since the apps were last looked at.
    var interruptsForeground = false
    /// Whether the foreground app is interrupted by a call that rings.
    private var isInterrupting = false
    /// The apps with calls, as the other concerns know them.
    private var toldApps: [AppID] = []
    /// The foreground app when the apps were last looked at.
    private var foregroundApp: AppID?
    /// Whether the system has been restarted, and the apps were not looked at since.
    private var isRestored = false

    /// The calls of a launch that still runs go on after a restart of the system. Pushes do not outlive it.
    mutating func restore(_ records: [ConcernRecord], on device: DeviceState) {
        for record in records.voip {
            var client = VoIPClient(record: record)
            if let launch = record.launch, launch == device.liveLaunch(of: record.app) {
                client.holds = [.call]
                client.hasAudio = client.needsAudio ? true : client.isEndingCall ? nil : false
            }
            clients.set(client, for: record.app)
        }
        isInterrupting = isRinging && device.foreground.interruption == .call
        isRestored = !isEmpty
    }

    var isEmpty: Bool { clients.isEmpty }

    func nextDeadline(on device: DeviceState) -> Deadline? { next.map { Deadline(at: $0, reason: .voip) } }

    /// Whether the apps have to be looked at now.
    func isDue(on device: DeviceState) -> Bool {
        isStale || foregroundApp != device.foreground.app
            || isInterrupting && device.foreground.interruption != .call || next.map { $0 <= device.awakeNow } ?? false
    }

    mutating func becomeStale() { isStale = true }

    mutating func change(_ app: AppID, _ change: (inout VoIPClient) -> Void) {
        if clients[app] == nil { clients.set(VoIPClient(record: VoIPRecord(app: app)), for: app) }
        clients.update(app, change)
        isStale = true
    }

    /// Changes an app's record, and persists it.
    mutating func keep(_ app: AppID, into actions: inout Actions<Self>, _ change: (inout VoIPRecord) -> Void) {
        self.change(app) { change(&$0.record) }
        if let record = clients[app]?.record { actions.persist(.client(record)) }
    }

    mutating func forget(_ app: AppID) {
        clients.remove(app)
        isStale = true
        // If this was the last app, the concern is idle now and does not look at the apps again.
        next = clients.compactMap(\.value.next).min()
    }

    /// After a stall of the system, apps get their full time again: their messages may wait to be read.
    mutating func noticeStall(on device: DeviceState) {
        guard let next, next < device.awakeNow - device.policy.stall else { return }
        let until = device.awakeNow + device.policy.voipPush
        for app in clients.keys {
            change(app) { client in
                for push in client.open.keys where client.open[push]?.until != nil {
                    client.open.update(push) { $0.until = until }
                }
                for index in client.waiting.indices { client.waiting[index].until = until }
            }
        }
        extendActions { _ in device.awakeNow + device.policy.callAction }
        self.next = nil
    }

    /// Moves the times for the actions on calls.
    private mutating func extendActions(to time: (_ until: Nanoseconds) -> Nanoseconds) {
        for app in clients.keys {
            change(app) { client in
                for index in client.record.calls.indices { client.record.calls[index].moveEnds(to: time) }
            }
        }
    }

    /// An app that was found frozen after a restart of the system has no assertion any longer.
    mutating func foundFrozen(_ app: AppID, on device: DeviceState) {
        if device.isSuspended(app) { clients.update(app) { $0.holds = [] } }
    }

    // MARK: Settling

    /// Looks at each app again.
    mutating func settleAll(on device: DeviceState, into actions: inout Actions<Self>) {
        if isRestored {
            isRestored = false
            // The apps connect again now, and repeat what they have done meanwhile.
            extendActions { max($0, device.awakeNow + device.policy.reconnect) }
        }
        for app in clients.keys {
            endCallsOfOtherLaunches(of: app, on: device, into: &actions)
            endTimesOfPushes(of: app, on: device, into: &actions)
            endTimesOfCalls(of: app, on: device, into: &actions)
            launchForWaiting(app, on: device, into: &actions)
            // The call of the app comes before the end of the hold may suspend the app.
            settleAudio(of: app, into: &actions)
            settleHolds(of: app, on: device, into: &actions)
            sendAnswers(to: app, on: device, into: &actions)
        }
        settleInterruption(on: device, into: &actions)
        // A call on hold leaves the sound to other apps.
        let apps = clients.filter { $0.value.record.calls.contains { !$0.isOnHold } }.map(\.key)
        if apps != toldApps {
            toldApps = apps
            actions.tell(.callsChanged(apps))
        }
        (isStale, foregroundApp) = (false, device.foreground.app)
        next = clients.compactMap(\.value.next).min()
    }

    /// In the background an app is kept running while it has a call, and while it handles a push.
    private mutating func settleHolds(of app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app] else { return }
        // One event does not freeze and thaw an app. Its freeze is the next change.
        guard device.isOpenable(app), !device.isBeingFrozen(app) else { return }
        var wanted: [Assertion] = []
        if !device.isInForeground(app) {
            if !client.record.calls.isEmpty { wanted.append(.call) }
            if client.open.contains(where: { $0.value.until != nil }) { wanted.append(.voipPush) }
        }
        // A suspended app has no assertion any longer.
        let old = device.isSuspended(app) ? [] : client.holds
        for assertion in wanted where !old.contains(assertion) { actions.hold(app, assertion) }
        for assertion in old where !wanted.contains(assertion) { actions.release(app, assertion) }
        clients.update(app) { $0.holds = wanted }
    }

    /// The app's audio session is active while the user speaks on a call, and after that until the call is over or on
    /// hold.
    private mutating func settleAudio(of app: AppID, into actions: inout Actions<Self>) {
        guard let client = clients[app], client.needsAudio != client.hasAudio,
            client.needsAudio || !client.isEndingCall
        else { return }
        clients.update(app) { $0.hasAudio = client.needsAudio }
        actions.call(app, .voip(.audio(isActive: client.needsAudio)), .whenItRuns)
    }

    mutating func sendAnswers(to app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app], !client.answers.isEmpty, !device.isSuspended(app),
            let launch = device.liveLaunch(of: app)
        else { return }
        for answer in client.answers { actions.send(answer, to: launch) }
        clients.update(app) { $0.forgetAnswers() }
    }

    /// A call that begins to ring interrupts the foreground app, until no call rings (T06, R-174).
    private mutating func settleInterruption(on device: DeviceState, into actions: inout Actions<Self>) {
        // The user may have ended the interruption while the call rings.
        if device.foreground.interruption != .call { isInterrupting = false }
        if interruptsForeground, isRinging, device.isInterruptible {
            isInterrupting = true
            actions.interrupt(.call)
        } else if isInterrupting, !isRinging {
            isInterrupting = false
            actions.endInterruption(.call)
        }
        interruptsForeground = false
    }
}
