internal import FoundationEssentials
internal import Glibc
import LifeCycleModel
public import LifeCyclePolicy

/// A reader of a journal, line by line, because a file may be too large to hold in memory.
public final class JournalReader {
    /// The number of the last line that was read, from 1; 0 before the first.
    public private(set) var line = 0
    /// The number of a last line without an end, after a loss of power or a kill of the system; nil otherwise.
    public private(set) var cutOffLine: Int?

    private let descriptor: Int32
    private var bytes: [UInt8] = []
    private var chunk = [UInt8](repeating: 0, count: 1 << 17)
    /// The offset of the next line in `bytes`, and the offset up to which its end was searched for.
    private var (begin, searched) = (0, 0)
    private var isAtEnd = false
    private let decoder = JSONDecoder()

    /// The most bytes in a line that is read. The longest line is written for a device with thousands of apps.
    public static let longestLine = 64 << 20
    private static let opening = Array("{\"start\":".utf8)

    /// Opens the journal at `path`.
    public init(path: String) throws(JournalProblem) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw Self.unreadable }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The entries of the journal at `path`, in order, without a truncated last line.
    public static func entries(of path: String) throws(JournalProblem) -> [JournalEntry] {
        let reader = try JournalReader(path: path)
        var entries: [JournalEntry] = [.start(format: JournalEntry.format, device: try reader.start())]
        while let turn = try reader.turn() { entries.append(turn) }
        return entries
    }

    /// The device at the journal's beginning. Call this once, before `turn`.
    public func start() throws(JournalProblem) -> Device {
        guard let (text, isWhole) = try nextLine() else {
            throw JournalProblem(
                line: 1, column: 1, "the file is empty: expected a journal, which begins with {\"start\":")
        }
        try checkOpening(text)
        if let fault = JSONPlaces.fault(in: text) { throw problem(fault, in: text, isWhole: isWhole) }
        struct Head: Decodable {
            struct Start: Decodable { let format: Int }
            let start: Start
        }
        let head: Head = try decode(text)
        guard head.start.format == JournalEntry.format else {
            let isNewer = head.start.format > JournalEntry.format
            let place = JSONPlaces.offset(of: [.name("start"), .name("format")], in: text)
            throw problem(
                at: place, in: text,
                "this journal is of format \(head.start.format), and this Roost reads format \(JournalEntry.format)"
                    + ": read it with the \(isNewer ? "newer" : "older") Roost that wrote it")
        }
        guard case .start(_, let device) = try decode(text) as JournalEntry else {
            throw problem(at: 0, in: text, "expected a start")
        }
        if let contradiction = device.contradiction {
            let place = JSONPlaces.offset(of: [.name("start"), .name("device")], in: text)
            throw problem(at: place, in: text, "the device's state is contradictory: \(contradiction)")
        }
        if !isWhole { cutOffLine = line }
        return device
    }

    /// The next turn; nil at the end of the journal.
    public func turn() throws(JournalProblem) -> JournalEntry? {
        guard cutOffLine == nil, let (text, isWhole) = try nextLine() else { return nil }
        if !isWhole {
            // After a loss of power, a file system may leave zeros at the end.
            let written = Array(text[..<(text.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0)])
            if let fault = JSONPlaces.fault(in: written) {
                guard fault.offset == written.count else { throw problem(fault, in: text, isWhole: true) }
                cutOffLine = line
                return nil
            }
        }
        let entry: JournalEntry = try decode(text)
        switch entry {
        case .start: throw problem(at: 0, in: text, "expected a turn: a journal has one start")
        case .turn(let time, _, _):
            // No clock reaches this value in a machine's lifetime, and sums of smaller values do not overflow.
            guard [time.awake, time.elapsed].allSatisfy({ (0..<1 << 62).contains($0.rawValue) }) else {
                let place = JSONPlaces.offset(of: [.name("turn"), .name("at")], in: text)
                throw problem(at: place, in: text, "expected a valid time")
            }
            return entry
        }
    }

    // MARK: Lines

    private static var unreadable: JournalProblem {
        JournalProblem(line: 1, column: 1, "cannot read the file: \(String(cString: strerror(errno)))")
    }

    /// The next line without its newline, and whether the newline exists; nil at the end of the file.
    private func nextLine() throws(JournalProblem) -> (text: [UInt8], isWhole: Bool)? {
        while true {
            if let end = endOfLine() {
                defer { (begin, searched) = (end + 1, end + 1) }
                line += 1
                return (Array(bytes[begin..<end]), true)
            }
            searched = bytes.count
            guard !isAtEnd else {
                guard begin < bytes.count else { return nil }
                defer { (bytes, begin, searched) = ([], 0, 0) }
                line += 1
                return (Array(bytes[begin...]), false)
            }
            if line == 0, bytes.count >= Self.opening.count { try checkOpening(bytes) }
            guard bytes.count - begin <= Self.longestLine else {
                throw JournalProblem(
                    line: line + 1, column: 1, "the line is too long: expected at most \(Self.longestLine) bytes")
            }
            try readOn()
        }
    }

    /// `memchr`, because the longest line would take too long in a loop over bytes.
    private func endOfLine() -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, searched < bytes.count,
                let end = memchr(start + searched, Int32(UInt8(ascii: "\n")), bytes.count - searched)
            else { return nil }
            return UnsafeRawPointer(end) - start
        }
    }

    private func readOn() throws(JournalProblem) {
        if begin > 0 {
            bytes.removeSubrange(..<begin)
            (begin, searched) = (0, bytes.count)
        }
        var count: Int
        repeat {
            count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        } while count < 0 && errno == EINTR
        if count < 0 { throw Self.unreadable }
        bytes += chunk[..<count]
        isAtEnd = count == 0
    }

    /// Detects a file of another kind, which is not reported as a damaged journal.
    private func checkOpening(_ text: [UInt8]) throws(JournalProblem) {
        for (index, byte) in Self.opening.enumerated() where index >= text.count || text[index] != byte {
            throw JournalProblem(
                line: 1, column: index + 1, "this is no journal: expected {\"start\":, with which a journal begins")
        }
    }

    // MARK: Problems

    private func decode<Value: Decodable>(_ text: [UInt8]) throws(JournalProblem) -> Value {
        do {
            return try decoder.decode(Value.self, from: Data(text))
        } catch {
            if let offset = Self.endOfUTF8(text) { throw problem(at: offset, in: text, "this is not UTF-8") }
            if let fault = JSONPlaces.fault(in: text) { throw problem(fault, in: text, isWhole: true) }
            guard let error = error as? DecodingError else { throw problem(at: 0, in: text, "\(error)") }
            throw problem(error, in: text)
        }
    }

    private func problem(_ error: DecodingError, in text: [UInt8]) -> JournalProblem {
        let (context, message) =
            switch error {
            case .keyNotFound(let key, let context): (context, "expected \"\(key.stringValue)\" in here")
            case .valueNotFound(let type, let context): (context, "expected \(type), but found null")
            case .typeMismatch(let type, let context): (context, "expected \(type), but the value is unknown to Roost")
            case .dataCorrupted(let context): (context, "expected something else: \(context.debugDescription)")
            @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "\(error)")
            }
        let path = context.codingPath.map { $0.intValue.map(JSONPlaces.Step.index) ?? .name($0.stringValue) }
        return problem(at: JSONPlaces.offset(of: path, in: text), in: text, message)
    }

    private func problem(_ fault: JSONPlaces.Fault, in text: [UInt8], isWhole: Bool) -> JournalProblem {
        problem(
            at: fault.offset, in: text,
            isWhole || fault.offset < text.count
                ? "the line is damaged: expected \(fault.expected)" : "the line is cut off: expected \(fault.expected)")
    }

    private func problem(at offset: Int, in text: [UInt8], _ message: String) -> JournalProblem {
        let before = String(decoding: text.prefix(offset), as: UTF8.self)
        return JournalProblem(line: line, column: before.unicodeScalars.count + 1, message)
    }

    /// The offset of the first byte that is not UTF-8; nil if all of `text` is UTF-8.
    private static func endOfUTF8(_ text: [UInt8]) -> Int? {
        if String(validating: text, as: UTF8.self) != nil { return nil }
        var (rest, decoder, offset) = (text.makeIterator(), UTF8(), 0)
        while case .scalarValue(let scalar) = decoder.decode(&rest) { offset += UTF8.width(scalar) }
        return offset
    }
}
