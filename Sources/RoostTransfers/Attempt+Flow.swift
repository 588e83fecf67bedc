internal import Glibc
internal import LifeCycleModel
internal import NIOCore
internal import NIOPosix
internal import RoostCarrier
internal import RoostPorts

/// The received bytes that are not on disk yet, and the last reports about them.
struct Flow {
    /// A block that is filled until it is worth a write.
    fileprivate var block: Block?
    /// Bytes in memory, including those that are being written.
    fileprivate var heldBytes = 0
    /// Completed when the connection may be read again.
    fileprivate var pause: EventLoopPromise<Void>?

    /// The time of the next progress report.
    fileprivate var beat: NIODeadline?
    fileprivate var told: Int64 = 0
    fileprivate var checkpointed: Int64 = 0
    fileprivate var checkpointedAt = NIODeadline.now()
    fileprivate var isSyncing = false
    fileprivate var afterSync: (() -> Void)?

    var isPaused: Bool { pause != nil }

    mutating func begin(at offset: Int64, now: NIODeadline) {
        told = offset
        checkpointed = offset
        checkpointedAt = now
    }
}

/// The data path from the connection to the disk.
extension Attempt {
    /// The interval of progress reports, and of writing small amounts.
    private static let beat = TimeAmount.milliseconds(500)

    /// Takes a piece of the body. Completed when there is room for the next piece.
    func gather(_ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        var rest = buffer
        flow.heldBytes += rest.readableBytes
        carrier.hold(rest.readableBytes)
        while rest.readableBytes > 0 {
            let block = flow.block ?? carrier.takeBlock()
            flow.block = block
            block.take(from: &rest)
            if block.count == block.capacity { write() }
        }
        if flow.beat == nil { expectBeat(after: .now()) }
        let isFull = carrier.isFull(holding: flow.heldBytes)
        guard isFull else { return loop.makeSucceededVoidFuture() }
        write()
        let promise = loop.makePromise(of: Void.self)
        flow.pause = promise
        return promise.futureResult
    }

    private func write() {
        guard let block = flow.block else { return }
        flow.block = nil
        beginFile()
        let (file, carrier, count) = (file, carrier, block.count)
        disk.enqueue {
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
        if let pause = flow.pause, !carrier.isFull(holding: flow.heldBytes) {
            flow.pause = nil
            pause.succeed()
        }
    }

    private func expectBeat(after now: NIODeadline) {
        flow.beat = now + Self.beat
        carrier.watch.expect(self, by: now + Self.beat)
    }

    /// Reports progress if that is due. Returns the time of the next report.
    func beatIfDue(_ now: NIODeadline) -> NIODeadline? {
        guard let time = flow.beat, time <= now else { return flow.beat }
        flow.beat = nil
        beat(now)
        return flow.beat
    }

    private func beat(_ time: NIODeadline) {
        guard case .receiving = phase else { return }
        guard received != flow.told else { return }
        flow.told = received
        core.reports.post(
            .progressed(job.id, attempt: job.attempt, received: received, expected: expected))
        write()
        checkpointIfDue()
        flow.beat = time + Self.beat
    }

    // MARK: Checkpoints

    private func checkpointIfDue() {
        guard validator != nil, !flow.isSyncing, received > flow.checkpointed, case .receiving = phase else { return }
        let now = NIODeadline.now()
        let options = core.options
        guard
            received - flow.checkpointed >= options.checkpointBytes
                || now - flow.checkpointedAt >= .nanoseconds(options.checkpointInterval.rawValue)
        else { return }
        flow.isSyncing = true
        flow.checkpointed = received
        flow.checkpointedAt = now
        let (file, pool, number) = (file, carrier.pool, asks)
        disk.enqueue {
            guard let (copy, length) = file.copyForSync() else {
                return self.loop.execute { self.synced(nil, number) }
            }
            // Runs in the pool, and not in the file's queue, so that writes continue meanwhile.
            pool.submit { _ in
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

    /// The entire received data as one block, if none of it has been written; nil otherwise. The caller releases it.
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
        flow.pause?.succeed()
        flow.pause = nil
    }
}
