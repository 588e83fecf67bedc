internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// Installs app bundles, and finds them.
///
/// An app's bundle lies in `<bundles>/<identifier>/Name.app`. A new bundle is built next to that place and moved there
/// in one step, so a failure at any point leaves the old state. The calls block on the disk. The calls store nothing in
/// memory and may run on any thread, one at a time per app.
public struct BundleInstaller: Sendable {
    /// The maximum size of a bundle. No real app is larger than the limits, and a larger bundle is refused before it
    /// fills the disk.
    public enum Limits {
        /// The size of all files together, in bytes: 4 GiB.
        public static let bytes: Int64 = 4 << 30
        /// The number of files and folders.
        public static let entries = 100_000
        /// The depth of nested folders.
        public static let depth = 64
    }

    /// The directory that holds the bundles.
    public let directory: String

    /// Deletes a folder and its contents.
    private let delete: @Sendable (String) throws(SystemError) -> Void

    /// An installer into `directory`, which must exist: `StateDirectory.bundles`. `deleting` deletes a folder that an
    /// app may have filled, so it must not follow symbolic links.
    public init(directory: String, deleting delete: @escaping @Sendable (String) throws(SystemError) -> Void) {
        self.directory = directory
        self.delete = delete
    }

    /// Checks the bundle at `path` and copies it into place. File modes are preserved except set-uid and set-gid.
    /// Symbolic links are preserved if their targets are in the bundle. An installed app is replaced only if
    /// `replacing` is true.
    ///
    /// An app whose executable lacks RoostKit's note is an adopted app. The returned manifest says so; the copied
    /// `Info.plist` is not changed.
    ///
    /// A new app's bundle counts as not installed until `wasRecorded`: before that call, `recover` deletes it.
    public func install(from path: String, replacing: Bool) throws(BundleError) -> AppBundle {
        let source = try AppBundle(inspecting: path)
        try refuseNamesake(of: source.manifest.identifier, path)
        let home = self.home(of: source.manifest.identifier)
        let old = try self.path(of: source.manifest.identifier)
        guard old == nil || replacing else {
            throw BundleError(
                .alreadyInstalled, path,
                "\(source.manifest.identifier) is already installed: replace it with --replace, or uninstall it first")
        }
        try BundleError.reporting("create a folder", home) { () throws(Errno) in
            if mkdir(home, 0o755) != 0, errno != EEXIST { throw Errno(number: errno) }
        }
        do throws(BundleError) {
            let drafts = try makeFolder(home + "/" + Leftover.new.rawValue)
            defer { discard(drafts) }
            let draft = drafts + "/" + source.name
            try BundleCopy.copy(source.path, to: draft)
            let copy = try AppBundle(inspecting: draft)
            guard copy.manifest == source.manifest else {
                throw BundleError(.badManifest, path, "the bundle changed while it was copied: try again")
            }
            let place = home + "/" + source.name
            if old == nil { try markUnrecorded(source.manifest.identifier) }
            try put(draft, at: place, insteadOf: old, in: home)
            return AppBundle(copy, movedTo: place)
        } catch {
            // The removal succeeds only for an empty folder: nothing was installed before.
            rmdir(home)
            if old == nil { wasRecorded(source.manifest.identifier) }
            throw error
        }
    }

    /// Called once the app's record is on disk. From then on `recover` keeps the bundle.
    public func wasRecorded(_ identifier: BundleIdentifier) { unlink(mark(of: identifier)) }

    /// The installed bundle of an app; nil if the app is not installed.
    public func bundle(of identifier: BundleIdentifier) throws(BundleError) -> AppBundle? {
        guard let path = try path(of: identifier) else { return nil }
        return try AppBundle(inspecting: path)
    }

    /// The identifiers of all apps that have a folder here, sorted. The folder need not hold a bundle.
    public func identifiers() throws(BundleError) -> [BundleIdentifier] {
        try names(in: directory).compactMap { BundleIdentifier($0) }.sorted()
    }

    /// Cleans up after an interrupted run, at the start of a system that holds the state directory. `isInUse` says
    /// whether an app is recorded or has data; an app that is neither is from an interrupted first installation.
    public func recover(isInUse: (BundleIdentifier) -> Bool) throws(BundleError) {
        for name in try names(in: directory) where name.hasPrefix(Self.markPrefix) {
            guard let identifier = BundleIdentifier(String(name.dropFirst(Self.markPrefix.count))) else { continue }
            if !isInUse(identifier) { discard(home(of: identifier)) }
            unlink(mark(of: identifier))
        }
        for identifier in try identifiers() { try recover(identifier) }
    }

