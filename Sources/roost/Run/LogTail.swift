import Glibc

/// The lines that an app prints, from a position in the log on.
struct LogTail {
    private let path: String
    private var read: Int
    /// The bytes of an incomplete line.
    private var rest: [UInt8] = []

    /// The length in bytes above which an incomplete line is shown in pieces.
    private static let longestLine = 16 * 1024

    /// Begins at the current end of the log.
    init(_ path: String) {
        self.path = path
        var status = stat()
        read = stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The complete lines since the last call. With `atTheEnd`, an incomplete line is included.
    mutating func newLines(atTheEnd: Bool = false) -> [String] {
        readNew()
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        rest = lines.popLast() ?? []
        if rest.count > Self.longestLine || (atTheEnd && !rest.isEmpty) {
            lines.append(rest)
            rest = []
        }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func readNew() {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // A file that has become shorter was started over.
        if lseek(descriptor, 0, SEEK_END) < read { read = 0 }
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = pread(descriptor, &chunk, chunk.count, off_t(read))
            guard count > 0 else { return }
            rest += chunk[..<count]
            read += count
        }
    }
}
