/// Splits a stream of bytes into lines. A line of more than `longest` bytes is skipped up to its end, so an endless line
/// takes that much memory at most.
package struct LineSplitter {
    /// The longest line in bytes. gpsd limits its own lines to 10,240 bytes.
    package static let longest = 16 << 10

    private var line: [UInt8] = []
    private var isSkipping = false

    package init() {}

    /// Takes further bytes, and calls `body` with each line that they complete, without its line feed.
    package mutating func add(_ bytes: UnsafeRawBufferPointer, _ body: ([UInt8]) -> Void) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            keep(rest[..<end])
            if !isSkipping, !line.isEmpty { body(line) }
            line.removeAll(keepingCapacity: true)
            isSkipping = false
            rest = rest[(end + 1)...]
        }
        keep(rest)
    }

    private mutating func keep(_ bytes: Slice<UnsafeRawBufferPointer>) {
        guard !isSkipping else { return }
        isSkipping = line.count + bytes.count > Self.longest
        if isSkipping { line.removeAll(keepingCapacity: true) } else { line += bytes }
    }
}
