import LifeCycleModel

/// Whose turn it is, and who makes way: a server that sends a byte a second holds its place for days, and however many
/// such an app has, others come to theirs.
///
/// Nobody makes way while there is room, nor for the same app, nor before `Policy.transferTurn` is over. What makes way goes
/// on later from what has arrived.
extension Transfers {
    /// In whose turn it is: the least comes first.
    struct Turn: Comparable {
        let isBehind: Int
        let ofApp: Int32
        /// When it was last this app's turn.
        let last: Int64
        let app: AppID
        let ofSession: Int32
        let session: TransferSessionID

        static func < (left: Self, right: Self) -> Bool {
            (left.isBehind, left.ofApp, left.last, left.app, left.ofSession, left.session)
                < (right.isBehind, right.ofApp, right.last, right.app, right.ofSession, right.session)
        }
    }

    /// What is begun next of what these needs allow; nil where nothing is.
    func next(of needs: [TransferNeed], front: AppID?, policy: Policy) -> TransferID? {
        var best: (key: Turn, id: TransferID)?
        for id in ready {
            guard let number = sessions[id]?.queue.best(of: needs), let active = sessions[id]?.active,
                let client = clients[id.app]
            else { continue }
            let isFirst = id.app == front && client.active < Self.ofFront(policy)
            let turn = Turn(
                isBehind: isFirst ? 0 : 1, ofApp: client.active, last: client.lastTurn, app: id.app,
                ofSession: active, session: id)
            if best.map({ turn < $0.key }) ?? true { best = (turn, TransferID(session: id, number: number)) }
        }
        return best?.id
    }

    /// How much of all that is under way the app in front may have before it is one of many.
    private static func ofFront(_ policy: Policy) -> Int32 { max(1, Int32(clamping: policy.transfersAtOnce / 2)) }

    /// It has been this app's turn.
    mutating func noteTurn(of app: AppID) {
        lastTurn += 1
        let turn = lastTurn
        clients.update(app) { $0.lastTurn = turn }
    }

    /// One that could make way.
    private struct Older: Comparable {
        let ofApp: Int32
        /// Whether what has arrived would be lost.
        let isLost: Int
        let turnEnds: Nanoseconds
        let id: TransferID

        static func < (left: Self, right: Self) -> Bool {
            (-left.ofApp, left.isLost, left.turnEnds, left.id) < (-right.ofApp, right.isLost, right.turnEnds, right.id)
        }
    }

    /// As much is under way as may be, and an app waits that has less of it than another: one of that makes way.
    mutating func makeWay(
        of needs: [TransferNeed], front: AppID?, policy: Policy, into actions: inout Actions<Transfers>
    ) {
        yieldAt = nil
        guard Int64(active.count) >= policy.transfersAtOnce,
            let app = next(of: needs, front: front, policy: policy)?.session.app
        else { return }
        var older: [Older] = []
        for id in active {
            guard let transfer = self[id], let client = clients[id.session.app] else { continue }
            // The place of one that is being stopped is as good as free.
            guard case .active = transfer.state else { return }
            guard !transfer.isForced, makesWay(id.session.app, for: app, front: front, policy: policy) else { continue }
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

    /// Whether what is under way of an app makes way for another's: where that has none, or is still no better off with
    /// one more. The app in front has half of all, where it wants it.
    private func makesWay(_ app: AppID, for other: AppID, front: AppID?, policy: Policy) -> Bool {
        guard app != other else { return false }
        let (own, others) = (clients[app]?.active ?? 0, clients[other]?.active ?? 0)
        if other == front, others < Self.ofFront(policy) { return true }
        if app == front, own <= Self.ofFront(policy) { return false }
        return others == 0 || own > others + 1
    }
}