    private func recover(_ identifier: BundleIdentifier) throws(BundleError) {
        let home = home(of: identifier)
        for leftover in try names(in: home) {
            let folder = home + "/" + leftover
            if Leftover.old.begins(leftover) {
                // The run was interrupted after the old bundle was moved aside and before the new bundle was in place.
                // Restore the old bundle.
                let old = try names(in: folder).first { $0.utf8.suffix(4).elementsEqual(".app".utf8) }
                if try path(of: identifier) == nil, let old { try move(folder + "/" + old, to: home + "/" + old) }
                discard(folder)
            } else if Leftover.new.begins(leftover) {
                discard(folder)
            }
        }
        rmdir(home)
    }

    // MARK: - Folders

    /// Folders that exist only during an installation. Their names end at random, and no app's name begins with a full
    /// stop.
    private enum Leftover: String {
        case new = ".new-"
        case old = ".old-"

        func begins(_ name: String) -> Bool { name.utf8.starts(with: rawValue.utf8) }
    }

    private func home(of identifier: BundleIdentifier) -> String { directory + "/" + identifier.rawValue }

    /// The prefix of an empty marker file: the app's first installation has begun, and its record is not on disk yet.
    private static let markPrefix = ".unrecorded-"

    private func mark(of identifier: BundleIdentifier) -> String {
        directory + "/" + Self.markPrefix + identifier.rawValue
    }

    private func markUnrecorded(_ identifier: BundleIdentifier) throws(BundleError) {
        let mark = mark(of: identifier)
        try BundleError.reporting("write a file", mark) { () throws(Errno) in
            _ = try Descriptor(mark, O_WRONLY | O_CREAT | O_NOFOLLOW, mode: 0o600)
        }
        try synchronize(directory)
    }

    /// Rejects an identifier that differs from an installed identifier only in case. Apple and many file systems treat
    /// the two as the same.
    private func refuseNamesake(of identifier: BundleIdentifier, _ path: String) throws(BundleError) {
        let lowercased = identifier.rawValue.lowercased()
        for other in try identifiers() where other != identifier && other.rawValue.lowercased() == lowercased {
            guard try self.path(of: other) != nil else { continue }
            throw BundleError(
                .badManifest, path,
                "\(identifier) differs from the installed \(other) by case alone, and is the same identifier: "
                    + "uninstall that app first, or write the identifier as it does")
        }
    }

    /// The path of an app's bundle; nil if the app is not installed.
    private func path(of identifier: BundleIdentifier) throws(BundleError) -> String? {
        let home = home(of: identifier)
        let name = try names(in: home).first {
            $0.utf8.first != UInt8(ascii: ".") && $0.utf8.suffix(4).elementsEqual(".app".utf8)
        }
        return name.map { home + "/" + $0 }
    }

    /// Moves the draft into place. An old bundle is first moved aside, and is moved back on failure.
    private func put(_ draft: String, at place: String, insteadOf old: String?, in home: String) throws(BundleError) {
        guard let old else {
            try move(draft, to: place)
            return try synchronize(home)
        }
        let aside = try makeFolder(home + "/" + Leftover.old.rawValue)
        let name = String(decoding: old.utf8.dropFirst(home.utf8.count), as: UTF8.self)
        do throws(BundleError) {
            try move(old, to: aside + name)
        } catch {
            rmdir(aside)
            throw error
        }
        do throws(BundleError) {
            try move(draft, to: place)
            try synchronize(home)
        } catch {
            rename(aside + name, old)
            rmdir(aside)
            throw error
        }
        discard(aside)
    }

    /// Makes a folder with a random name that begins with `prefix`.
    private func makeFolder(_ prefix: String) throws(BundleError) -> String {
        var template = Array((prefix + "XXXXXX").utf8CString)
        try BundleError.reporting("create a folder", prefix) { () throws(Errno) in
            if mkdtemp(&template) == nil { throw Errno(number: errno) }
        }
        return prefix + FileTree.text(Array(template.suffix(7)))
    }

    private func move(_ from: String, to place: String) throws(BundleError) {
        try BundleError.reporting("move the bundle into place", place) { () throws(Errno) in
            _ = try Errno.retry { rename(from, place) }
        }
    }

    private func synchronize(_ folder: String) throws(BundleError) {
        try BundleError.reporting("sync a folder", folder) { () throws(Errno) in
            try Descriptor(folder, O_RDONLY | O_DIRECTORY).synchronize()
        }
    }

    /// The names in a folder; empty if the folder does not exist.
    private func names(in folder: String) throws(BundleError) -> [String] {
        do throws(Errno) {
            let descriptor = try Descriptor(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
            return try FileTree.names(in: descriptor).map(FileTree.text)
        } catch {
            if error.number == ENOENT { return [] }
            throw BundleError.of(error, "read a folder", folder)
        }
    }

    /// Deletes a leftover. After a failure, the next `recover` tries again.
    private func discard(_ folder: String) { try? delete(folder) }
}
