internal import Glibc
import LifeCycleModel
import RoostPorts
import RoostWire

/// The decisions about apps in earlier runs of the system, for `roost why`: a text file, written once per iteration.
///
/// The history is diagnostic: write errors are not retried, and malformed lines are skipped. A file that has grown too
/// large is rewritten with the newest lines of each app.
final class DecisionHistory {
    /// The most lines per app.
    static let perApp = 200
    /// The most bytes of lines that a rewritten file keeps.
    static let kept = 1 << 20
    /// The size in bytes above which the file is rewritten.
    static let largest = 2 << 20

    /// The line at the beginning of each run.
    private static let mark = "run\n"

    private let path: String
    private var descriptor: Int32 = -1
    private var unwritten: [UInt8] = []
    private var size = 0
    /// Whether the file ends in a partial line.
    private var isCut = false
    /// Whether this run's first line is in the file.
    private var isMarked = false
    /// The text about the end of each app's last launch, from earlier runs.
    private(set) var earlierEnds: [BundleIdentifier: String]

    /// Opens the file at `path`, or creates it. If the file cannot be opened, nothing is recorded.
    init(path: String) {
        self.path = path
        var ends: [BundleIdentifier: String] = [:]
        for line in Self.lines(in: Self.text(of: path)[...]) {
            if line.kind == "ended", let app = line.decision.app { ends[app] = line.decision.text }
        }
        earlierEnds = ends
        open()
        // Begins this run. The newline ends a line that the previous run may have left partial.
        unwritten = Array(("\n" + Self.mark).utf8)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Queues a line for the next `write`.
    func note(_ line: DecisionLine) {
        guard descriptor >= 0 else { return }
        unwritten += HistoryLine(decision: line).text.utf8
    }

    /// Forgets an app that is gone. An app that is later installed under the same identifier is a different app.
    func forget(_ app: BundleIdentifier) {
        earlierEnds[app] = nil
        guard descriptor >= 0 else { return }
        unwritten += "forget \(app)\n".utf8
    }

    /// Writes the queued lines. Returns the error, or nil on success.
    func write() -> SystemError? {
        guard descriptor >= 0, !unwritten.isEmpty else { return nil }
        let bytes = (isCut ? [UInt8(ascii: "\n")] : []) + unwritten
        unwritten.removeAll(keepingCapacity: true)
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count == bytes.count else {
            let error = SystemError.now("write the history of decisions", path)
            isCut = true
            if !isMarked { unwritten = Array(Self.mark.utf8) }
            return error
        }
        isCut = false
        isMarked = true
        size += count
        if size > Self.largest { rewrite() }
        return nil
    }

    /// The decisions of earlier runs about an app, oldest first.
    func earlier(about app: BundleIdentifier) -> [DecisionLine] {
        let text = Self.text(of: path)
        let end = isMarked ? Self.lastRun(in: text) : text.count
        return Self.lines(in: text[..<end]).map(\.decision).filter { $0.app == app }.suffix(Self.perApp)
    }

    // MARK: The file

    private func open() {
        // Only a regular file is used. Without O_NONBLOCK, opening a FIFO would wait for its reader.
        descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        var status = stat()
        if descriptor >= 0, fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFREG {
            close(descriptor)
            descriptor = -1
        }
        size = descriptor >= 0 ? Int(status.st_size) : 0
    }

    /// Writes the newest lines to a new file, which replaces the old file.
    private func rewrite() {
        let text = Self.text(of: path)
        let end = Self.lastRun(in: text)
        let lines =
            Self.lines(in: text[..<end]).map { (line: $0, isEarlier: true) }
            + Self.lines(in: text[end...]).map { (line: $0, isEarlier: false) }
        var counts: [BundleIdentifier: Int] = [:]
        var (earlier, ours, length): ([String], [String], Int) = ([], [], 0)
        for (line, isEarlier) in lines.reversed() {
            if let app = line.decision.app {
                counts[app, default: 0] += 1
                if counts[app, default: 0] > Self.perApp { continue }
            }
            let text = line.text
            length += text.utf8.count
            guard length <= Self.kept else { break }
            if isEarlier { earlier.append(text) } else { ours.append(text) }
        }
        replace(by: earlier.reversed().joined() + Self.mark + ours.reversed().joined())
    }

    private func replace(by text: String) {
        let new = path + ".new"
        unlink(new)
        let file = Glibc.open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let bytes = Array(text.utf8)
        let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        guard count == bytes.count, rename(new, path) == 0 else {
            unlink(new)
            return
        }
        if descriptor >= 0 { close(descriptor) }
        open()
    }

    private static func text(of path: String) -> [UInt8] {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var status = stat()
        // A file beyond four times the limit was not written by this code.
        guard fstat(file, &status) == 0, (0...4 * largest).contains(Int(status.st_size)) else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        return Array(bytes.prefix(max(0, count)))
    }

    private static func lines(in text: ArraySlice<UInt8>) -> [HistoryLine] {
        var found: [HistoryLine] = []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let words = String(decoding: line, as: UTF8.self)
            if let line = HistoryLine(words) {
                found.append(line)
            } else if words.hasPrefix("forget ") {
                let gone = String(words.dropFirst("forget ".count))
                found.removeAll { $0.decision.app?.rawValue == gone }
            }
        }
        return found
    }

    /// The offset at which the newest run begins.
    private static func lastRun(in text: [UInt8]) -> Int {
        let mark = Array(mark.utf8)
        var place = text.count - mark.count
        while place >= 0 {
            let isAtStart = place == 0 || text[place - 1] == UInt8(ascii: "\n")
            if isAtStart, text[place..<place + mark.count].elementsEqual(mark) { return place }
            place -= 1
        }
        return text.count
    }
}

/// A decision as a line of the file: format, time, app, launch, kind, state, and the text to the end of the line.
struct HistoryLine {
    let decision: DecisionLine
    var kind: String { decision.kind }

    init(decision: DecisionLine) { self.decision = decision }

    /// Nil if the text is not a line of this format.
    init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 6, omittingEmptySubsequences: false).map(String.init)
        guard words.count == 7, words[0] == "1", let time = Int64(words[1]) else { return nil }
        decision = DecisionLine(
            time: Nanoseconds(time), app: BundleIdentifier(words[2]), launch: Int32(words[3]), kind: words[4],
            text: words[6].fromOneLine, state: AppState.allCases.first { $0.rawValue == words[5] })
    }

    var text: String {
        let app = decision.app?.rawValue ?? "-"
        let launch = decision.launch.map(String.init) ?? "-"
        let state = decision.state?.rawValue ?? "-"
        return "1 \(decision.time.rawValue) \(app) \(launch) \(kind) \(state) \(decision.text.onOneLine)\n"
    }
}
