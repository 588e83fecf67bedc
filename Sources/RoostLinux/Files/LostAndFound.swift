internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// The directory `lost+found-DATE` in a state directory, for files that belong to no known app.
///
/// These files would otherwise block the next installation, or give it the private data of another app. They are moved,
/// never deleted. Only the system's own user can enter the directory.
public struct LostAndFound {
    /// A file or directory that was moved, or could not be moved.
    public struct Find: Hashable, Sendable {
        /// The old path.
        public let path: String
        /// The new path; nil if the file could not be moved.
        public let place: String?
        /// Why the file could not be moved; nil if it was moved.
        public let error: SystemError?
    }

    private let stateDirectory: String
    private let name: String

    /// Today's directory, by UTC, in the state directory `stateDirectory`. Creates nothing.
    public init(stateDirectory: String) {
        var now = time(nil)
        var date = tm()
        gmtime_r(&now, &date)
        let numbers = [Int(date.tm_year) + 1900, Int(date.tm_mon) + 1, Int(date.tm_mday)]
        name = "lost+found-" + numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
        self.stateDirectory = stateDirectory
    }

    /// Moves bundles, containers and logs whose names are identifiers of apps not in `known`. Follows no symbolic link.
    /// Files with other names are not ours and stay.
    public func takeUnknown(keeping known: Set<BundleIdentifier>) throws(SystemError) -> [Find] {
        var finds: [Find] = []
        for (folder, suffixes) in [("bundles", [""]), ("containers", [""]), ("logs", Containers.logSuffixes)] {
            let path = stateDirectory + "/" + folder
            let directory = try Directories.open(path)
            defer { close(directory) }
            let names = try Directories.names(in: directory, path: path).map(Directories.text)
            for name in names where Self.isUnknown(name, suffixes: suffixes, known: known) {
                finds.append(take(name, from: folder, directory))
            }
        }
        return finds
    }

    /// Moves files of the state directory itself. Skips names that do not exist.
    public func take(_ names: [String]) throws(SystemError) -> [Find] {
        let directory = try Directories.open(stateDirectory)
        defer { close(directory) }
        var finds: [Find] = []
        for name in names where faccessat(directory, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 {
            finds.append(take(name, from: nil, directory))
        }
        return finds
    }

    private static func isUnknown(_ name: String, suffixes: [String], known: Set<BundleIdentifier>) -> Bool {
        for suffix in suffixes where name.hasSuffix(suffix) {
            if let identifier = BundleIdentifier(String(name.dropLast(suffix.count))) {
                return !known.contains(identifier)
            }
        }
        return false
    }

    private func take(_ name: String, from folder: String?, _ directory: Int32) -> Find {
        let path = ([stateDirectory] + [folder, name].compactMap(\.self)).joined(separator: "/")
        do throws(SystemError) {
            return Find(path: path, place: try move(name, from: folder, directory, path), error: nil)
        } catch {
            return Find(path: path, place: nil, error: error)
        }
    }

    /// Moves a file under its own name, followed by a number if the name is taken. Returns the new path.
    private func move(
        _ name: String, from folder: String?, _ directory: Int32, _ path: String
    ) throws(SystemError) -> String {
        var place = stateDirectory
        var target = try Directories.open(stateDirectory)
        defer { close(target) }
        for part in [self.name, folder].compactMap(\.self) {
            place += "/" + part
            let next = try Directories.open(part, in: target, makingItWith: 0o700, path: place)
            close(target)
            target = next
        }
        for number in 1...10_000 {
            let fresh = number == 1 ? name : "\(name)-\(number)"
            // Renaming a directory would replace an empty one.
            if faccessat(target, fresh, F_OK, AT_SYMLINK_NOFOLLOW) == 0 { continue }
            guard renameat(directory, name, target, fresh) == 0 else {
                throw .now("move a file of an unknown app", path)
            }
            return place + "/" + fresh
        }
        throw SystemError(
            doing: "move a file of an unknown app", subject: path, errno: EEXIST, reason: "\(place) is full: empty it")
    }
}
