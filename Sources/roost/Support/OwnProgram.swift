import Glibc

/// The file of this program, and of the programs that are installed beside it.
enum OwnProgram {
    /// Its path; the kernel's link to it if the path cannot be read.
    static var path: String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : "/proc/self/exe"
    }

    /// The path of another program in the same directory.
    static func beside(_ name: String) -> String {
        (path.lastIndex(of: "/").map { String(path[...$0]) } ?? "") + name
    }

    /// A descriptor of the file, which an executed program inherits; -1 if none is left. Its number is above those that
    /// children get passed.
    static func descriptor() -> Int32 {
        let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        return fcntl(file, F_DUPFD, 10)
    }
}
