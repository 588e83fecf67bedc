public import LifeCycleModel

/// Parses tzdata's time zone files: TZif version 2 or later (RFC 9636).
///
/// The parser skips the 32-bit data for old programs, and leap seconds, which no clock here counts.
public enum ZoneFile {
    /// The maximum file size, in bytes. Current files have at most four thousand bytes.
    public static let longest = 256 * 1024

    /// The rules in a file's bytes; nil if the bytes are invalid.
    public static func rules(in bytes: [UInt8]) -> ZoneRules? {
        var reader = Reader(bytes: bytes[...])
        guard let old = reader.takeHeader(), old.version >= 2, reader.skip(old.length(timeSize: 4)),
            let header = reader.takeHeader(), header.version >= 2, header.types > 0
        else { return nil }
        guard let times = reader.takeTimes(header.times), let indices = reader.take(header.times),
            let types = reader.takeTypes(header.types)
        else { return nil }
        let rest = header.characters + header.leaps * 12 + header.standards + header.utcs
        guard reader.skip(rest), let footer = reader.takeFooter() else { return nil }
        var transitions: [ZoneRules.Transition] = []
        for (time, index) in zip(times, indices) {
            guard types.indices.contains(Int(index)) else { return nil }
            transitions.append(ZoneRules.Transition(at: time, offset: types[Int(index)]))
        }
        return ZoneRules(
            first: types[0], transitions: transitions,
            footer: footer ?? ZoneFooter(standard: transitions.last?.offset ?? types[0]))
    }

    private struct Header {
        let version: Int
        let utcs: Int
        let standards: Int
        let leaps: Int
        let times: Int
        let types: Int
        let characters: Int

        func length(timeSize: Int) -> Int {
            times * (timeSize + 1) + types * 6 + characters + leaps * (timeSize + 4) + standards + utcs
        }
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count >= 0, bytes.count >= count else { return nil }
            defer { bytes = bytes.dropFirst(count) }
            return bytes.prefix(count)
        }

        mutating func skip(_ count: Int) -> Bool { take(count) != nil }

        mutating func takeHeader() -> Header? {
            guard let magic = take(4), magic.elementsEqual("TZif".utf8), let version = take(1)?.first, skip(15) else {
                return nil
            }
            var counts: [Int] = []
            for _ in 0..<6 {
                // No count in a file can exceed the maximum file size.
                guard let count = takeNumber(4), (0...Int64(ZoneFile.longest)).contains(count) else { return nil }
                counts.append(Int(count))
            }
            let digit = UInt8(ascii: "0")
            return Header(
                version: version >= digit ? Int(version - digit) : 1, utcs: counts[0], standards: counts[1],
                leaps: counts[2], times: counts[3], types: counts[4], characters: counts[5])
        }

        /// A big-endian number of `size` bytes, in two's complement.
        mutating func takeNumber(_ size: Int) -> Int64? {
            guard let taken = take(size) else { return nil }
            var number = UInt64(0)
            for byte in taken { number = number << 8 | UInt64(byte) }
            return size == 4 ? Int64(Int32(truncatingIfNeeded: number)) : Int64(bitPattern: number)
        }

        mutating func takeTimes(_ count: Int) -> [Int64]? {
            var times: [Int64] = []
            for _ in 0..<count {
                guard let time = takeNumber(8) else { return nil }
                times.append(time)
            }
            return times
        }

        /// The UTC offset of each type; nothing else of a type matters here.
        mutating func takeTypes(_ count: Int) -> [Int32]? {
            var offsets: [Int32] = []
            for _ in 0..<count {
                guard let offset = takeNumber(4), skip(2) else { return nil }
                offsets.append(Int32(offset))
            }
            return offsets
        }

        /// The footer between two line feeds. The inner nil means that the footer is empty, the outer nil that the
        /// footer is missing or invalid.
        mutating func takeFooter() -> ZoneFooter?? {
            guard take(1)?.first == UInt8(ascii: "\n"), bytes.last == UInt8(ascii: "\n") else { return nil }
            let text = String(decoding: bytes.dropLast(), as: UTF8.self)
            if text.isEmpty { return .some(nil) }
            guard let footer = ZoneFooter(parsing: text) else { return nil }
            return .some(footer)
        }
    }
}
