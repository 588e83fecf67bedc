import CRoost
import FoundationEssentials
import Glibc
import LifeCycleModel

/// Prints apps' logs from the last position on.
struct LogReader {
    private let directory: String
    private let app: BundleIdentifier?
    private let goesOn: Bool
    /// On a terminal, escape sequences in apps' output are made visible. A pipe receives every byte.
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    /// The number of bytes printed from each file.
    private var printed: [String: Int] = [:]

    /// A reader for the log of one app, or of all apps with the app's name before each line. With `goingOn`, later
    /// output is printed, too. An incomplete line then waits if it could be mixed with other apps' lines.
    init(directory: String, app: BundleIdentifier?, goingOn: Bool) {
        self.directory = directory
        self.app = app
        goesOn = goingOn
    }

    /// Prints new output. Throws an exit code after printing the error.
    mutating func printNew() throws {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        for name in app.map({ ["\($0).log"] }) ?? names.filter({ $0.hasSuffix(".log") }).sorted() {
            let new = readNew(name)
            guard app == nil || isTerminal else {
                try write(new)
                continue
            }
            let label = app == nil ? Array("\(name.dropLast(4)): ".utf8) : []
            var lines = new.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            if lines.last?.isEmpty == true { lines.removeLast() }
            for line in lines { try write(label + shown(line) + [UInt8(ascii: "\n")]) }
        }
    }

    private func shown(_ line: ArraySlice<UInt8>) -> [UInt8] {
        guard isTerminal else { return Array(line) }
        let text = String(decoding: line, as: UTF8.self).replacing("\t", with: "    ")
        return Array(Output.visible(text).utf8)
    }

    /// The bytes since the last call.
    private mutating func readNew(_ name: String) -> [UInt8] {
        let descriptor = open("\(directory)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var start = printed[name] ?? 0
        // A file that has become shorter was started over.
        if lseek(descriptor, 0, SEEK_END) < start { start = 0 }
        lseek(descriptor, off_t(start), SEEK_SET)
        var new: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            new += chunk[..<count]
        }
        if goesOn, app == nil || isTerminal {
            new = Array(new[..<(new.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)])
        }
        printed[name] = start + new.count
        return new
    }

    private func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { throw StandardStreams.unprinted(errno) }
            rest = rest.dropFirst(max(0, count))
        }
    }
}

/// A watch for changes of files in a directory, by inotify.
final class DirectoryWatch {
    /// Readable after a change.
    let descriptor: Int32

    /// Nil with `errno` if the directory cannot be watched.
    init?(_ directory: String) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        let events = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)
        guard descriptor >= 0, inotify_add_watch(descriptor, directory, events) >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Waits for the next change. False if the wait fails.
    func wait() -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while Glibc.poll(&poll, 1, -1) < 0 {
            if errno != EINTR { return false }
        }
        drain()
        return true
    }

    /// Discards the changes so far.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}
