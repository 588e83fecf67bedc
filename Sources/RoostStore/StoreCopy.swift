internal import Glibc
internal import RoostPorts

/// A copy of a store in its own directory, for reading without side effects.
struct StoreCopy {
    /// The path of the copied database file.
    let path: String
    private let directory: String

    /// Copies the store at `source`, with its log; nil if no store exists. The log may be missing.
    init?(of source: String) throws(SystemError) {
        let directory = try Self.makeDirectory()
        self.directory = directory
        path = directory + "/store.db"
        do throws(SystemError) {
            guard try Self.copy(source, to: path) else {
                remove()
                return nil
            }
            _ = try Self.copy(source + "-wal", to: path + "-wal")
        } catch {
            remove()
            throw error
        }
    }

    /// Deletes the copied files and their directory.
    func remove() {
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        rmdir(directory)
    }

    /// A directory that only this user can enter: the store holds the tokens by which apps prove their identity.
    private static func makeDirectory() throws(SystemError) -> String {
        let prefix = "/tmp/roost-store-"
        var template = Array((prefix + "XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.of(errno, "create a folder", prefix) }
        return FileTree.text(template)
    }

    /// Copies a file; false if the file does not exist.
    private static func copy(_ source: String, to target: String) throws(SystemError) -> Bool {
        do throws(Errno) {
            let from = try Descriptor(source, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            let to = try Descriptor(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
            var offset: Int64 = 0
            while true {
                let chunk = try from.read(at: offset, count: 1 << 18)
                if chunk.isEmpty { return true }
                try to.write(chunk)
                offset += Int64(chunk.count)
            }
        } catch {
            if error.number == ENOENT { return false }
            throw SystemError.of(error.number, "read the store", source)
        }
    }
}
