import Glibc
import RoostLinux
import RoostPorts

/// A directory that is removed together with this value.
final class TemporaryDirectory {
    let path: String

    /// The parent of temporary directories: $TMPDIR, or /tmp if a socket's path in $TMPDIR would be too long.
    static var place: String {
        guard var named = LinuxProcesses.ownEnvironment["TMPDIR"], named.hasPrefix("/"), named.utf8.count <= 60 else {
            return "/tmp"
        }
        while named.count > 1, named.hasSuffix("/") { named.removeLast() }
        return named
    }

    /// Creates a directory whose name begins with `prefix`. Throws an exit code after printing the error.
    init(_ prefix: String) throws {
        let place = Self.place
        var template = Array("\(place)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure.failed("no directory could be made in \(place): \(String(cString: strerror(errno)))")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { remove() }

    /// Removes the directory and its content; does nothing if the directory has gone.
    func remove() {
        do throws(SystemError) {
            try TreeRemoval.remove(path)
        } catch {
            writeError("roost: \(error)\n")
        }
    }
}
