import LifeCycleModel

/// Fair turns between apps. A server that sends a byte a second holds its place for days. The other apps still get
/// their turns, even if one app has many such transfers.
///
/// A transfer is preempted only in favor of another app, only if all places are taken, and only after
/// `Policy.transferTurn`. It resumes later with the bytes that have arrived.
extension Transfers {
    /// The order of turns: the least comes first.
    struct Turn: Comparable {
        let isBehind: Int
        let ofApp: Int32
        /// The number of this app's last turn.
        let last: Int64
        let app: AppID
        let ofSession: Int32
        let session: TransferSessionID

        static func < (left: Self, right: Self) -> Bool {
            (left.isBehind, left.ofApp, left.last, left.app, left.ofSession, left.session)
                < (right.isBehind, right.ofApp, right.last, right.app, right.ofSession, right.session)
        }
    }

    /// The next transfer to begin, among those with these needs; nil if there is none.
    func next(of needs: [TransferNeed], foregroundApp: AppID?, policy: Policy) -> TransferID? {
        var best: (key: Turn, id: TransferID)?
        for id in ready {
            guard let number = sessions[id]?.queue.best(of: needs), let active = sessions[id]?.active,
                let client = clients[id.app]
            else { continue }
            let isFirst = id.app == foregroundApp && client.active < Self.ofForeground(policy)
            let turn = Turn(
                isBehind: isFirst ? 0 : 1, ofApp: client.active, last: client.lastTurn, app: id.app,
                ofSession: active, session: id)
            if best.map({ turn < $0.key }) ?? true { best = (turn, TransferID(session: id, number: number)) }
        }
        return best?.id
    }

    /// The number of transfers under way up to which the foreground app takes precedence.
    private static func ofForeground(_ policy: Policy) -> Int32 { max(1, Int32(clamping: policy.transfersAtOnce / 2)) }

    /// Records a turn of this app.
    mutating func noteTurn(of app: AppID) {
        lastTurn += 1
        let turn = lastTurn
        clients.update(app) { $0.lastTurn = turn }
    }

    /// A transfer that could be preempted.
    private struct Older: Comparable {
        let ofApp: Int32
        /// 1 if the bytes that have arrived would be lost; otherwise 0.
        let isLost: Int
        let turnEnds: Nanoseconds
        let id: TransferID

        static func < (left: Self, right: Self) -> Bool {
            (-left.ofApp, left.isLost, left.turnEnds, left.id) < (-right.ofApp, right.isLost, right.turnEnds, right.id)
        }
    }

    /// If all places are taken, stops a transfer of an app that has more transfers under way than a waiting app.
    mutating func makeWay(
        of needs: [TransferNeed], foregroundApp: AppID?, policy: Policy, into actions: inout Actions<Transfers>
    ) {
        yieldAt = nil
        guard Int64(active.count) >= policy.transfersAtOnce,
            let app = next(of: needs, foregroundApp: foregroundApp, policy: policy)?.session.app
        else { return }
        var older: [Older] = []
        for id in active {
            guard let transfer = self[id], let client = clients[id.session.app] else { continue }
            // A transfer that is being stopped is about to free its place.
            guard case .active = transfer.state else { return }
            guard !transfer.isForced, makesWay(id.session.app, for: app, foregroundApp: foregroundApp, policy: policy)
            else { continue }
            let isLost = transfer.received > 0 && transfer.record.checkpoint?.validator == nil
            older.append(
                Older(
                    ofApp: client.active, isLost: isLost ? 1 : 0, turnEnds: transfer.begun + policy.transferTurn,
                    id: id))
        }
        guard let first = older.filter({ $0.turnEnds <= steadyNow }).min() else {
            yieldAt = older.map(\.turnEnds).min()
            return
        }
        noteTurn(of: first.id.session.app)
        stop(first.id, because: .turn, into: &actions)
    }

    /// Whether an app's transfer makes way for another app. It does if the other app has no running transfer, or if the
    /// other app would still have fewer with one more. The foreground app may have half of all.
    private func makesWay(_ app: AppID, for other: AppID, foregroundApp: AppID?, policy: Policy) -> Bool {
        guard app != other else { return false }
        let (own, others) = (clients[app]?.active ?? 0, clients[other]?.active ?? 0)
        if other == foregroundApp, others < Self.ofForeground(policy) { return true }
        if app == foregroundApp, own <= Self.ofForeground(policy) { return false }
        return others == 0 || own > others + 1
    }
}
