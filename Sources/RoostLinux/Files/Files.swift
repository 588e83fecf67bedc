internal import Glibc
internal import RoostPorts

/// Small files that are read and written as a whole, such as those in /proc and cgroupfs. Uses descriptors directly, so
/// that `errno` is available, and because Foundation takes a short read for the end of a file: of a list in /proc, which
/// the kernel gives in pieces, it returns only the first 4 KiB.
package enum Files {
    /// The bytes of a file, read to its end; nil with `errno` set if it cannot be opened or read.
    static func bytes(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { closeKeepingErrno(descriptor) }
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0 {
                guard errno == EINTR else { return nil }
            } else if count == 0 {
                return result
            } else {
                result += chunk[..<count]
            }
        }
    }

    /// The text of a file, with invalid UTF-8 repaired; nil with `errno` set if it cannot be read.
    package static func text(_ path: String) -> String? {
        bytes(path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes `text` in one call, as the kernel's files require it; false with `errno` set on failure.
    static func write(_ text: String, to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { closeKeepingErrno(descriptor) }
        return writeAll(text.utf8, to: descriptor)
    }

    static func writeAll(_ bytes: some Sequence<UInt8>, to descriptor: Int32) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                guard errno == EINTR else { return false }
            } else {
                rest = rest.dropFirst(count)
            }
        }
        return true
    }

    /// The names in a directory, sorted, without `.` and `..`; nil with `errno` set if it cannot be read.
    static func names(in path: String) -> [String]? { names(in: path) { _ in true } }

    /// The names of the directories in a directory, sorted; nil with `errno` set if it cannot be read. Uses the entry's
    /// type if the file system reports one. A cgroup has twenty files, and a `stat` for each takes longer than freezing
    /// the cgroup.
    static func directories(in path: String) -> [String]? {
        names(in: path) { entry in
            switch Int32(entry.pointee.d_type) {
            case Int32(DT_DIR): true
            case Int32(DT_UNKNOWN): isDirectory(path + "/" + name(of: entry))
            default: false
            }
        }
    }

    private static func names(in path: String, where isWanted: (UnsafeMutablePointer<dirent>) -> Bool) -> [String]? {
        guard let directory = opendir(path) else { return nil }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            guard isWanted(entry) else { continue }
            let name = name(of: entry)
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func closeKeepingErrno(_ descriptor: Int32) {
        let code = errno
        close(descriptor)
        errno = code
    }
}

/// The identity of a file, independent of its path.
struct FileIdentity: Hashable {
    let device: UInt64
    let inode: UInt64

    /// The identity of the file at this path, or of the link itself; nil if the path does not exist.
    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}
