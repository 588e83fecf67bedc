internal import CRoost
internal import Glibc
internal import RoostPorts

/// The Landlock rules of one app: it may read the machine's files but not users' files, run its bundle, and write in
/// its container.
struct LandlockRules {
    /// Landlock's rights, with the bits of `<linux/landlock.h>`.
    struct Rights: OptionSet {
        let rawValue: UInt64

        static let execute = Rights(rawValue: 1 << 0)
        static let writeFile = Rights(rawValue: 1 << 1)
        static let readFile = Rights(rawValue: 1 << 2)
        static let readDirectory = Rights(rawValue: 1 << 3)
        static let makeCharacterDevice = Rights(rawValue: 1 << 6)
        static let makeBlockDevice = Rights(rawValue: 1 << 11)
        static let refer = Rights(rawValue: 1 << 13)
        static let truncate = Rights(rawValue: 1 << 14)
        static let deviceControl = Rights(rawValue: 1 << 15)

        /// The rights that a rule for a single file may have.
        static let ofFiles: Rights = [.execute, .writeFile, .readFile, .truncate, .deviceControl]
        static let reading: Rights = [.execute, .readFile, .readDirectory]
        static let devices: Rights = [.readFile, .writeFile, .truncate, .deviceControl]

        /// All rights that version `abi` of the interface knows.
        static func known(to abi: Int32) -> Rights {
            switch abi {
            case ..<2: Rights(rawValue: (1 << 13) - 1)
            case 2: Rights(rawValue: (1 << 14) - 1)
            case 3, 4: Rights(rawValue: (1 << 15) - 1)
            default: Rights(rawValue: (1 << 16) - 1)
            }
        }
    }

    let abi: Int32
    let hidden: [String]
    let readable: [String]

    /// The devices that every program expects in `/dev`.
    static let devices = ["null", "zero", "full", "random", "urandom", "tty"]
    /// Abstract sockets and signals reach only the app's own processes.
    private static let scopes: UInt64 = 0b11

    /// Creates the ruleset, which the caller closes.
    func ruleset(container: String, bundle: String) throws(SystemError) -> Int32 {
        let known = Rights.known(to: abi)
        var ruleset: Int32 = -1
        let code = croost_landlock_create(known.rawValue, abi >= 6 ? Self.scopes : 0, &ruleset)
        guard code == 0 else { throw SystemError(doing: "create Landlock's rules", subject: container, errno: code) }
        do throws(SystemError) {
            // All rights but two are safe in the container: set-uid programs there have no effect, and device files
            // cannot be created.
            let own = known.subtracting([.makeCharacterDevice, .makeBlockDevice])
            try allow(own, below: container, in: ruleset, isNeeded: true)
            try allow(.reading, below: bundle, in: ruleset, isNeeded: true)
            for device in Self.devices { try allow(.devices, below: "/dev/" + device, in: ruleset) }
            for path in readable { try allow(.reading, below: Sandbox.realPath(path) ?? path, in: ruleset) }
            for path in Self.openPlaces(below: "/", except: hidden) { try allow(.reading, below: path, in: ruleset) }
        } catch {
            close(ruleset)
            throw error
        }
        return ruleset
    }

    private func allow(
        _ rights: Rights, below path: String, in ruleset: Int32, isNeeded: Bool = false
    ) throws(SystemError) {
        var rights = rights.intersection(.known(to: abi))
        if !Files.isDirectory(path) { rights.formIntersection(.ofFiles) }
        let code = croost_landlock_allow(ruleset, path, rights.rawValue)
        // A path that does not exist, or no longer exists, needs no rule.
        guard code == 0 || !isNeeded else {
            throw SystemError(doing: "create Landlock's rules", subject: path, errno: code)
        }
    }

    /// The fewest paths below `directory` that together cover everything except `hidden`. Landlock can only allow, so
    /// to hide a path, all its siblings must be allowed instead.
    static func openPlaces(below directory: String, except hidden: [String]) -> [String] {
        if !hidden.contains(where: { $0 == directory || $0.hasPrefix(directory == "/" ? "/" : directory + "/") }) {
            return [directory]
        }
        guard !hidden.contains(directory) else { return [] }
        return (Files.names(in: directory) ?? []).flatMap { name -> [String] in
            let path = (directory == "/" ? "" : directory) + "/" + name
            var status = stat()
            // A link needs no rule: its target has its own rule, or is hidden.
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { return [] }
            return openPlaces(below: path, except: hidden)
        }
    }
}
