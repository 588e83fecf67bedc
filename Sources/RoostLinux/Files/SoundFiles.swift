internal import Glibc
public import LifeCycleModel
internal import SoundHeaders

/// Finds a notification's sound among an app's files, and reads its header.
public enum SoundFiles {
    /// Examines the file with this name in the first directory that has one. A name with a path is rejected. Symbolic
    /// links are not followed: an app could make the system read files that the app itself may not read.
    public static func examine(_ name: String, in directories: [String]) -> SoundFile {
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0), name != ".", name != ".."
        else { return .missing }
        for directory in directories {
            let file = open(directory + "/" + name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard file >= 0 else { continue }
            defer { close(file) }
            return examine(file)
        }
        return .missing
    }

    private static func examine(_ file: Int32) -> SoundFile {
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return .unreadable }
        var bytes = [UInt8](repeating: 0, count: SoundHeader.longest)
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                read(file, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
            }
            guard count >= 0 else { return .unreadable }
            if count == 0 { break }
            filled += count
        }
        return SoundHeader.read(Array(bytes.prefix(filled)), size: Int64(facts.st_size))
    }
}
