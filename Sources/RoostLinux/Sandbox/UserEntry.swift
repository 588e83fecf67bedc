internal import Glibc
internal import LifeCycleModel

/// The user database as one app finds it: the machine's, with an entry for the app's own uid and gid.
///
/// Programs ask who they are by their uid, and many end if there is no answer. The files take the place of `/etc/passwd`
/// and `/etc/group` in the app's mount namespace alone.
struct UserEntry {
    let passwd: String
    let group: String

    /// Writes the files into `directory`, which is made if it is missing; nil if that failed: an app can do without.
    init?(app: AppID, user: UInt32, home: String, in directory: String) {
        let name = "roost-\(app.rawValue)"
        passwd = "\(directory)/passwd.\(app.rawValue)"
        group = "\(directory)/group.\(app.rawValue)"
        // A path with one of the fields' ends in it would be another entry.
        let home = home.utf8.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "\n") } ? "/" : home
        guard mkdir(directory, 0o755) == 0 || errno == EEXIST,
            Self.write("\(name):x:\(user):\(user)::\(home):/bin/sh\n", after: "/etc/passwd", to: passwd),
            Self.write("\(name):x:\(user):\n", after: "/etc/group", to: group)
        else { return nil }
    }

    /// A former launch may still have the old file in its place: it keeps that.
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
