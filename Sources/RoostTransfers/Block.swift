/// A buffer in which received bytes are gathered for a write. Blocks are reused. The connection's own read buffer is
/// thus free again at once, and memory use is counted in blocks.
///
/// A block moves between the event loop and a writing thread, and only one of them uses it at a time; therefore
/// `@unchecked`.
final class Block: @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(capacity: Int) { memory = .allocate(byteCount: capacity, alignment: 4096) }

    deinit { memory.deallocate() }

    var capacity: Int { memory.count }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    func clear() { count = 0 }

    /// Takes bytes from the beginning of `bytes`, as many as fit.
    func take(from bytes: inout UnsafeRawBufferPointer) {
        let size = min(capacity - count, bytes.count)
        UnsafeMutableRawBufferPointer(rebasing: memory[count...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<size]))
        bytes = UnsafeRawBufferPointer(rebasing: bytes[size...])
        count += size
    }
}
