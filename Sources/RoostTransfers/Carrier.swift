internal import Dispatch
internal import RoostCarrier
internal import Synchronization

/// The threads, connections and memory that exist while transfers are under way: a loop that blocks only for commits on
/// a very fast disk, and threads that may block.
final class Carrier: CommitThreads {
    let loop = TransferLoop()
    let names: NameLookUp
    private let load = Mutex(Load())
    /// Commits short files, unless the loop does.
    private let committer = DispatchQueue(label: "org.roost.transfers.commit")

    private struct Load {
        var attempts = 0
        var bytes = 0
        /// Written blocks, for reuse.
        var spare: [Block] = []
    }

    /// The most bytes in memory, over all transfers.
    private static let mostBytes = 4 << 20
    /// The most bytes in memory for one transfer: more bytes can arrive while the first bytes are being written. A kill
    /// loses the bytes in memory.
    private static let mostOfOne = 1 << 20
    /// The size of a write with few transfers, in bytes.
    private static let mostAtOnce = 512 << 10
    private static let fewestAtOnce = 64 << 10

    init(names: NameLookUp) { self.names = names }

    /// Ends the loop. Called when no transfer is left; the other threads end by themselves.
    func shutDown() { loop.close() }

    // MARK: Threads for commits

    /// The number of threads that may help to commit short files on a slow disk.
    var helpers: Int { 2 }

    func commit(isFast: Bool, _ body: @escaping @Sendable () -> Void) {
        if isFast { loop.execute(body) } else { committer.async(execute: body) }
    }

    func help(_ body: @escaping @Sendable () -> Void) { Self.queue("help").async(execute: body) }

    /// A queue for blocking work, which no other queue waits for.
    ///
    /// A global queue would wake up once per second forever.
    static func queue(_ name: String) -> DispatchQueue { DispatchQueue(label: "org.roost.transfers." + name) }

    // MARK: Memory

    func attemptBegan() { load.withLock { $0.attempts += 1 } }
    func attemptEnded() { load.withLock { $0.attempts -= 1 } }

    /// A block whose size is the amount that a transfer gathers before a write, if `rest` more bytes are expected.
    func takeBlock(for rest: Int64) -> Block {
        load.withLock { load in
            var size = max(Self.fewestAtOnce, Self.mostBytes / 2 / max(1, load.attempts))
            // For a short body, more would be memory that the kernel has to provide and clear.
            if rest <= Self.fewestAtOnce { size = Self.fewestAtOnce }
            size = min(size, Self.mostAtOnce)
            if let index = load.spare.lastIndex(where: { $0.capacity >= size }) { return load.spare.remove(at: index) }
            return Block(capacity: size)
        }
    }

    func giveBack(_ block: Block) {
        block.clear()
        load.withLock { if $0.spare.count < Self.mostSpare { $0.spare.append(block) } }
    }

    /// The most spare blocks.
    private static let mostSpare = 8

    func hold(_ bytes: Int) { load.withLock { $0.bytes += bytes } }
    func release(_ bytes: Int) { load.withLock { $0.bytes -= bytes } }

    /// Whether a transfer that holds this many bytes in memory must wait for writes.
    func isFull(holding bytes: Int) -> Bool {
        if bytes >= Self.mostOfOne { return true }
        return load.withLock { $0.bytes > Self.mostBytes && bytes > Self.mostBytes / max(1, 2 * $0.attempts) }
    }
}
