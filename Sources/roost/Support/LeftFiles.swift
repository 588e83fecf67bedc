import Glibc
import LifeCycleModel
import Logging
import RoostLinux
import RoostPorts
import RoostStore

/// Repairs the files of apps before a system starts, so that they agree with the store.
///
/// An earlier run may have been interrupted between changing the files and changing the store, or the store was lost.
/// Files are deleted only if the store has recorded the removal of their app. Files of an app that the store does not
/// know are registered again, or moved to `lost+found-DATE`.
struct LeftFiles {
    /// A repair or a problem.
    struct Remark {
        let level: Logger.Level
        let text: String
        /// The subject, and its problem.
        var metadata: Logger.Metadata = [:]
    }

    /// The path of the state directory, which no other process may hold.
    private let state: String
    private let installer: BundleInstaller
    private let containers: Containers
    private let lostAndFound: LostAndFound

    /// The remarks so far.
    private(set) var remarks: [Remark] = []

    init(state: String) {
        self.state = state
        installer = BundleInstaller(directory: state + "/bundles", deleting: TreeRemoval.remove)
        containers = Containers(stateDirectory: state)
        lostAndFound = LostAndFound(stateDirectory: state)
    }

    /// SQLite's database, write-ahead log and shared memory.
    private static let storeFiles = ["store.db", "store.db-wal", "store.db-shm"]

    /// Moves a damaged store to lost+found.
    mutating func setAsideStore() throws(SystemError) { note(try lostAndFound.take(Self.storeFiles), "store") }

    /// Moves the write-ahead log of a missing or empty store to lost+found. SQLite would delete it.
    mutating func setAsideLogOfLostStore() throws(SystemError) {
        var status = stat()
        if lstat(state + "/store.db", &status) == 0, status.st_size > 0 || status.st_mode & S_IFMT != S_IFREG { return }
        guard lstat(state + "/store.db-wal", &status) == 0, status.st_size > 0 else { return }
        note(try lostAndFound.take(Array(Self.storeFiles.dropFirst())), "store")
    }

    /// Completes or undoes interrupted changes, and registers apps that the store does not know.
    mutating func tidyUp(_ store: SQLiteStore) throws {
        var apps = try store.apps()
        let recorded = Set(apps.map(\.manifest.identifier))
        try finishRemovals(store, recorded)
        try installer.recover { recorded.contains($0) || containers.hasContainer($0) }
        apps += try register(store, recorded)
        note(try lostAndFound.takeUnknown(keeping: Set(apps.map(\.manifest.identifier))), "files of an unknown app")
        for app in apps { compare(app.manifest) }
    }

    /// Deletes the files of apps whose recorded removal was not completed.
    private mutating func finishRemovals(_ store: SQLiteStore, _ recorded: Set<BundleIdentifier>) throws(SystemError) {
        for identifier in try store.removals() where !recorded.contains(identifier) {
            let app: Logger.Metadata = ["app": "\(identifier)"]
            do throws(SystemError) {
                try containers.remove(identifier)
                remark(.notice, "the removal of an app was finished", app)
            } catch {
                remark(.error, "cannot delete all files of a removed app", app, error)
                continue
            }
            try store.commit([.filesRemoved(identifier)])
        }
    }

    /// Registers apps that the store does not know, if their bundles are intact.
    private mutating func register(
        _ store: SQLiteStore, _ recorded: Set<BundleIdentifier>
    ) throws -> [AppRecord] {
        let removed = Set(try store.removals())
        var found: [AppRecord] = []
        for identifier in try installer.identifiers() where !recorded.contains(identifier) {
            // The app's removal failed in part, so its remaining files are not an app.
            if removed.contains(identifier) { continue }
            do throws(BundleError) {
                guard let bundle = try installer.bundle(of: identifier), bundle.manifest.identifier == identifier else {
                    continue
                }
                found.append(AppRecord(app: try number(store), manifest: bundle.manifest))
            } catch {
                remark(.warning, "cannot read an app's bundle", ["app": "\(identifier)"], error)
            }
        }
        for record in found { try containers.takeBack(record.manifest.identifier) }
        try store.commit(found.map { .record(.app($0)) })
        for record in found {
            remark(.notice, "an app was found again", ["app": "\(record.manifest.identifier)"])
        }
        return found
    }

    private func number(_ store: SQLiteStore) throws(BundleError) -> AppID {
        do throws(SystemError) {
            return try store.nextAppID()
        } catch {
            throw BundleError(.system, error.subject, errno: error.errno, "cannot \(error.doing): \(error.reason)")
        }
    }

    /// Compares a bundle with the store. The record in the store applies until the app is installed again.
    private mutating func compare(_ manifest: AppManifest) {
        let app: Logger.Metadata = ["app": "\(manifest.identifier)"]
        do throws(BundleError) {
            guard let bundle = try installer.bundle(of: manifest.identifier) else {
                return remark(.warning, "an app's bundle is gone", app)
            }
            guard bundle.manifest != manifest else { return }
            remark(
                .warning, "an app's bundle differs from the installed one: install it again",
                app.merging(["bundle": "\(bundle.path)"]) { $1 })
        } catch {
            remark(.warning, "cannot read an app's bundle", app, error)
        }
    }

    private mutating func note(_ finds: [LostAndFound.Find], _ what: String) {
        for find in finds {
            if let error = find.error {
                remark(.error, "cannot move \(what)", ["path": "\(find.path)"], error)
            } else {
                remark(.warning, "\(what) moved", ["path": "\(find.path)", "to": "\(find.place ?? "")"])
            }
        }
    }

    private mutating func remark(
        _ level: Logger.Level, _ text: String, _ metadata: Logger.Metadata, _ problem: (any Error)? = nil
    ) {
        let problem: Logger.Metadata = problem.map { ["problem": "\($0)"] } ?? [:]
        remarks.append(Remark(level: level, text: text, metadata: metadata.merging(problem) { $1 }))
    }

    /// Writes the remarks to the system's log.
    func log(to logger: Logger) {
        for remark in remarks { logger.log(level: remark.level, "\(remark.text)", metadata: remark.metadata) }
    }
}
