internal import CRoost
internal import Glibc
internal import RoostPorts

/// Which directory a state directory is, so that a copy of it is told from the original.
///
/// An inode's number says which directory of a filesystem it is. The filesystem is known by its UUID, or, if it tells
/// none, by its device number, which means something within one boot only.
struct DirectoryIdentity: Hashable {
    enum Filesystem: Hashable {
        /// A name that the filesystem keeps from boot to boot.
        case named(String)
        case device(UInt64, boot: String)
    }

    let inode: UInt64
    let filesystem: Filesystem
    /// Where the directory was when this was noted.
    let path: String

    /// The file in a state directory that says which directory its id was drawn for.
    private static let file = "/directory-id"

    /// That of the directory at `path`.
    init(of path: String) throws(SystemError) {
        let doing = "look at the state directory"
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

    /// That which is noted in the state directory at `path`; nil if nothing is, or nothing that makes sense.
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

    /// Notes it in the state directory at `path`, unless it is noted there already.
    func note(in path: String) throws(SystemError) {
        // Nothing but `restore` needs the path, and a file that is read has to be short.
        let shown = self.path.utf8.count < 3_000 && !self.path.utf8.contains(UInt8(ascii: "\n")) ? self.path : ""
        let text = "\(inode) \(filesystem) \(shown)"
        guard try SmallFile.read(path + Self.file) != text else { return }
        try SmallFile.write(text, to: path + Self.file, in: path)
    }

    /// Whether both are the same directory, as far as can be told.
    func isSame(as other: DirectoryIdentity) -> Bool {
        guard inode == other.inode else { return false }
        switch (filesystem, other.filesystem) {
        case (.named(let name), .named(let otherName)): return name == otherName
        case (.device(let device, let boot), .device(let otherDevice, let otherBoot)):
            return boot != otherBoot || device == otherDevice
        // Another kernel may tell more of the same filesystem.
        case (.named, .device), (.device, .named): return true
        }
    }

    /// The name a filesystem keeps from boot to boot; nil if it tells none.
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
