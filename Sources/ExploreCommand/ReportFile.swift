import FoundationEssentials
import Glibc
import LifeCycleSimulation

/// A report that cannot be read, written or merged: what failed, on which file, why, and what to do.
public struct ReportProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    init(_ action: String, _ path: String, _ reason: String) {
        // A path may contain control characters for terminals.
        description = "cannot \(action) \(path.debugDescription): \(reason)"
    }

    init(_ refusal: ReportMerge.Refusal) { description = "cannot merge the reports: \(refusal)" }
}

/// The files of shards' reports, in JSON.
enum ReportFile {
    /// The largest file that is read, in bytes. A report has about 13 KiB.
    static let largest = 256 << 10

    // MARK: Reading

    /// The report of the run whose parts are in `paths`, and the steps of its histories.
    static func merge(_ paths: [String]) throws(ReportProblem) -> (Explorer.Report, steps: Int) {
        var merge = ReportMerge()
        for path in paths {
            let part = try read(path)
            do { try merge.add(part, from: path.debugDescription) } catch {
                throw ReportProblem("merge", path, error.description)
            }
        }
        do { return try merge.whole() } catch { throw ReportProblem(error) }
    }

    static func read(_ path: String) throws(ReportProblem) -> ShardReport {
        let bytes = try bytes(of: path)
        struct Head: Decodable { var format: Int }
        do {
            let format = try JSONDecoder().decode(Head.self, from: bytes).format
            guard format == ShardReport.format else {
                throw ReportProblem(
                    "merge", path,
                    "it is of format \(format), and this program reads \(ShardReport.format): use the program that wrote it"
                )
            }
            return try JSONDecoder().decode(ShardReport.self, from: bytes)
        } catch let problem as ReportProblem {
            throw problem
        } catch {
            throw ReportProblem("merge", path, "\(reason(for: error)): run its shard again")
        }
    }

    /// The bytes of a regular file of at most `largest` bytes.
    private static func bytes(of path: String) throws(ReportProblem) -> Data {
        // A FIFO without a writer would block.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw failed("open", path, "name the report of a shard") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failed("read", path, "name the report of a shard") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ReportProblem("read", path, "it is not a regular file: name the report of a shard")
        }
        var bytes = [UInt8](repeating: 0, count: largest + 1)
        var count = 0
        while count < bytes.count {
            let part = bytes.withUnsafeMutableBytes {
                Glibc.read(file, $0.baseAddress.map { $0 + count }, $0.count - count)
            }
            if part < 0, errno == EINTR { continue }
            guard part >= 0 else { throw failed("read", path, "copy it from its machine again") }
            if part == 0 { return Data(bytes[..<count]) }
            count += part
        }
        throw ReportProblem("read", path, "it has more than \(largest) bytes: name the report of a shard")
    }

    private static func reason(for error: any Error) -> String {
        func name(_ path: [any CodingKey]) -> String {
            String(path.map(\.stringValue).joined(separator: ".").prefix(64))
        }
        return switch error as? DecodingError {
        case .keyNotFound(let key, _): "its \(name([key]).debugDescription) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "it is cut off, or not the JSON of a report"
                : "its \(name(context.codingPath).debugDescription) has an invalid value"
        default: "it is not a report"
        }
    }

    // MARK: Writing

    /// Throws if a report cannot be written to `path`.
    static func checkPlace(_ path: String) throws(ReportProblem) {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { String(path[...$0]) } ?? "."
        guard access(directory, W_OK | X_OK) == 0 else {
            throw failed("write", path, "name a file in a writable directory")
        }
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw ReportProblem("write", path, "something other than a regular file is there: name another file")
        }
    }

    /// Writes the report atomically: a reader never sees a partial file.
    static func write(_ report: ShardReport, to path: String) throws(ReportProblem) {
        try checkPlace(path)
        let advice = "make room or name another file, and run the shard again"
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(report) + [UInt8(ascii: "\n")] else {
            throw ReportProblem("write", path, "it cannot be encoded as JSON: report this as a bug")
        }
        // Two machines may run the same shard at once: mkstemp replaces each X, so each has its own file.
        var draft = Array("\(path).XXXXXX".utf8CString)
        let file = mkstemp(&draft)
        guard file >= 0 else { throw failed("write", path, advice) }
        let isWritten = fchmod(file, 0o644) == 0 && writeAll(bytes, to: file) && fsync(file) == 0
        let problem = isWritten ? nil : failed("write", path, advice)
        close(file)
        if let problem {
            unlink(draft)
            throw problem
        }
        guard rename(draft, path) == 0 else {
            let problem = failed("write", path, advice)
            unlink(draft)
            throw problem
        }
    }

    private static func writeAll(_ bytes: Data, to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func failed(_ action: String, _ path: String, _ advice: String) -> ReportProblem {
        ReportProblem(action, path, "\(String(cString: strerror(errno))): \(advice)")
    }
}
