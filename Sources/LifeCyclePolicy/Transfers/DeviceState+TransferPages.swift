import LifeCycleModel

extension DeviceState {
    /// Every task there is, in the order of their numbers.
    var transferSnapshots: [TransferSnapshot] {
        let isFull = Int64(transfers.active.count) >= policy.transfersAtOnce
        return transfers.sessions.flatMap { _, session in
            session.transfers.map { transfers.snapshot(of: $0.value, in: session, isFull: isFull) }
        }
    }

    /// One task; nil where there is none such.
    func transferSnapshot(of id: TransferID) -> TransferSnapshot? {
        guard let session = transfers.sessions[id.session], let transfer = session.transfers[id.number] else {
            return nil
        }
        return transfers.snapshot(
            of: transfer, in: session, isFull: Int64(transfers.active.count) >= policy.transfersAtOnce)
    }

    /// Whose partial files are still needed.
    var transferIDs: [TransferID] {
        transfers.sessions.flatMap { id, session in
            session.transfers.keys.map { TransferID(session: id, number: $0) }
        }
    }

    /// Some of the tasks there are, in the order of their numbers: an app's, or all, after this one, and no more than
    /// `limit`. There may be a hundred thousand, and somebody looks at them twice a second.
    func transferSnapshots(of app: AppID?, after: TransferID?, limit: Int) -> [TransferSnapshot] {
        let isFull = Int64(transfers.active.count) >= policy.transfersAtOnce
        var found: [TransferSnapshot] = []
        let start = TransferSessionID(app: app ?? AppID(.min), number: .min)
        var next = transfers.sessions.first(from: max(start, after?.session ?? start))
        while let (id, session) = next, app == nil || id.app == app {
            var number = id == after?.session ? after?.number.next : .min
            while let from = number, found.count < limit, let (task, transfer) = session.transfers.first(from: from) {
                found.append(transfers.snapshot(of: transfer, in: session, isFull: isFull))
                number = task.next
            }
            guard found.count < limit else { break }
            // Numbers of sessions are counted up from one: the last is never reached.
            next = id.number.next.flatMap {
                transfers.sessions.first(from: TransferSessionID(app: id.app, number: $0))
            }
        }
        return found
    }
}

extension FixedWidthInteger {
    /// The number after it; nil after the last.
    fileprivate var next: Self? {
        let (next, overflowed) = addingReportingOverflow(1)
        return overflowed ? nil : next
    }
}
