import Glibc
import LifeCycleModel
import LifeCyclePolicy
import Logging
import RoostPorts

/// Background transfers: orders to the engine, and its reports.
extension Supervisor {
    /// The time that transfers have at shutdown to sync their data.
    private static let stopping = Nanoseconds.seconds(2)

    func watchTransfers() throws(SystemError) {
        guard let engine = parts.transfers else { return }
        try loop.add(engine.descriptor, events: .readable) { [unowned self] _ in takeReports() }
        // All other partial files were left by a crash.
        engine.keepOnly(Set(device.transferIDs))
    }

    private func takeReports() {
        guard let engine = parts.transfers else { return }
        pass(engine)
        // Each transfer has sent its last report, and this iteration writes the reports.
        if transfersHaveUntil != nil, transfersEnding.isEmpty { loop.stop() }
    }

    private func pass(_ engine: any TransferEngine) {
        for report in engine.takeReports() {
            switch report {
            case .completed(let id, _, _, _), .failed(let id, _, _), .stopped(let id, _, _): transfersEnding.remove(id)
            case .responded, .progressed, .checkpointed, .moved: break
            }
            submit(.concern(.transfer(.reported(report))))
        }
    }

    func perform(_ output: TransferOutput) {
        switch output {
        case .begin(let id, let attempt): begin([(id, attempt)])
        case .stop(let id): parts.transfers?.stop(id)
        case .move(let id): moveTransfer(id)
        case .discard(let id): discardTransfer(id)
        }
    }

    /// Begins attempts, with a single order to the engine.
    func begin(_ attempts: [(id: TransferID, attempt: Int32)]) {
        // While the system ends, no attempt begins; a successor begins them.
        guard transfersHaveUntil == nil, !attempts.isEmpty else { return }
        let jobs = attempts.compactMap { job(of: $0, attempt: $1) }
        if let engine = parts.transfers { return engine.begin(jobs) }
        for job in jobs {
            let problem = TransferProblem(
                code: Self.unknownError, reason: "this system was started without roost-carry, so it cannot download",
                isRetryable: false)
            submit(.concern(.transfer(.reported(.failed(job.id, attempt: job.attempt, problem)))))
        }
    }

    /// The engine's job for an attempt. Nil if the transfer has gone, or if another attempt has replaced this one and
    /// has its own effect. An attempt that is to be stopped is still begun, so that the engine reports its stop.
    private func job(of id: TransferID, attempt: Int32) -> TransferJob? {
        guard var job = device.transferJob(of: id), job.attempt == attempt else { return nil }
        if !job.request.fields.contains(where: { $0.name.lowercased() == "user-agent" }) {
            job.request.fields.append(HTTPField(name: "User-Agent", value: userAgent(of: id.session.app)))
        }
        return job
    }

    /// The default User-Agent for an app's downloads, because many servers refuse requests without one.
    private func userAgent(of app: AppID) -> String {
        (identifiers[app].map { "\($0.rawValue) " } ?? "") + "Roost/\(RoostVersion.current)"
    }

    /// `NSURLErrorUnknown`.
    private static let unknownError: Int32 = -1

    private func moveTransfer(_ id: TransferID) {
        guard let engine = parts.transfers, let container = container(for: id) else {
            return submit(.concern(.transfer(.reported(.moved(id, errno: parts.transfers == nil ? ENOSYS : ENOENT)))))
        }
        engine.move(id, to: TransferRecord.file(of: id), below: container)
    }

    private func discardTransfer(_ id: TransferID) {
        let container = container(for: id)
        parts.transfers?.discard(
            id, delivered: container == nil ? nil : TransferRecord.file(of: id), below: container)
    }

    /// The app's container; nil if the app is gone.
    private func container(for id: TransferID) -> String? {
        identifiers[id.session.app].map(parts.files.container)
    }

    /// Stops all transfers at the system's end, so that the received bytes are on disk and recorded.
    func stopTransfers() {
        guard let engine = parts.transfers, transfersHaveUntil == nil else { return }
        transfersEnding = Set(engine.progress().keys)
        // Reports that have already arrived must be handled now, because no later read follows.
        pass(engine)
        let underWay = transfersEnding.sorted()
        guard !underWay.isEmpty else { return }
        logger.info("stopping transfers", metadata: ["count": "\(underWay.count)"])
        for id in underWay { engine.stop(id) }
        transfersHaveUntil = Moment.now.awake + Self.stopping
    }
}

extension [Effect] {
    /// Removes the begin effects of transfers that wait neither for these records nor for an earlier effect on the same
    /// transfer.
    ///
    /// The caller performs the returned begins before the records are written. `isAlone` says whether a transfer needs
    /// no other transfer's file.
    mutating func takeBeginnings(
        aheadOf unwritten: @autoclosure () -> [RecordSubject], where isAlone: (TransferID) -> Bool
    ) -> [(id: TransferID, attempt: Int32)] {
        guard contains(where: { if case .concern(.transfer(.begin)) = $0 { true } else { false } }) else { return [] }
        var waiting = Set(unwritten())  // ordered: looked up only
        var taken: [(id: TransferID, attempt: Int32)] = []
        removeAll { effect in
            guard let subject = effect.subjectInOrder else { return false }
            if case .concern(.transfer(.begin(let id, let attempt))) = effect, !waiting.contains(subject), isAlone(id) {
                taken.append((id, attempt))
                return true
            }
            waiting.insert(subject)
            return false
        }
        return taken
    }
}
