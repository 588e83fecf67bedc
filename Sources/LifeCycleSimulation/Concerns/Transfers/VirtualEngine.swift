package import LifeCycleModel

/// The engine of a virtual device. It transfers bytes in virtual time, and stores the resulting files. The engine
/// computes the time of an attempt's next event, and does not poll.
public struct VirtualEngine: Hashable, Sendable {
    /// A spontaneous fault of an attempt.
    public enum Trouble: String, Hashable, Sendable, CaseIterable {
        /// The connection is lost.
        case lost
        /// The server asks the client to retry later.
        case busy
        /// The server's certificate is bad, which is permanent.
        case refused
        /// The disk is full.
        case noRoom
    }

    /// The received part of a resource.
    struct Partial: Hashable, Sendable {
        var received: Int64
        /// The number of bytes that survive a loss of power.
        var synced: Int64
        var version: Int32
        var isWhole = false
    }

    private struct Attempt: Hashable, Sendable {
        let order: TransferJob
        /// The file when the server began to send it.
        var file: ServedFile?
        /// The time at which the last byte arrived.
        var lastByte: Nanoseconds
    }

    /// The result of an engine's action: its reports, and the time until the attempt needs the engine again.
    package struct Turn: Hashable, Sendable {
        package var reports: [TransferReport] = []
        package var next: Nanoseconds?
    }

    /// The longest time between two checkpoints.
    private static let checkpointTime = Nanoseconds.seconds(5)

    /// An engine without attempts.
    package init() {}

    // For look-up only, so the order does not matter.
    private var attempts: [TransferID: Attempt] = [:]
    private var partials: [TransferID: Partial] = [:]
    /// The transfers whose file is in the app's container.
    private var delivered: Set<TransferID> = []
    private var boot = 1

    /// Whether the whole file exists, with the engine or in the app's container.
    package func hasWhole(_ id: TransferID) -> Bool { delivered.contains(id) || partials[id]?.isWhole == true }

    /// Whether the file is in the app's container.
    package func isDelivered(_ id: TransferID) -> Bool { delivered.contains(id) }

    /// The version of the file that has arrived; nil if nothing has.
    package func version(_ id: TransferID) -> Int32? { partials[id]?.version }

    /// How many bytes have arrived.
    package func received(_ id: TransferID) -> Int64 { partials[id]?.received ?? 0 }

    // MARK: Requests

    /// Begins an attempt. If the job has a checkpoint, the attempt resumes from the existing bytes.
    package mutating func begin(_ order: TransferJob, at now: Nanoseconds) {
        if order.checkpoint == nil { partials[order.id] = nil }
        attempts[order.id] = Attempt(order: order, lastByte: now)
    }

    /// Stops a running attempt, and syncs the received bytes; nil if there is no attempt.
    package mutating func stop(_ id: TransferID, _ network: VirtualNetwork, at now: Nanoseconds) -> TransferReport? {
        guard let attempt = attempts.removeValue(forKey: id) else { return nil }
        if network.outageUntil <= now { take(id, attempt, network, at: now) }
        return .stopped(id, attempt: attempt.order.attempt, checkpoint(of: id, attempt))
    }

    /// Moves a whole file to the app's container. False if the transfer has no whole file.
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

    /// The system was restarted: no attempt is running, and unneeded files are deleted.
    package mutating func systemRestarted(keeping ids: Set<TransferID>) {
        attempts = [:]
        partials = partials.filter { ids.contains($0.key) }
        delivered.formIntersection(ids)
    }

    /// Power was lost: of a partial file only the synced bytes remain.
    package mutating func rebooted() {
        boot += 1
        partials = partials.mapValues { partial in
            var partial = partial
            partial.received = partial.isWhole ? partial.received : partial.synced
            return partial
        }
    }

    // MARK: Progress

    /// Handles an attempt whose time has come.
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
            return fail(id, attempt, code: -1202, "its certificate is bad", isRetryable: false)
        case .noRoom: return fail(id, attempt, code: -3003, "there is no room", isForLackOfRoom: true)
        case .busy, .refused, nil: break
        }
        return attempt.file == nil
            ? answer(id, attempt, served, network, at: now) : arrive(id, attempt, served, network, at: now)
    }

    /// The server answers: from the last byte of the same version, or from the beginning.
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

    /// Adds the bytes that have arrived since the last time.
    private mutating func take(_ id: TransferID, _ attempt: Attempt, _ network: VirtualNetwork, at now: Nanoseconds) {
        guard let file = attempt.file, let old = partials[id], !old.isWhole else { return }
        let since = max(attempt.lastByte, network.outageUntil)
        let bytes = since < now ? network.bytes(in: now - since) : 0
        partials[id]?.received = min(file.size, old.received + bytes)
    }

    /// Syncs the received bytes; nil if the transfer cannot resume from them.
    private mutating func checkpoint(of id: TransferID, _ attempt: Attempt) -> TransferCheckpoint? {
        guard let file = attempt.file else {
            // There was no request yet: the earlier checkpoint is still valid.
            return partials[id] == nil ? nil : attempt.order.checkpoint
        }
        guard let partial = partials[id], partial.received > 0, let validator = file.validator else { return nil }
        partials[id]?.synced = partial.received
        return TransferCheckpoint(
            received: partial.received, expected: file.size, validator: validator, boot: "boot \(boot)")
    }

    private mutating func fail(
        _ id: TransferID, _ attempt: Attempt, code: Int32, _ reason: String, isRetryable: Bool = true,
        retryAfter: Nanoseconds? = nil, isForLackOfRoom: Bool = false
    ) -> Turn {
        attempts[id] = nil
        var problem = TransferProblem(
            code: code, reason: reason, isRetryable: isRetryable, retryAfter: retryAfter,
            checkpoint: checkpoint(of: id, attempt))
        problem.isForLackOfRoom = isForLackOfRoom
        return Turn(reports: [.failed(id, attempt: attempt.order.attempt, problem)])
    }
}
