internal import CRoost
internal import Glibc
internal import RoostPorts

/// The identity of a state directory, by which a copy differs from the original.
///
/// The identity consists of the directory's inode number and the filesystem. A filesystem is identified by its UUID.
/// Without a UUID, the device number identifies it, but only within one boot.
struct DirectoryIdentity: Hashable {
    enum Filesystem: Hashable {
        /// A name that the filesystem keeps across boots.
        case named(String)
        case device(UInt64, boot: String)
    }

    let inode: UInt64
    let filesystem: Filesystem
    /// The directory's path when the identity was noted.
    let path: String

    /// The file in a state directory with the identity of the directory that its system id was created for.
    private static let file = "/directory-id"

    /// Reads the identity from the kernel. Throws if the directory cannot be opened.
    init(of path: String) throws(SystemError) {
        let doing = "read the status of the state directory"
        do throws(Errno) {
            let directory = try Descriptor(path, O_RDONLY | O_DIRECTORY)
            let status = try directory.status()
            inode = UInt64(status.st_ino)
            if let name = Self.name(ofFilesystemOf: directory.rawValue) {
                filesystem = .named(name)
            } else {
                let boot = try? SmallFile.read("/proc/sys/kernel/random/boot_id")
                filesystem = .device(UInt64(status.st_dev), boot: boot ?? "")
            }
        } catch {
            throw SystemError.of(error.number, doing, path)
        }
        self.path = path
    }

    /// The identity that is noted in the state directory at `path`; nil if it is missing or malformed.
    init?(notedIn path: String) throws(SystemError) {
        guard let text = try SmallFile.read(path + Self.file) else { return nil }
        let fields = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, let inode = UInt64(fields[0]) else { return nil }
        let filesystem = fields[1].split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        if filesystem.count == 3, filesystem[0] == "device", let device = UInt64(filesystem[1]) {
            self.filesystem = .device(device, boot: String(filesystem[2]))
        } else if filesystem.count == 2 {
            self.filesystem = .named(String(fields[1]))
        } else {
            return nil
        }
        self.inode = inode
        self.path = String(fields[2])
    }

    /// Writes the identity into the state directory at `path`, unless the file already has the same text.
    func note(in path: String) throws(SystemError) {
        // Only `restore` needs the path, and the file must be short enough to be read back.
        let shown = self.path.utf8.count < 3_000 && !self.path.utf8.contains(UInt8(ascii: "\n")) ? self.path : ""
        let text = "\(inode) \(filesystem) \(shown)"
        guard try SmallFile.read(path + Self.file) != text else { return }
        try SmallFile.write(text, to: path + Self.file, in: path)
    }

    /// Whether both may be the same directory, by the known parts of the identities.
    func isSame(as other: DirectoryIdentity) -> Bool {
        guard inode == other.inode else { return false }
        switch (filesystem, other.filesystem) {
        case (.named(let name), .named(let otherName)): return name == otherName
        case (.device(let device, let boot), .device(let otherDevice, let otherBoot)):
            return boot != otherBoot || device == otherDevice
        // Another kernel may report a UUID for the same filesystem, or no UUID.
        case (.named, .device), (.device, .named): return true
        }
    }

    /// The name that a filesystem keeps across boots; nil if the filesystem has no name.
    private static func name(ofFilesystemOf directory: Int32) -> String? {
        var name = [CChar](repeating: 0, count: 64)
        guard croost_filesystem_name(directory, &name, name.count) == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension DirectoryIdentity.Filesystem: CustomStringConvertible {
    var description: String {
        switch self {
        case .named(let name): name
        case .device(let number, let boot): "device:\(number):\(boot)"
        }
    }
}
