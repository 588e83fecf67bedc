package import LifeCycleModel

/// The engine of a virtual device: it carries bytes by virtual time, and keeps the files they become. When something is
/// next to happen to an attempt is worked out, never looked for.
public struct VirtualEngine: Hashable, Sendable {
    /// What goes wrong with an attempt of itself.
    public enum Trouble: String, Hashable, Sendable, CaseIterable {
        /// The connection is lost.
        case lost
        /// The server asks to be left alone for a while.
        case busy
        /// The server's certificate is bad: that does not pass.
        case refused
        /// There is no room on the disk.
        case noRoom
    }

    /// What has arrived of a resource.
    struct Partial: Hashable, Sendable {
        var received: Int64
        /// So much of it survives the loss of power.
        var synced: Int64
        var version: Int32
        var isWhole = false
    }

    private struct Attempt: Hashable, Sendable {
        let order: TransferJob
        /// The file as it was when the server began to send it.
        var file: ServedFile?
        /// When the last byte arrived.
        var lastByte: Nanoseconds
    }

    /// What comes of something the engine does: what it tells, and when the attempt is to be looked at again.
    package struct Turn: Hashable, Sendable {
        package var reports: [TransferReport] = []
        package var next: Nanoseconds?
    }

    /// The longest between two checkpoints.
    private static let checkpointTime = Nanoseconds.seconds(5)

    /// Nothing is under way.
    package init() {}

    // In no order that matters: looked up only.
    private var attempts: [TransferID: Attempt] = [:]
    private var partials: [TransferID: Partial] = [:]
    /// Those whose file lies in its app's container.
    private var delivered: Set<TransferID> = []
    private var boot = 1

    /// Whether the whole of it is there, with the engine or with its app.
    package func hasWhole(_ id: TransferID) -> Bool { delivered.contains(id) || partials[id]?.isWhole == true }

    /// Whether its file lies where its app finds it.
    package func isDelivered(_ id: TransferID) -> Bool { delivered.contains(id) }

    /// Which version of its file it is that has arrived; nil where nothing has.
    package func version(_ id: TransferID) -> Int32? { partials[id]?.version }

    /// How much of it is there.
    package func received(_ id: TransferID) -> Int64 { partials[id]?.received ?? 0 }

    // MARK: What it is asked for

    /// Begins an attempt, or goes on with what is there.
    package mutating func begin(_ order: TransferJob, at now: Nanoseconds) {
        if order.checkpoint == nil { partials[order.id] = nil }
        attempts[order.id] = Attempt(order: order, lastByte: now)
    }

    /// Stops an attempt under way; what has arrived by now is synced.
    package mutating func stop(_ id: TransferID, _ network: VirtualNetwork, at now: Nanoseconds) -> TransferReport? {
        guard let attempt = attempts.removeValue(forKey: id) else { return nil }
        if network.outageUntil <= now { take(id, attempt, network, at: now) }
        return .stopped(id, attempt: attempt.order.attempt, checkpoint(of: id, attempt))
    }

    /// Brings a whole file into its app's container. False where there is none.
    package mutating func move(_ id: TransferID) -> Bool {
        if delivered.contains(id) { return true }
        guard partials[id]?.isWhole == true else { return false }
        partials[id] = nil
        delivered.insert(id)
        return true
    }

    package mutating func discard(_ id: TransferID) {
        attempts[id] = nil
        partials[id] = nil
        delivered.remove(id)
    }

    /// The system was started again: what was under way is not, and files that nobody needs are deleted.
    package mutating func systemRestarted(keeping ids: Set<TransferID>) {
        attempts = [:]
        partials = partials.filter { ids.contains($0.key) }
        delivered.formIntersection(ids)
    }

    /// The power was lost: of a file only that is there which was synced.
    package mutating func rebooted() {
        boot += 1
        partials = partials.mapValues { partial in
            var partial = partial
            partial.received = partial.isWhole ? partial.received : partial.synced
            return partial
        }
    }

    // MARK: What happens

