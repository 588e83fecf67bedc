import LifeCycleModel

/// The tasks of background sessions, as the body and the user see them.
extension Transfers {
    /// All tasks, in the order of their ids.
    func snapshots(on device: DeviceState) -> [TransferSnapshot] {
        sessions.flatMap { _, session in
            session.transfers.map { snapshot(of: $0.value, in: session, on: device) }
        }
    }

    /// One task; nil if it does not exist.
    func snapshot(of id: TransferID, on device: DeviceState) -> TransferSnapshot? {
        guard let session = sessions[id.session], let transfer = session.transfers[id.number] else { return nil }
        return snapshot(of: transfer, in: session, on: device)
    }

    /// The ids of all tasks, whose partial files are still needed.
    var ids: [TransferID] {
        sessions.flatMap { id, session in
            session.transfers.keys.map { TransferID(session: id, number: $0) }
        }
    }

    /// At most `limit` tasks of one app or of all apps, in the order of their ids, after `after`. There may be a
    /// hundred thousand tasks, and a client may poll twice a second.
    func snapshots(of app: AppID?, after: TransferID?, limit: Int, on device: DeviceState) -> [TransferSnapshot] {
        var found: [TransferSnapshot] = []
        let start = TransferSessionID(app: app ?? AppID(.min), number: .min)
        var next = sessions.first(from: max(start, after?.session ?? start))
        while let (id, session) = next, app == nil || id.app == app {
            var number = id == after?.session ? after?.number.next : .min
            while let from = number, found.count < limit, let (task, transfer) = session.transfers.first(from: from) {
                found.append(snapshot(of: transfer, in: session, on: device))
                number = task.next
            }
            guard found.count < limit else { break }
            // Session numbers count up from one, so that the last number is never reached.
            next = id.number.next.flatMap { sessions.first(from: TransferSessionID(app: id.app, number: $0)) }
        }
        return found
    }

    private func snapshot(
        of transfer: Transfer, in session: TransferSession, on device: DeviceState
    ) -> TransferSnapshot {
        let state: TransferState =
            switch transfer.state {
            case .active: .running
            case .stopping: .waiting
            case .moving: .moving
            case .resting: transfer.isKept ? .retained : transfer.record.outcome == nil ? .waiting : .delivering
            }
        var wait = transfer.ownWait
        var since = transfer.since
        if state == .waiting, wait == nil {
            wait = closed(to: transfer)
            if wait != nil {
                since = max(since, gatesSince)
            } else {
                wait =
                    Int64(active.count) >= device.policy.transfersAtOnce || !session.queue.isFull(transfer.host)
                    ? .turn : .connection
            }
        }
        var until: Nanoseconds?
        if let hold = transfer.hold {
            let clocks = device.surroundings.clocks
            until = clocks.wallNow + (hold.until - clocks.steadyNow)
        } else if wait == .earliestBegin {
            until = transfer.record.earliestBegin
        }
        return TransferSnapshot(
            record: transfer.record, session: session.record.identifier, state: state, wait: wait, since: since,
            until: until, attempt: transfer.attempt, received: transfer.received, expected: transfer.expected)
    }

    /// The app's names for its Newsstand downloads whose outcome is pending, in order, up to a limit.
    func newsstandDownloads(of app: AppID) -> [String] {
        guard let id = session(of: app, named: .newsstand), let session = sessions[id] else { return [] }
        let names = session.pendingOutcomes.lazy.compactMap { session.transfers[$0.value.number]?.record.text }
            .filter { $0.utf8.count <= LaunchContext.longestDownload }
        return Array(names.prefix(LaunchContext.mostDownloads))
    }

    /// The engine's job for the attempt under way, or for an attempt that is being stopped; nil if there is none. The
    /// last case occurs if a body handles several events in one iteration: it begins the attempt, stops it, and reports
    /// that.
    func order(of id: TransferID) -> TransferJob? {
        guard let session = sessions[id.session]?.record, let transfer = self[id], let attempt = transfer.attempt else {
            return nil
        }
        var request = transfer.record.request
        request.networks = request.networks.and(session.configuration.networks)
        let names = request.fields.map { $0.name.lowercased() }
        request.fields += session.configuration.fields.filter { !names.contains($0.name.lowercased()) }
        return TransferJob(
            id: id, attempt: attempt, request: request, checkpoint: transfer.record.checkpoint,
            resumes: donors(of: transfer.record),
            requestTimeout: request.timeout ?? session.configuration.requestTimeout, isSuspect: transfer.deaths > 0)
    }

    /// The chain of tasks from whose resume data a task was made, the oldest first. A task that never began leaves the
    /// bytes with its predecessor, and the brain does not know how far the engine has moved them.
    func donors(of record: TransferRecord) -> [TransferID] {
        var donors: [TransferID] = []
        var next = record.resumes
        while let donor = next, donor != record.id, !donors.contains(donor),
            case .failed(let failure) = self[donor]?.record.outcome, failure.resumable != nil
        {
            donors.insert(donor, at: 0)
            next = self[donor]?.record.resumes
        }
        return donors
    }
}

extension FixedWidthInteger {
    /// The next number; nil after the highest.
    var next: Self? {
        let (next, overflowed) = addingReportingOverflow(1)
        return overflowed ? nil : next
    }
}
