import CRoost
import FoundationEssentials
import Glibc
import LifeCycleModel

/// Prints apps' logs from where it last stopped.
struct LogReader {
    private let directory: String
    private let app: BundleIdentifier?
    /// How far each file has been printed, in bytes.
    private var printed: [String: Int] = [:]

    /// The log of one app as it is, or of all, each line with its app's name before it.
    init(directory: String, app: BundleIdentifier?) {
        self.directory = directory
        self.app = app
    }

    mutating func printNew() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        for name in app.map({ ["\($0).log"] }) ?? names.filter({ $0.hasSuffix(".log") }).sorted() {
            let new = readNew(name)
            if app != nil {
                write(new)
            } else {
                for line in new.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
                    write(Array("\(name.dropLast(4)): ".utf8) + line + [UInt8(ascii: "\n")])
                }
            }
        }
    }

    /// What has come since; with several apps whole lines only, so that no two are mixed in one.
    private mutating func readNew(_ name: String) -> [UInt8] {
        let descriptor = open("\(directory)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var start = printed[name] ?? 0
        // A file that has become shorter was begun anew.
        if lseek(descriptor, 0, SEEK_END) < start { start = 0 }
        lseek(descriptor, off_t(start), SEEK_SET)
        var new: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            new += chunk[..<count]
        }
        if app == nil { new = Array(new[..<(new.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)]) }
        printed[name] = start + new.count
        return new
    }

    private func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}

/// Tells when a file in a directory has changed, by inotify.
final class DirectoryWatch {
    /// Readable when there is something to tell.
    let descriptor: Int32

    /// Nil with `errno` set where the directory can't be watched.
    init?(_ directory: String) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        let events = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)
        guard descriptor >= 0, inotify_add_watch(descriptor, directory, events) >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Waits for the next change; false where there will be none.
    func wait() -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while Glibc.poll(&poll, 1, -1) < 0 {
            if errno != EINTR { return false }
        }
        drain()
        return true
    }

    /// Forgets what has been told so far.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}
