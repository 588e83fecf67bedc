internal import Glibc

/// Folder listings. Names are bytes, because a file name need not be valid UTF-8.
enum FileTree {
    /// A file's name, including the NUL at its end.
    typealias Name = [CChar]

    /// The names in a folder, without `.` and `..`, sorted.
    static func names(in directory: borrowing Descriptor) throws(Errno) -> [Name] {
        // Reading a folder moves the offset, so use a separate descriptor.
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
            // A stored property of a C struct has an offset.
            let start = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
            let text = start.assumingMemoryBound(to: CChar.self)
            let name = Name(UnsafeBufferPointer(start: text, count: strlen(text) + 1))
            if name != [46, 0], name != [46, 46, 0] { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw Errno(number: errno) }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The name for display.
    static func text(_ name: Name) -> String {
        String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
