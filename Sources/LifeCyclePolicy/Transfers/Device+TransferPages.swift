public import LifeCycleModel

extension Device {
    /// Some of the tasks there are, in the order of their numbers: an app's, or all, after this one, and no more than
    /// `limit`. There may be a hundred thousand, and somebody looks at them twice a second.
    public func transferSnapshots(of app: AppID?, after: TransferID?, limit: Int) -> [TransferSnapshot] {
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
