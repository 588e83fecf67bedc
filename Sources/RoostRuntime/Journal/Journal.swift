internal import FoundationEssentials
internal import Glibc
import LifeCycleModel
public import LifeCyclePolicy
import RoostPorts
internal import RoostWire

/// The record of all events and their effects: an append-only file with a JSON value per line, written once per
/// iteration.
///
/// A new file begins at each start of the system, and when the current file has grown large. The newest few files are
/// retained. The current file is written until the beginning of the next file is ready, so no entry is missing.
public final class Journal {
    private let directory: String
    private var descriptor: Int32 = -1
    /// Entries for the next `write`. Entries are encoded only in `write`, so that callers get their answers first.
    private var noted: [JournalEntry] = []
    private var unwritten: [UInt8] = []
    /// The size of the file in bytes, and how much of it follows the first line.
    private var size = 0
    private var sizeOfTurns = 0
    /// Whether a write has failed. A file with missing entries would replay to different results.
    private var isBroken = false
    private let encoder = LineEncoder()
    /// The beginning of the next file, while it is being encoded.
    private var head: JournalHead?
    /// Entries since that beginning, which also belong in the next file.
    private var sinceHead: [UInt8] = []
    private let largest: Int
    private let aside: Aside

    private static let kept = 5

    /// Runs work on another thread.
    public typealias Aside = (@escaping @Sendable () -> Void) -> Void

    /// Begins a new file in `directory` whose start is `device`. A file ends before it exceeds `largest` bytes. If the
    /// device alone nearly fills a file, the file still has room for an eighth of `largest`.
    ///
    /// With `whenReady`, the device is encoded by `aside`, and `whenReady` is called there at the end. The next `write`
    /// then creates the file, with all entries noted in the meantime. If no file can be created, the first `write`
    /// throws, and nothing is noted until a later `write` succeeds.
    public init(
        directory: String, device: Device, largest: Int = 64 << 20, aside: @escaping Aside = { $0() },
        whenReady: (@Sendable () -> Void)? = nil
    ) {
        self.directory = directory
        self.largest = largest
        self.aside = aside
        if let whenReady { head = JournalHead(device, aside: aside, whenReady: whenReady) }
        // The next `write` tries again, and reports the failure.
        if head == nil { try? begin(with: device) }
    }

    /// If the beginning of a file is still being encoded, waits for it and creates the file. Called at the end.
    func finish() throws(SystemError) {
        guard descriptor < 0, let head, !isBroken else { return }
        try begin(with: head.wait())
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The paths of the journals in `directory`, oldest first.
    public static func files(in directory: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasPrefix("journal-") && $0.hasSuffix(".jsonl") }.sorted().map { directory + "/" + $0 }
    }

    /// Queues an event for the next `write`.
    func note(_ event: Event, at now: Moment, effects: [Effect]) {
        // The next file will begin with a snapshot that includes this event.
        if isBroken { return }
        noted.append(.turn(at: now, event: event, effects: effects))
    }

    /// Writes the queued entries. If the file is nearly full, a new file is begun from `device`.
    func write(device: @autoclosure () -> Device) throws(SystemError) {
        if isBroken { return try begin(with: device()) }
        for entry in noted { append(entry) }
        noted.removeAll(keepingCapacity: true)
        if head != nil { sinceHead += unwritten }
        if descriptor < 0 {
            unwritten = []
        } else if let head, size + unwritten.count > largest {
            // The entries do not fit in this file; `sinceHead` has them for the next.
            unwritten = []
            return try begin(with: head.wait())
        } else {
            try writeAll()
        }
        if head == nil, isNearlyFull { head = JournalHead(device(), aside: aside) }
        if let line = head?.line { try begin(with: line) }
    }

    /// Whether to begin encoding the next file, while this one still has room. The second condition is for a device
    /// that nearly fills a file by itself: without it, each iteration would begin a file.
    private var isNearlyFull: Bool { size > largest / 4 * 3 && sizeOfTurns > largest / 8 }

    private func writeAll() throws(SystemError) {
        var rest = unwritten[...]
        unwritten = []
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 {
                if errno == EINTR { continue }
                // The file may end in a partial line, so the next entry needs a new file.
                throw giveUp("write the journal", directory)
            }
            rest = rest.dropFirst(written)
            size += written
            sizeOfTurns += written
        }
    }

    /// Stops taking entries until a new file could be begun. That file starts from the device at that time.
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

    /// Begins a file with this line, which encodes the device, and with the entries since then.
    private func begin(with line: [UInt8]) throws(SystemError) {
        let files = Self.files(in: directory)
        let newest = files.last.flatMap { $0.split(separator: "-").last?.split(separator: ".").first }.flatMap {
            Int($0)
        }
        var number = String((newest ?? 0) + 1)
        number = String(repeating: "0", count: max(0, 8 - number.count)) + number
        let path = directory + "/journal-\(number).jsonl"
        let opened = open(path, O_WRONLY | O_CREAT | O_APPEND | O_EXCL | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw giveUp("create a journal", path) }
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
            // An empty journal is useless, and must not displace older journals.
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
        do {
            try encoder.append(entry, to: &unwritten)
        } catch {
            assertionFailure("every event and effect is made of strings, whole numbers and enums")
        }
    }
}
