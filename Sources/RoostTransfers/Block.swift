internal import NIOCore

/// Memory in which what arrives is gathered for a write. Used again and again: what the connection reads into is free at
/// once for its next read, and what is in memory is counted in blocks.
///
/// It is handed from the event loop to a writing thread and back, and used by one at a time: hence unchecked.
final class Block: @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(capacity: Int) { memory = .allocate(byteCount: capacity, alignment: 4096) }

    deinit { memory.deallocate() }

    var capacity: Int { memory.count }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    func clear() { count = 0 }

    /// Takes as much as there is room for from the beginning of `buffer`.
    func take(from buffer: inout ByteBuffer) {
        let size = min(capacity - count, buffer.readableBytes)
        buffer.readWithUnsafeReadableBytes { bytes in
            UnsafeMutableRawBufferPointer(rebasing: memory[count...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<size]))
            return size
        }
        count += size
    }
}
