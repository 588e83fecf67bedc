internal import Glibc
internal import RoostPorts

/// Folders with all that is in them. No symbolic link is ever followed, and names are bytes: a file's name need not
/// be valid UTF-8.
enum FileTree {
    /// A file's name, with the NUL at its end.
    typealias Name = [CChar]

    /// The names in a folder, without `.` and `..`, sorted.
    static func names(in directory: borrowing Descriptor) throws(Errno) -> [Name] {
        // A descriptor of its own, because reading a folder moves its offset.
        let copy = try Errno.retry { openat(directory.rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard let stream = fdopendir(copy) else {
            let number = errno
            close(copy)
            throw Errno(number: number)
        }
        defer { closedir(stream) }
        var names: [Name] = []
        errno = 0
        while let entry = readdir(stream) {
            let start = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
            let text = start.assumingMemoryBound(to: CChar.self)
            let name = Name(UnsafeBufferPointer(start: text, count: strlen(text) + 1))
            if name != [46, 0], name != [46, 46, 0] { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw Errno(number: errno) }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The name for people to read.
    static func text(_ name: Name) -> String {
        String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes a file, or a folder with all that is in it. That it is missing already is fine.
    ///
    /// Folders below are moved up to the first one and emptied there, so that neither the stack nor the open files
    /// grow with their depth: what an app makes in its folders is nobody's promise.
    static func remove(_ path: String) throws(SystemError) {
        do throws(Errno) {
            let top: Descriptor
            do throws(Errno) {
                top = try Descriptor(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
            } catch {
                if error.number == ENOENT { return }
                guard error.number == ENOTDIR || error.number == ELOOP else { throw error }
                _ = try Errno.retry { unlink(path) }
                return
            }
            var moved = 0
            while true {
                let names = try names(in: top)
                if names.isEmpty { break }
                for name in names where try !removeShallow(name, in: top) {
                    try flatten(name, in: top, moved: &moved)
                }
            }
            _ = try Errno.retry { rmdir(path) }
        } catch {
            throw SystemError.of(error.number, "remove a folder", path)
        }
    }

    /// Removes what is not a folder, or an empty folder; false for a folder with something in it.
    private static func removeShallow(_ name: Name, in directory: borrowing Descriptor) throws(Errno) -> Bool {
        if unlinkat(directory.rawValue, name, 0) == 0 { return true }
        guard errno == EISDIR || errno == EPERM else { throw Errno(number: errno) }
        if unlinkat(directory.rawValue, name, AT_REMOVEDIR) == 0 { return true }
        guard errno == ENOTEMPTY || errno == EEXIST else { throw Errno(number: errno) }
        return false
    }

    /// Empties the folder `name` of `top`, its folders with content being moved to `top`, and removes it.
    private static func flatten(_ name: Name, in top: borrowing Descriptor, moved: inout Int) throws(Errno) {
        let folder = try Descriptor(name, in: top.rawValue, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        _ = try Errno.retry { fchmod(folder.rawValue, 0o700) }
        for child in try names(in: folder) where try !removeShallow(child, in: folder) {
            while renameat(folder.rawValue, child, top.rawValue, ".removed-\(moved)") != 0 {
                guard errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR else { throw Errno(number: errno) }
                moved += 1
            }
            moved += 1
        }
        _ = try removeShallow(name, in: top)
    }
}
