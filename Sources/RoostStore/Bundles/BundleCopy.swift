internal import Glibc

/// One copy of a bundle, with the number of bytes and entries that the copy may still use.
struct BundleCopy {
    private var bytesLeft = BundleInstaller.Limits.bytes
    private var entriesLeft = BundleInstaller.Limits.entries

    /// Copies the bundle `source` to the new folder `target`, and waits until the copy is on disk.
    static func copy(_ source: String, to target: String) throws(BundleError) {
        var copy = BundleCopy()
        let from = try BundleError.reporting("open the bundle", source) { () throws(Errno) in
            try Descriptor(source, O_RDONLY | O_DIRECTORY)
        }
        let to = try BundleError.reporting("create a folder", target) { () throws(Errno) in
            _ = try Errno.retry { mkdir(target, 0o700) }
            return try Descriptor(target, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        }
        try copy.copyContents(of: from, at: source, depth: 0, to: to)
    }

    private mutating func copyContents(
        of source: borrowing Descriptor, at path: String, depth: Int, to target: borrowing Descriptor
    ) throws(BundleError) {
        let names = try BundleError.reporting("read a folder", path) { () throws(Errno) in
            try FileTree.names(in: source)
        }
        for name in names {
            try copyEntry(name, of: source, at: path + "/" + FileTree.text(name), depth: depth, to: target)
        }
        try BundleError.reporting("copy a folder", path) { () throws(Errno) in
            // The owner must be able to delete the contents later.
            let mode = try source.status().st_mode & 0o777 | 0o700
            _ = try Errno.retry { fchmod(target.rawValue, mode) }
            try target.synchronize()
        }
    }

    private mutating func copyEntry(
        _ name: FileTree.Name, of source: borrowing Descriptor, at path: String, depth: Int,
        to target: borrowing Descriptor
    ) throws(BundleError) {
        guard entriesLeft > 0 else {
            throw BundleError(
                .tooLarge, path, "the bundle holds more than \(BundleInstaller.Limits.entries) files and folders")
        }
        entriesLeft -= 1
        let status = try BundleError.reporting("read the status of a file", path) { () throws(Errno) in
            var status = stat()
            _ = try Errno.retry { fstatat(source.rawValue, name, &status, AT_SYMLINK_NOFOLLOW) }
            return status
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: try copyFolder(name, of: source, at: path, depth: depth + 1, to: target)
        case S_IFREG: try copyFile(name, of: source, at: path, to: target)
        case S_IFLNK: try copyLink(name, of: source, at: path, depth: depth, to: target)
        default:
            throw BundleError(
                .unsafeContent, path, "it is a pipe, socket or device, which cannot be installed: remove it")
        }
    }

    private mutating func copyFolder(
        _ name: FileTree.Name, of source: borrowing Descriptor, at path: String, depth: Int,
        to target: borrowing Descriptor
    ) throws(BundleError) {
        guard depth <= BundleInstaller.Limits.depth else {
            throw BundleError(.tooLarge, path, "folders are more than \(BundleInstaller.Limits.depth) deep")
        }
        let from = try BundleError.reporting("open a folder", path) { () throws(Errno) in
            try Descriptor(name, in: source.rawValue, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        }
        let to = try BundleError.reporting("copy a folder", path) { () throws(Errno) in
            _ = try Errno.retry { mkdirat(target.rawValue, name, 0o700) }
            return try Descriptor(name, in: target.rawValue, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        }
        try copyContents(of: from, at: path, depth: depth, to: to)
    }

    private mutating func copyFile(
        _ name: FileTree.Name, of source: borrowing Descriptor, at path: String, to target: borrowing Descriptor
    ) throws(BundleError) {
        let bytes = bytesLeft
        let left = try BundleError.reporting("copy a file", path) { () throws(Errno) -> Int64 in
            let from = try Descriptor(name, in: source.rawValue, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            // Check the length before writing: a sparse file may be longer than any disk.
            let size = try Int64(from.status().st_size)
            guard size <= bytes else { return bytes - size }
            let to = try Descriptor(name, in: target.rawValue, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
            var offset: Int64 = 0
            while bytes >= offset {
                let chunk = try from.read(at: offset, count: 1 << 18)
                if chunk.isEmpty { break }
                try to.write(chunk)
                offset += Int64(chunk.count)
            }
            // Drop set-uid and set-gid. Otherwise a copied program would run with the rights of the user who installs
            // it.
            let mode = try from.status().st_mode & 0o777
            _ = try Errno.retry { fchmod(to.rawValue, mode) }
            try to.synchronize()
            return bytes - offset
        }
        guard left >= 0 else {
            throw BundleError(
                .tooLarge, path, "the bundle is larger than \(BundleInstaller.Limits.bytes >> 30) GiB")
        }
        bytesLeft = left
    }

    private func copyLink(
        _ name: FileTree.Name, of source: borrowing Descriptor, at path: String, depth: Int,
        to target: borrowing Descriptor
    ) throws(BundleError) {
        let destination = try BundleError.reporting("read a symbolic link", path) { () throws(Errno) in
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let count = try Errno.retry { readlinkat(source.rawValue, name, &buffer, Int(PATH_MAX)) }
            return Array(buffer[..<count]) + [0]
        }
        guard Self.staysInside(destination.dropLast().map { UInt8(bitPattern: $0) }, depth: depth) else {
            throw BundleError(
                .unsafeContent, path,
                "the symbolic link leads to \(FileTree.text(destination)), which is or may be outside the bundle: "
                    + "remove it, or let it lead to a file in the bundle by a relative path")
        }
        try BundleError.reporting("copy a symbolic link", path) { () throws(Errno) in
            _ = try Errno.retry { symlinkat(destination, target.rawValue, name) }
        }
    }

    /// Whether the target of a link stays in the bundle. `depth` is the number of folders between bundle and link.
    ///
    /// `..` is accepted only at the start, where it leaves real folders. After a name, `..` would start from the target
    /// of another link, so a chain of links could lead out of the bundle.
    static func staysInside(_ destination: [UInt8], depth: Int) -> Bool {
        guard let first = destination.first, first != UInt8(ascii: "/") else { return false }
        var ups = 0
        var hasNames = false
        for part in destination.split(separator: UInt8(ascii: "/")) {
            if part.elementsEqual("..".utf8) {
                if hasNames { return false }
                ups += 1
            } else if !part.elementsEqual(".".utf8) {
                hasNames = true
            }
        }
        return ups <= depth
    }
}
