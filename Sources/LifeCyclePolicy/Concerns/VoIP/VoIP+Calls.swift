import LifeCycleModel

/// Calls, from their report to their end.
extension VoIP {
    /// Whether a call of any app rings.
    var isRinging: Bool {
        clients.contains { $0.value.record.calls.contains { $0.state == .ringing } }
    }

    /// The number of the next call.
    var nextNumber: Int64 { (clients.flatMap(\.value.record.calls).map(\.number).max() ?? 0) + 1 }

    /// The place of a call among those of a launch; nil if the launch has no such call.
    func index(of id: CallID, in launch: LaunchID) -> Int? {
        guard let record = clients[launch.app]?.record, record.launch == launch else { return nil }
        return record.calls.firstIndex { $0.id == id }
    }

    // MARK: Reports

    /// An app reports an incoming call.
    mutating func report(
        _ id: CallID, _ update: CallUpdate, by launch: LaunchID, on device: DeviceState,
        into actions: inout Actions<Self>
    ) {
        let app = launch.app
        change(app) { client in
            // One call is reported for each push.
            if let push = client.open.first(where: { !$0.value.hasCall && $0.value.until != nil })?.key {
                client.open.update(push) { $0.hasCall = true }
            }
        }
        let calls = clients[app]?.record.calls ?? []
        // The app repeats a report that was not answered before a restart of the system.
        let isRepeated = calls.contains { $0.id == id }
        var failure: CallFailure?
        if device.manifest(of: app)?.backgroundModes.contains(.voip) != true {
            failure = .unentitled
        } else if !isRepeated, calls.count >= PhoneCall.most || !device.isOpenable(app) || device.isShuttingDown {
            failure = .unknown
        }
        actions.explain(.reported(launch, id, failure))
        change(app) { $0.answer(report: id, failure) }
        guard failure == nil, !isRepeated else { return }
        let call = PhoneCall(id: id, number: nextNumber, update: update)
        keep(app, into: &actions) { record in
            record.launch = launch
            record.calls.append(call)
        }
        interruptsForeground = true
    }

    /// An app changes what is shown of a call.
    mutating func update(
        _ id: CallID, _ update: CallUpdate, by launch: LaunchID, into actions: inout Actions<Self>
    ) {
        guard let index = index(of: id, in: launch) else {
            // The app has missed the end of the call.
            return change(launch.app) { $0.answer(report: id, .unknown) }
        }
        if clients[launch.app]?.record.calls[index].update == update { return }
        keep(launch.app, into: &actions) { $0.calls[index].update = update }
    }

    // MARK: The end

    /// A call of an app is over.
    mutating func end(_ id: CallID, of launch: LaunchID, _ end: CallEnd, into actions: inout Actions<Self>) {
        guard let index = index(of: id, in: launch) else { return }
        actions.explain(.ended(launch, id, end))
        keep(launch.app, into: &actions) { record in
            record.calls.remove(at: index)
            if record.calls.isEmpty { record.launch = nil }
        }
    }

    /// The launch of the calls may have ended while the system was gone.
    mutating func endCallsOfOtherLaunches(
        of app: AppID, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        guard let launch = clients[app]?.record.launch, device.liveLaunch(of: app) != launch else { return }
        for call in clients[app]?.record.calls ?? [] { end(call.id, of: launch, .launchEnded, into: &actions) }
    }
}
