internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// Bundles, containers and logs of apps the store does not know.
///
/// A run of the system that was cut off between copying a bundle in and keeping its record, or between forgetting
/// an app and deleting its files, leaves such. They would be in the way of the next installation, and hand it the
/// private data of an app that is gone.
public struct StrayFiles {
    /// One bundle, container or log that was deleted, or would not go.
    public struct Removal: Hashable, Sendable {
        /// Where it is or was.
        public let path: String
        /// Why it is still there, or some of it; nil if it is gone.
        public let error: SystemError?
    }

    private let stateDirectory: String

    /// Those below the state directory `stateDirectory`.
    public init(stateDirectory: String) { self.stateDirectory = stateDirectory }

    /// Deletes what belongs to none of `known`, following no symbolic link, and gives what that was. For the start of
    /// a system, which holds the directory. What is not named for an app is not ours, and stays.
    public func remove(keeping known: Set<BundleIdentifier>) throws(SystemError) -> [Removal] {
        var removals: [Removal] = []
        for (folder, suffixes) in [("bundles", [""]), ("containers", [""]), ("logs", Containers.logSuffixes)] {
            let path = stateDirectory + "/" + folder
            let directory = try Directories.open(path)
            defer { close(directory) }
            let names = try Directories.names(in: directory, path: path).map(Directories.text)
            for name in names where Self.isStray(name, suffixes: suffixes, known: known) {
                removals.append(Self.remove(name, in: directory, path: path + "/" + name))
            }
        }
        return removals
    }

    /// Whether a name is an app's that is not known, with one of the suffixes.
    private static func isStray(_ name: String, suffixes: [String], known: Set<BundleIdentifier>) -> Bool {
        for suffix in suffixes where name.hasSuffix(suffix) {
            if let identifier = BundleIdentifier(String(name.dropLast(suffix.count))) {
                return !known.contains(identifier)
            }
        }
        return false
    }

    private static func remove(_ name: String, in directory: Int32, path: String) -> Removal {
        do throws(SystemError) {
            try TreeRemoval.remove(name, in: directory, path: path)
            return Removal(path: path, error: nil)
        } catch {
            return Removal(path: path, error: error)
        }
    }
}
