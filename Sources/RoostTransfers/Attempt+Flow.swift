internal import Dispatch
internal import Glibc
internal import LifeCycleModel
internal import RoostCarrier
internal import RoostPorts

/// The received bytes that are not on disk yet, and the last reports about them.
struct Flow {
    /// A block that is filled until it is worth a write.
    fileprivate var block: Block?
    /// Bytes in memory, including those that are being written.
    fileprivate var heldBytes = 0
    /// Whether the connection is not read, because the disk is slow.
    fileprivate(set) var isPaused = false

    /// The time of the next progress report.
    fileprivate var beat: SuspendingClock.Instant?
    fileprivate var reported: Int64 = 0
    fileprivate var checkpointed: Int64 = 0
    fileprivate var checkpointedAt = SuspendingClock.now
    fileprivate var isSyncing = false
    fileprivate var afterSync: (() -> Void)?

    mutating func begin(at offset: Int64, now: SuspendingClock.Instant) {
        reported = offset
        checkpointed = offset
        checkpointedAt = now
    }
}

/// The data path from the connection to the disk.
extension Attempt {
    /// The interval of progress reports, and of writing small amounts.
    private static let beat = Duration.milliseconds(500)

    /// Whether the next piece of the body has to wait for writes. If so, reading is paused.
    func mustWait() -> Bool {
        guard carrier.isFull(holding: flow.heldBytes) else { return false }
        write()
        flow.isPaused = true
        return true
    }

    /// Takes a piece of the body.
    func gather(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        flow.heldBytes += rest.count
        carrier.hold(rest.count)
        while !rest.isEmpty {
            let block = flow.block ?? carrier.takeBlock(for: (expected ?? .max) - (received - Int64(rest.count)))
            flow.block = block
            block.take(from: &rest)
            // The last bytes are written when the body is complete.
            if block.count == block.capacity, !rest.isEmpty || received != expected { write() }
        }
        if flow.beat == nil { expectBeat(after: .now) }
    }

    private func write() {
        guard let block = flow.block else { return }
        flow.block = nil
        beginFile()
        let (file, carrier, count) = (file, carrier, block.count)
        disk.async {
            let result = Result { () throws(SystemError) in try file.append(block.bytes) }
            carrier.giveBack(block)
            self.loop.execute { self.wrote(count, result) }
        }
        checkpointIfDue()
    }

    private func wrote(_ count: Int, _ result: Result<Void, SystemError>) {
        flow.heldBytes -= count
        carrier.release(count)
        if case .failure(let error) = result { diskFailed(error) }
        if flow.isPaused, !carrier.isFull(holding: flow.heldBytes) {
            flow.isPaused = false
            current?.resume()
        }
    }

    private func expectBeat(after now: SuspendingClock.Instant) {
        flow.beat = now + Self.beat
        loop.expect(self, by: now + Self.beat)
    }

    /// Reports progress if that is due. Returns the time of the next report.
    func beatIfDue(_ now: SuspendingClock.Instant) -> SuspendingClock.Instant? {
        guard let time = flow.beat, time <= now else { return flow.beat }
        flow.beat = nil
        beat(now)
        return flow.beat
    }

    private func beat(_ time: SuspendingClock.Instant) {
        guard case .receiving = phase else { return }
        guard received != flow.reported else { return }
        flow.reported = received
        core.reports.post(
            .progressed(job.id, attempt: job.attempt, received: received, expected: expected))
        write()
        checkpointIfDue()
        flow.beat = time + Self.beat
    }

    // MARK: Checkpoints

    private func checkpointIfDue() {
        guard validator != nil, !flow.isSyncing, received > flow.checkpointed, case .receiving = phase else { return }
        let now = SuspendingClock.now
        let options = core.options
        guard
            received - flow.checkpointed >= options.checkpointBytes
                || now - flow.checkpointedAt >= .nanoseconds(options.checkpointInterval.rawValue)
        else { return }
        flow.isSyncing = true
        flow.checkpointed = received
        flow.checkpointedAt = now
        let (file, number) = (file, asks)
        disk.async {
            guard let (copy, length) = file.copyForSync() else {
                return self.loop.execute { self.synced(nil, number) }
            }
            // Runs outside the file's queue, so that writes continue meanwhile.
            Carrier.queue("sync").async {
                let code = fdatasync(copy) == 0 ? 0 : errno
                close(copy)
                self.loop.execute { self.synced((length, code), number) }
            }
        }
    }

    private func synced(_ outcome: (length: Int64, errno: Int32)?, _ number: Int) {
        flow.isSyncing = false
        if let outcome, number == asks, case .receiving = phase {
            if outcome.errno == 0 {
                postCheckpoint(outcome.length)
            } else {
                let error = SystemError(
                    doing: "sync a transfer's file", subject: core.files.path, errno: outcome.errno)
                file.syncFailed(error)
                diskFailed(error)
            }
        }
        let after = flow.afterSync
        flow.afterSync = nil
        after?()
    }

    /// The entire received data as one block, if none of it has been written; nil otherwise. The caller releases the
    /// block.
    func takeWhole() -> Block? {
        guard job.checkpoint == nil, !flow.isSyncing, let block = flow.block, takeUnbegun() != nil else { return nil }
        flow.block = nil
        return block
    }

    /// Releases a block that has been written, or will not be.
    func release(_ block: Block) {
        carrier.release(block.count)
        carrier.giveBack(block)
    }

    /// Calls `body` when no checkpoint is being synced.
    func whenSynced(_ body: @escaping () -> Void) {
        if flow.isSyncing { flow.afterSync = body } else { body() }
    }

    func postCheckpoint(_ length: Int64) {
        let checkpoint = TransferCheckpoint(
            received: length, expected: expected, validator: validator, boot: core.options.bootID)
        core.reports.post(.checkpointed(job.id, attempt: job.attempt, checkpoint))
    }

    /// Stops reports and resumes reading; the gathered bytes are written.
    func settle() {
        flow.beat = nil
        write()
        flow.isPaused = false
    }
}
