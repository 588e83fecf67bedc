import Glibc
import RoostLinux
import RoostPorts

/// A directory that goes when this value goes.
final class TemporaryDirectory {
    let path: String

    /// Where such directories are made: $TMPDIR, unless a socket in one would have too long a path, else /tmp.
    static var place: String {
        guard var named = LinuxProcesses.ownEnvironment["TMPDIR"], named.hasPrefix("/"), named.utf8.count <= 60 else {
            return "/tmp"
        }
        while named.count > 1, named.hasSuffix("/") { named.removeLast() }
        return named
    }

    /// Makes one whose name begins with `prefix`. Throws an exit code, the reason being said already.
    init(_ prefix: String) throws {
        let place = Self.place
        var template = Array("\(place)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure.failed("no directory could be made in \(place): \(String(cString: strerror(errno)))")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { remove() }

    /// Removes it with all that is in it; fine where it has gone.
    func remove() {
        do throws(SystemError) {
            try TreeRemoval.remove(path)
        } catch {
            writeError("roost: \(error)\n")
        }
    }
}
