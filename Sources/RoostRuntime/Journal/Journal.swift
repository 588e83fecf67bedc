internal import FoundationEssentials
internal import Glibc
import LifeCycleModel
public import LifeCyclePolicy
import RoostPorts

/// The record of every event and its effects: an append-only file, JSON by the line, written once a turn.
///
/// A new file begins with each start of the system, and when one has grown large; the newest few are kept. A file that has
/// grown large goes on until the beginning of the next is put together: neither has a gap.
public final class Journal {
    private let directory: String
    private var descriptor: Int32 = -1
    /// What is to be written with the next `write`. Its text is made then: whoever waits for an answer has it by now.
    private var noted: [JournalEntry] = []
    private var unwritten: [UInt8] = []
    /// How large the file is, in bytes, and how much of that came after its first line.
    private var size = 0
    private var sizeOfTurns = 0
    /// Whether something could not be written: a file with a gap would replay to something else.
    private var isBroken = false
    private let encoder = LineEncoder()
    /// The beginning of the next file, while it is put together.
    private var head: JournalHead?
    /// What has happened since, which belongs in that file as well.
    private var sinceHead: [UInt8] = []
    private let largest: Int
    private let aside: Aside

    private static let kept = 5

    /// Has work done on another thread.
    public typealias Aside = (@escaping @Sendable () -> Void) -> Void

    /// Begins a new file in `directory`, with `device` as its start. Before one has more than `largest` bytes it is followed
    /// by another; one whose device alone takes nearly that has an eighth of it more.
    ///
    /// With `whenReady` the device is put into words by `aside`, where that is then called: the first `write` after it makes
    /// the file, which has whatever was noted meanwhile. If no file can be made there, which the first `write` throws,
    /// nothing is noted until a `write` can make one.
    public init(
        directory: String, device: Device, largest: Int = 64 << 20, aside: @escaping Aside = { $0() },
        whenReady: (@Sendable () -> Void)? = nil
    ) {
        self.directory = directory
        self.largest = largest
        self.aside = aside
        if let whenReady { head = JournalHead(device, aside: aside, whenReady: whenReady) }
        // The failure is the next `write`'s as well, which says so.
        if head == nil { try? begin(with: device) }
    }

    /// Makes the file that is still being begun, if there is one: nothing more will happen.
    func finish() throws(SystemError) {
        guard descriptor < 0, let head, !isBroken else { return }
        try begin(with: head.wait())
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The journals in `directory`, oldest first.
    public static func files(in directory: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasPrefix("journal-") && $0.hasSuffix(".jsonl") }.sorted().map { directory + "/" + $0 }
    }

    /// Notes an event; it is on its way to the disk with the next `write`.
    func note(_ event: Event, at now: Moment, effects: [Effect]) {
        // The next file begins with a snapshot that has it in already.
        if isBroken { return }
        noted.append(.turn(at: now, event: event, effects: effects))
    }

    /// Writes what was noted; starts a new file from `device` where this one is large.
    func write(device: @autoclosure () -> Device) throws(SystemError) {
        if isBroken { return try begin(with: device()) }
        for entry in noted { append(entry) }
        noted.removeAll(keepingCapacity: true)
        if head != nil { sinceHead += unwritten }
        if descriptor < 0 {
            unwritten = []
        } else if let head, size + unwritten.count > largest {
            // This file has no room, and the next has them all.
            unwritten = []
            return try begin(with: head.wait())
        } else {
            try writeAll()
        }
        if head == nil, isNearlyFull { head = JournalHead(device(), aside: aside) }
        if let line = head?.line { try begin(with: line) }
    }

    /// Whether it is time for the next file, so that this one has room for what happens until that is there. A device that
    /// fills a file alone does not begin another with each turn.
    private var isNearlyFull: Bool { size > largest / 4 * 3 && sizeOfTurns > largest / 8 }

    private func writeAll() throws(SystemError) {
        var rest = unwritten[...]
        unwritten = []
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 {
                if errno == EINTR { continue }
                // Half a line may be in the file now: what comes next belongs in another.
                throw giveUp("write the journal", directory)
            }
            rest = rest.dropFirst(written)
            size += written
            sizeOfTurns += written
        }
    }

    /// Notes nothing until a new file could be begun, which starts from the device as it is then.
    private func giveUp(_ doing: String, _ path: String) -> SystemError {
        let error = SystemError.now(doing, path)
        isBroken = true
        head = nil
        sinceHead = []
        noted = []
        return error
    }

    private func begin(with device: Device) throws(SystemError) {
        unwritten = []
        append(.start(format: JournalEntry.format, device: device))
        sinceHead = []
        try begin(with: unwritten)
    }

    /// Begins a file with this line, which holds the device, and with what has happened since.
    private func begin(with line: [UInt8]) throws(SystemError) {
        let files = Self.files(in: directory)
        let newest = files.last.flatMap { $0.split(separator: "-").last?.split(separator: ".").first }.flatMap {
            Int($0)
        }
        var number = String((newest ?? 0) + 1)
        number = String(repeating: "0", count: max(0, 8 - number.count)) + number
        let path = directory + "/journal-\(number).jsonl"
        let opened = open(path, O_WRONLY | O_CREAT | O_APPEND | O_EXCL | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw giveUp("begin a journal", path) }
        if descriptor >= 0 { close(descriptor) }
        descriptor = opened
        noted = []
        head = nil
        unwritten = line + sinceHead
        sinceHead = []
        size = 0
        do throws(SystemError) {
            try writeAll()
        } catch {
            // An empty journal is none; the older ones stay.
            unlink(path)
            throw error
        }
        sizeOfTurns = size - line.count
        isBroken = false
        for old in files.dropLast(Self.kept - 1) { unlink(old) }
    }

    private func append(_ entry: JournalEntry) {
        if case .turn(let time, let event, let effects) = entry,
            let line = FrequentTurn.line(at: time, event: event, effects: effects)
        {
            unwritten += line
            return
        }
        guard let line = try? encoder.encode(entry) else {
            assertionFailure("every event and effect is made of strings, numbers and enums")
            return
        }
        unwritten += line
    }
}
