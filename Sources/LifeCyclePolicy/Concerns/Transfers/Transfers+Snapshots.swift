import LifeCycleModel

/// The tasks of background sessions, for the body and for people.
extension Transfers {
    /// Every task there is, in the order of their numbers.
    func snapshots(on device: DeviceState) -> [TransferSnapshot] {
        sessions.flatMap { _, session in
            session.transfers.map { snapshot(of: $0.value, in: session, on: device) }
        }
    }

    /// One task; nil where there is none such.
    func snapshot(of id: TransferID, on device: DeviceState) -> TransferSnapshot? {
        guard let session = sessions[id.session], let transfer = session.transfers[id.number] else { return nil }
        return snapshot(of: transfer, in: session, on: device)
    }

    /// Whose partial files are still needed.
    var ids: [TransferID] {
        sessions.flatMap { id, session in
            session.transfers.keys.map { TransferID(session: id, number: $0) }
        }
    }

    /// Some of the tasks there are, in the order of their numbers: an app's, or all, after this one, and no more than
    /// `limit`. There may be a hundred thousand, and somebody looks at them twice a second.
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
            // Numbers of sessions are counted up from one: the last is never reached.
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
            case .resting: transfer.isKept ? .kept : transfer.record.outcome == nil ? .waiting : .delivering
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

    /// What an app calls its Newsstand downloads that have come to an end and that it has not heard of, the first of them
    ///
    func newsstandDownloads(of app: AppID) -> [String] {
        guard let id = session(of: app, named: .newsstand), let session = sessions[id] else { return [] }
        let names = session.owed.lazy.compactMap { session.transfers[$0.value.number]?.record.text }
            .filter { $0.utf8.count <= LaunchContext.longestDownload }
        return Array(names.prefix(LaunchContext.mostDownloads))
    }

    /// What the engine needs for the attempt under way; also for one that is to be stopped already: a body that does in
    /// one turn what several events have brought begins it, then stops it, and tells that it has.
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

    /// The tasks from whose resume data a task was made, the first of all first: one that never began leaves the bytes
    /// with the one before it, and nobody knows how far the engine was with that.
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
    /// The number after it; nil after the last.
    fileprivate var next: Self? {
        let (next, overflowed) = addingReportingOverflow(1)
        return overflowed ? nil : next
    }
}
