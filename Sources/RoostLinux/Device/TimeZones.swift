internal import CRoost
internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// The machine's time zones, from tzdata's files, and its own zone, the target of `/etc/localtime`.
public final class TimeZones: ZoneWatch {
    /// Readable when the target of `/etc/localtime` may have changed; nil if changes cannot be watched.
    public let descriptor: Int32?
    /// Why changes of the zone cannot be watched; nil if the watch works.
    public let limitation: SystemError?

    private let root: String
    private let link: String

    /// The zones below `root`; the device's own zone is the target of `link`. If `link` cannot be watched, `limitation`
    /// says why.
    public init(root: String = "/usr/share/zoneinfo", link: String = "/etc/localtime") {
        self.root = root
        self.link = link
        do throws(SystemError) {
            descriptor = try Self.watch(link)
            limitation = nil
        } catch {
            descriptor = nil
            limitation = error
        }
    }

    private static func watch(_ link: String) throws(SystemError) -> Int32 {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else {
            throw SystemError(doing: "watch the time zone", subject: link, errno: errno)
        }
        // The link is usually replaced, not written. Watching its directory reports both.
        let directory = link.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        let events = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_DELETE)
        guard inotify_add_watch(descriptor, directory.isEmpty ? "/" : directory, events) >= 0 else {
            let code = errno
            close(descriptor)
            throw SystemError(doing: "watch the time zone", subject: link, errno: code)
        }
        return descriptor
    }

    deinit { if let descriptor { close(descriptor) } }

    /// The device's own zone; UTC if the link's target is not a zone file.
    public func localZone() -> (name: String, rules: ZoneRules) {
        drain()
        guard let bytes = Self.bytes(of: link), let rules = ZoneFile.rules(in: bytes) else { return ("UTC", .utc) }
        return (name ?? "local", rules)
    }

    /// Reads the zone's file, or computes a fixed offset. Nil if the zone does not exist.
    public func rules(of name: String) -> ZoneRules? {
        if let fixed = ZoneRules(fixedOffset: name) { return fixed }
        guard Self.isName(name) else { return nil }
        // Both zones exist without tzdata, too; Foundation's default zone is then one of them.
        if name == "UTC" || name == "GMT" { return .utc }
        return Self.bytes(of: root + "/" + name).flatMap { ZoneFile.rules(in: $0) }
    }

    /// Whether a name stays inside the directory. A valid name consists of parts separated by slashes, with letters and
    /// the other characters of zone names. No part begins with a full stop.
    static func isName(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return name.utf8.count <= 255
            && parts.allSatisfy { part in
                guard let first = part.first, first != UInt8(ascii: ".") else { return false }
                return part.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                        UInt8(ascii: "+"), UInt8(ascii: "."):
                        true
                    default: false
                    }
                }
            }
    }

    /// The zone name of the link's target; nil if the target is outside `root`.
    private var name: String? {
        guard let resolved = realpath(link, nil), let real = realpath(root, nil) else { return nil }
        defer {
            free(resolved)
            free(real)
        }
        let (path, root) = (String(cString: resolved), String(cString: real) + "/")
        return path.hasPrefix(root) ? String(path.dropFirst(root.count)) : nil
    }

    private func drain() {
        guard let descriptor else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }

    private static func bytes(of path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
            (1...Int64(ZoneFile.longest)).contains(Int64(facts.st_size))
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                read(file, $0.baseAddress?.advanced(by: filled), $0.count - filled)
            }
            guard count > 0 else { return nil }
            filled += count
        }
        return bytes
    }
}