    /// The time that was named for an attempt has come.
    package mutating func goOn(
        _ id: TransferID, attempt number: Int32, _ trouble: Trouble?, _ network: VirtualNetwork, at now: Nanoseconds
    ) -> Turn {
        guard let attempt = attempts[id], attempt.order.attempt == number else { return Turn() }
        if network.kind == .none { return fail(id, attempt, code: -1009, "there is no network") }
        let timeout = attempt.lastByte + attempt.order.requestTimeout
        let served = attempt.file ?? network.files[attempt.order.request.url]
        guard let served else { return fail(id, attempt, code: -1003, "there is no such host") }
        if network.outageUntil > now || !served.isAnswered {
            if timeout <= now { return fail(id, attempt, code: -1001, "nothing arrived for too long") }
            let end = served.isAnswered ? min(network.outageUntil, timeout) : timeout
            return Turn(next: end - now)
        }
        switch trouble {
        case .lost:
            take(id, attempt, network, at: now)
            return fail(id, attempt, code: -1005, "the connection was lost")
        case .busy where attempt.file == nil:
            return fail(id, attempt, code: -1011, "the server is busy", retryAfter: .seconds(30))
        case .refused where attempt.file == nil:
            return fail(id, attempt, code: -1202, "its certificate is bad", mayPass: false)
        case .noRoom: return fail(id, attempt, code: -3003, "there is no room", isForLackOfRoom: true)
        case .busy, .refused, nil: break
        }
        return attempt.file == nil
            ? answer(id, attempt, served, network, at: now) : arrive(id, attempt, served, network, at: now)
    }

    /// The server answers, from where the same version of the file was left, or from the beginning.
    private mutating func answer(
        _ id: TransferID, _ attempt: Attempt, _ served: ServedFile, _ network: VirtualNetwork, at now: Nanoseconds
    ) -> Turn {
        for donor in partials[id] == nil ? attempt.order.resumes : [] {
            if let partial = partials.removeValue(forKey: donor) { partials[id] = partial }
        }
        var partial = Partial(received: 0, synced: 0, version: served.version)
        if let old = partials[id], served.hasValidator, attempt.order.checkpoint?.validator == served.validator,
            old.version == served.version
        {
            partial = old
        }
        partials[id] = partial
        attempts[id]?.file = served
        attempts[id]?.lastByte = now
        return Turn(
            reports: [
                .responded(
                    id, attempt: attempt.order.attempt, offset: partial.received, expected: served.size)
            ],
            next: pause(before: served.size - partial.received, network))
    }

    private mutating func arrive(
        _ id: TransferID, _ attempt: Attempt, _ served: ServedFile, _ network: VirtualNetwork, at now: Nanoseconds
    ) -> Turn {
        let number = attempt.order.attempt
        take(id, attempt, network, at: now)
        guard let partial = partials[id] else { return Turn() }
        guard partial.received < served.size else {
            attempts[id] = nil
            partials[id]?.isWhole = true
            let response = TransferResponse(url: attempt.order.request.url, status: served.status, fields: [])
            return Turn(reports: [.completed(id, attempt: number, response, size: served.size)])
        }
        attempts[id]?.lastByte = now
        var turn = Turn(next: pause(before: served.size - partial.received, network))
        turn.reports.append(.progressed(id, attempt: number, received: partial.received, expected: served.size))
        if let checkpoint = checkpoint(of: id, attempt) {
            turn.reports.append(.checkpointed(id, attempt: number, checkpoint))
        }
        return turn
    }

    private func pause(before bytes: Int64, _ network: VirtualNetwork) -> Nanoseconds {
        max(Nanoseconds(1), min(Self.checkpointTime, network.time(for: bytes)))
    }

    /// What has arrived since it was last looked at.
    private mutating func take(_ id: TransferID, _ attempt: Attempt, _ network: VirtualNetwork, at now: Nanoseconds) {
        guard let file = attempt.file, let old = partials[id], !old.isWhole else { return }
        let since = max(attempt.lastByte, network.outageUntil)
        let bytes = since < now ? network.bytes(in: now - since) : 0
        partials[id]?.received = min(file.size, old.received + bytes)
    }

    /// Syncs what has arrived; nil where it is of no use.
    private mutating func checkpoint(of id: TransferID, _ attempt: Attempt) -> TransferCheckpoint? {
        guard let file = attempt.file else {
            // Not asked for yet: what was there is there.
            return partials[id] == nil ? nil : attempt.order.checkpoint
        }
        guard let partial = partials[id], partial.received > 0, let validator = file.validator else { return nil }
        partials[id]?.synced = partial.received
        return TransferCheckpoint(
            received: partial.received, expected: file.size, validator: validator, boot: "boot \(boot)")
    }

    private mutating func fail(
        _ id: TransferID, _ attempt: Attempt, code: Int32, _ reason: String, mayPass: Bool = true,
        retryAfter: Nanoseconds? = nil, isForLackOfRoom: Bool = false
    ) -> Turn {
        attempts[id] = nil
        var problem = TransferProblem(
            code: code, reason: reason, mayPass: mayPass, retryAfter: retryAfter,
            checkpoint: checkpoint(of: id, attempt))
        problem.isForLackOfRoom = isForLackOfRoom
        return Turn(reports: [.failed(id, attempt: attempt.order.attempt, problem)])
    }
}
