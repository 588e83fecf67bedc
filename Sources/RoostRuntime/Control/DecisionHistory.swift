internal import Glibc
import LifeCycleModel
import RoostPorts
import RoostWire

/// What was decided about apps before this run of the system, for `roost why`: a file of lines, written once a turn.
///
/// It is a diagnostic: what cannot be written is not waited for, and a line that makes no sense is passed over. When the
/// file has grown large it is written anew, with the newest lines of each app.
final class DecisionHistory {
    /// How many lines are kept of an app.
    static let perApp = 200
    /// How many bytes of lines are kept in all.
    static let kept = 1 << 20
    /// How large the file may grow before it is written anew.
    static let largest = 2 << 20

    /// The line with which each run begins.
    private static let mark = "run\n"

    private let path: String
    private var descriptor: Int32 = -1
    private var unwritten: [UInt8] = []
    private var size = 0
    /// Whether the file ends in the middle of a line.
    private var isCut = false
    /// Whether the file says where this run's lines begin.
    private var isMarked = false
    /// How the last launch of each app ended, as earlier runs have told it.
    private(set) var earlierEnds: [BundleIdentifier: String]

    /// Opens the file at `path`, which a first run has still to make. Where it cannot be opened nothing is kept.
    init(path: String) {
        self.path = path
        var ends: [BundleIdentifier: String] = [:]
        for line in Self.lines(in: Self.text(of: path)[...]) {
            if line.kind == "ended", let app = line.decision.app { ends[app] = line.decision.text }
        }
        earlierEnds = ends
        open()
        // What follows is this run's. The one before may have died in the middle of a line.
        unwritten = Array(("\n" + Self.mark).utf8)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Notes a line; it is on its way to the disk with the next `write`.
    func note(_ line: DecisionLine) {
        guard descriptor >= 0 else { return }
        unwritten += HistoryLine(decision: line).text.utf8
    }

    /// Its app is gone, and one that is installed later under its name is another.
    func forget(_ app: BundleIdentifier) {
        earlierEnds[app] = nil
        guard descriptor >= 0 else { return }
        unwritten += "forget \(app)\n".utf8
    }

    /// Writes what was noted. Gives why that failed; nil if it did not.
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

    /// What earlier runs have decided about an app, oldest first.
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

    /// Writes the newest lines to a new file, which takes the place of the old one.
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
        // A file that somebody else has made larger is not ours.
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

    /// Where the lines of the newest run begin.
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

/// A decision as the file has it: time, app, launch, kind, state, and the text to the end of the line.
struct HistoryLine {
    let decision: DecisionLine
    var kind: String { decision.kind }

    init(decision: DecisionLine) { self.decision = decision }

    /// Nil for what is no such line.
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
