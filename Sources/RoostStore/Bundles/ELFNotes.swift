/// Finds ELF notes by their owner, in untrusted files: every offset is checked, and the work is bounded.
struct ELFNotes {
    /// The owner name of the note in programs built on RoostKit.
    static let roost = "Roost"

    /// The maximum number of headers and of note bytes to read. A real program has about a dozen headers and a few
    /// hundred bytes.
    private static let mostHeaders = 4_096
    private static let mostBytes = 1 << 20
    /// The maximum offset to read from. No file is longer, and sums of offsets cannot overflow.
    private static let farthest: UInt64 = 1 << 56

    /// Reads up to `count` bytes from `offset`, fewer at the end of the file.
    private let read: (_ offset: Int64, _ count: Int) throws(Errno) -> [UInt8]
    private var headersLeft = mostHeaders
    private var bytesLeft = mostBytes

    /// A reader of the file behind `read`.
    init(read: @escaping (_ offset: Int64, _ count: Int) throws(Errno) -> [UInt8]) {
        self.read = read
    }

    /// Whether this is a 64-bit little-endian ELF file that has a note with this owner.
    mutating func contains(owner: String) throws(Errno) -> Bool {
        let header = Fields(try read(0, 64))
        let identification: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1]  // ELF, 64 bits, little-endian
        guard header.bytes.count == 64, header.bytes.starts(with: identification) else { return false }
        let segments = Table(
            offset: header.number(32, 8), entrySize: header.number(54, 2), count: header.number(56, 2))
        if try search(segments, entrySize: 56, isSegment: true, owner: owner) { return true }
        let sections = Table(
            offset: header.number(40, 8), entrySize: header.number(58, 2), count: header.number(60, 2))
        return try search(sections, entrySize: 64, isSegment: false, owner: owner)
    }

    private struct Table {
        var offset: UInt64
        var entrySize: UInt64
        var count: UInt64
    }

    private mutating func search(
        _ table: Table, entrySize: UInt64, isSegment: Bool, owner: String
    ) throws(Errno) -> Bool {
        guard table.entrySize == entrySize, table.offset > 0 else { return false }
        for index in 0..<table.count {
            guard headersLeft > 0 else { return false }
            headersLeft -= 1
            let (offset, overflowed) = table.offset.addingReportingOverflow(index * entrySize)
            guard !overflowed, offset <= Self.farthest else { return false }
            let entry = Fields(try read(Int64(offset), Int(entrySize)))
            guard entry.bytes.count == Int(entrySize) else { return false }
            let found =
                if isSegment, entry.number(0, 4) == 4 {  // PT_NOTE
                    try search(offset: entry.number(8, 8), size: entry.number(32, 8), align: entry.number(48, 8), owner)
                } else if !isSegment, entry.number(4, 4) == 7 {  // SHT_NOTE
                    try search(
                        offset: entry.number(24, 8), size: entry.number(32, 8), align: entry.number(48, 8), owner)
                } else {
                    false
                }
            if found { return true }
        }
        return false
    }

    /// Searches one block of notes. A note has three 32-bit words, the owner's name and the content, both padded.
    private mutating func search(
        offset: UInt64, size: UInt64, align: UInt64, _ owner: String
    ) throws(Errno) -> Bool {
        guard offset <= Self.farthest else { return false }
        let notes = Fields(try read(Int64(offset), Int(min(size, UInt64(bytesLeft)))))
        bytesLeft -= notes.bytes.count
        let padding = align == 8 ? 8 : 4
        var start = 0
        while start + 12 <= notes.bytes.count {
            let name = start + 12
            let nameSize = Int(notes.number(start, 4))
            let contentSize = Int(notes.number(start + 4, 4))
            guard nameSize <= notes.bytes.count - name else { return false }
            // The size includes the NUL at the end of the name. Some linkers omit the NUL.
            if notes.bytes[name..<(name + nameSize)].prefix(while: { $0 != 0 }).elementsEqual(owner.utf8) {
                return true
            }
            start = padded(padded(name + nameSize, to: padding) + contentSize, to: padding)
        }
        return false
    }

    private func padded(_ offset: Int, to alignment: Int) -> Int { (offset + alignment - 1) / alignment * alignment }

    /// Bytes with little-endian numbers in them.
    private struct Fields {
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func number(_ offset: Int, _ size: Int) -> UInt64 {
            bytes[offset..<(offset + size)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
