internal import Glibc
internal import LifeCycleModel

/// The user database of one app: the machine's, plus an entry for the app's own uid and gid.
///
/// Programs look up their own uid, and many exit if it is unknown. The files replace `/etc/passwd` and `/etc/group`
/// only in the app's mount namespace.
struct UserEntry {
    let passwd: String
    let group: String

    /// Writes the files into `directory`, which is created if it is missing. Nil on failure; an app can run without the
    /// entry.
    init?(app: AppID, user: UInt32, home: String, in directory: String) {
        let name = "roost-\(app.rawValue)"
        passwd = "\(directory)/passwd.\(app.rawValue)"
        group = "\(directory)/group.\(app.rawValue)"
        // A path that contains a separator would create another entry.
        let home = home.utf8.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "\n") } ? "/" : home
        guard mkdir(directory, 0o755) == 0 || errno == EEXIST,
            Self.write("\(name):x:\(user):\(user)::\(home):/bin/sh\n", after: "/etc/passwd", to: passwd),
            Self.write("\(name):x:\(user):\n", after: "/etc/group", to: group)
        else { return nil }
    }

    /// Writes a new file: an earlier launch may still have the old file mounted, and keeps it.
    private static func write(_ line: String, after machines: String, to path: String) -> Bool {
        guard var text = Files.text(machines) else { return false }
        if let last = text.utf8.last, last != UInt8(ascii: "\n") { text += "\n" }
        unlink(path)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { return false }
        defer { close(file) }
        return fchmod(file, 0o644) == 0 && Files.writeAll((text + line).utf8, to: file)
    }
}
