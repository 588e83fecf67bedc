import LifeCycleModel
import LifeCyclePolicy
import LifeCycleText
import RoostPorts
import RoostWire

/// Background transfers for the control interface: list and user actions.
extension ControlServer {
    /// The most transfers in one reply. Even with the longest URLs, such a reply stays below a client's limit.
    private static let pageLength = 500

    func answer(_ call: TransferControl) throws(ControlFailure) -> ControlReply {
        switch call {
        case .list(let app, let after): .transfers(try transfers(of: app, after: after))
        case .userAction(let ids, let action): try act(on: ids, action)
        }
    }

    private func transfers(of app: BundleIdentifier?, after: TransferID?) throws(ControlFailure) -> TransferPage {
        let number = try number(of: app)
        let progress = supervisor.parts.transfers?.progress() ?? [:]
        // One transfer more than fits in a page shows whether any transfers are left.
        let found = supervisor.device.transferSnapshots(of: number, after: after, limit: Self.pageLength + 1)
        let transfers = found.prefix(Self.pageLength).compactMap { status(of: $0, progress[$0.id]) }
        return TransferPage(transfers: transfers, isLast: found.count <= Self.pageLength)
    }

    private func status(of transfer: TransferSnapshot, _ progress: TransferProgress?) -> TransferStatus? {
        guard let app = supervisor.identifiers[transfer.id.session.app] else { return nil }
        var status = TransferStatus(
            id: transfer.id, app: app, session: transfer.session.rawValue, url: transfer.record.request.url,
            state: transfer.state.rawValue, received: transfer.received, expected: nil,
            since: transfer.since, priority: transfer.record.priority, failures: transfer.record.failures)
        var reported = transfer.expected
        status.wait = transfer.wait?.rawValue
        status.waitsFor = transfer.wait.map(TransferText.text)
        status.until = transfer.until
        if case .failed(let failure) = transfer.record.outcome { status.failure = failure.reason }
        // The engine's progress is newer than its last report.
        if transfer.state == .running, let progress {
            status.received = progress.received
            reported = progress.expected ?? reported
            status.rate = progress.rate
        }
        status.expected = transfer.length(reported: reported, received: status.received)
        return status
    }

    /// Applies the user's action to each transfer. Fails only if all transfers refuse it.
    private func act(on ids: [TransferID], _ action: TransferUserAction) throws(ControlFailure) -> ControlReply {
        let known = ids.filter { supervisor.device.transferSnapshot(of: $0) != nil }
        guard !known.isEmpty else {
            throw ControlFailure(
                code: .noSuchTransfer,
                message: "there is no transfer \(ids[0]); `roost transfers` lists all transfers")
        }
        var refusals: [Occurrence] = []
        let backlog = supervisor.backlog
        let decided = supervisor.memory.collect {
            for id in known {
                let event = Event.concern(.transfer(.userAction(id, action)))
                let before = supervisor.memory.collectedCount
                supervisor.submit(event)
                refusals += supervisor.memory.collected(from: before).filter { $0.refuses(event) }.prefix(1)
            }
            supervisor.settle(tryingStore: true)
        }
        let done = known.count - refusals.count
        if done == 0, let refusal = refusals.last {
            throw ControlFailure(code: .refused, message: refusal.line.text)
        }
        try checkRecorded(since: backlog)
        return .transferred(done, decisions: decided.map(\.line))
    }
}
