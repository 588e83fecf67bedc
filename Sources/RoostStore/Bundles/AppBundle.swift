internal import Glibc
public import LifeCycleModel
internal import RoostPorts

/// An app bundle that has passed inspection.
public struct AppBundle: Hashable, Sendable {
    /// The content of `Info.plist`. `isAdopted` is true for every app not built on RoostKit, even if the file says
    /// otherwise.
    public let manifest: AppManifest
    /// The bundle's folder, `Name.app`.
    public let path: String
    /// Whether the executable has RoostKit's ELF note, and therefore receives callbacks.
    public let isBuiltOnRoostKit: Bool

    /// The absolute path of the file to execute, in the bundle.
    public var executable: String { path + "/" + manifest.executable }

    /// The `Name.app` that `path` ends in.
    var name: String { String(decoding: path.utf8.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self) }

    /// Inspects the bundle at `path`: a folder called `Name.app` with an `Info.plist` and an executable.
    public init(inspecting path: String) throws(BundleError) {
        let path = try Self.checkedPath(path)
        let folder = try Self.open(path)
        var manifest = try Self.manifest(in: folder, path)
        isBuiltOnRoostKit = try Self.inspectExecutable(manifest.executable, in: folder, path)
        manifest.isAdopted = manifest.isAdopted || !isBuiltOnRoostKit
        self.manifest = manifest
        self.path = path
    }

    /// The same bundle in another place.
    init(_ bundle: AppBundle, movedTo path: String) {
        manifest = bundle.manifest
        isBuiltOnRoostKit = bundle.isBuiltOnRoostKit
        self.path = path
    }

    /// The path without slashes at its end, checked to end in `Name.app`.
    private static func checkedPath(_ path: String) throws(BundleError) -> String {
        var bytes = Array(path.utf8)
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        var name = bytes.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
        if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8), let resolved = realpath(path, nil) {
            bytes = Array(String(cString: resolved).utf8)
            name = bytes.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
            free(resolved)
        }
        let shown = String(decoding: bytes, as: UTF8.self)
        guard !bytes.contains(0), name.count > 4, name.suffix(4).elementsEqual(".app".utf8) else {
            throw BundleError(
                .notABundle, shown, "this is not an app's folder: its name must end in .app, as Notes.app")
        }
        guard name.first != UInt8(ascii: ".") else {
            throw BundleError(.notABundle, shown, "an app's folder must not begin with a full stop: rename it")
        }
        return shown
    }

    private static func open(_ path: String) throws(BundleError) -> Descriptor {
        do throws(Errno) {
            return try Descriptor(path, O_RDONLY | O_DIRECTORY)
        } catch {
            switch error.number {
            case ENOENT: throw BundleError(.notABundle, path, errno: ENOENT, "there is no such folder")
            case ENOTDIR:
                throw BundleError(
                    .notABundle, path, errno: ENOTDIR, "this is not a folder: give the app's folder, Name.app")
            default: throw BundleError.of(error, "open the bundle", path)
            }
        }
    }

    private static func manifest(in folder: borrowing Descriptor, _ bundle: String) throws(BundleError) -> AppManifest {
        let path = bundle + "/Info.plist"
        let bytes: [UInt8]
        do throws(Errno) {
            let file = try Descriptor("Info.plist", in: folder.rawValue, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            guard try file.status().st_mode & S_IFMT == S_IFREG else { throw Errno(number: ELOOP) }
            bytes = try file.read(at: 0, count: AppManifest.largestInfoPlist + 1)
        } catch {
            switch error.number {
            case ENOENT:
                throw BundleError(
                    .badManifest, path, errno: ENOENT,
                    "it is missing: add a property list with CFBundleIdentifier and CFBundleExecutable")
            case ELOOP:
                throw BundleError(.badManifest, path, "it must be a regular file, not a link or a folder")
            default: throw BundleError.of(error, "read Info.plist", path)
            }
        }
        do {
            return try AppManifest(infoPlist: bytes)
        } catch {
            throw BundleError(.badManifest, path, error.description)
        }
    }

    /// Checks the executable. Returns whether it is built on RoostKit.
    private static func inspectExecutable(
        _ name: String, in folder: borrowing Descriptor, _ bundle: String
    ) throws(BundleError) -> Bool {
        let path = bundle + "/" + name
        let file = try openExecutable(name, in: folder, bundle)
        let status = try BundleError.reporting("read the status of the executable", path) { () throws(Errno) in
            try file.status()
        }
        func wrong(_ reason: String) -> BundleError { BundleError(.badExecutable, path, reason) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw wrong("this is a folder: CFBundleExecutable must name the program's file")
        default: throw wrong("this is not a regular file: CFBundleExecutable must name the program's file")
        }
        guard status.st_mode & S_IXUSR != 0 else { throw wrong("it is not executable: run chmod +x on it") }
        guard status.st_size > 0 else { throw wrong("it is empty: build the program into it") }
        return try BundleError.reporting("read the executable", path) { () throws(Errno) in
            var notes = ELFNotes { (offset, count) throws(Errno) in try file.read(at: offset, count: count) }
            return try notes.contains(owner: ELFNotes.roost)
        }
    }

    /// Opens the executable. Follows a symbolic link only if its target is inside the bundle.
    private static func openExecutable(
        _ name: String, in folder: borrowing Descriptor, _ bundle: String
    ) throws(BundleError) -> Descriptor {
        let path = bundle + "/" + name
        do throws(Errno) {
            do throws(Errno) {
                return try Descriptor(name, in: folder.rawValue, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            } catch {
                guard error.number == ELOOP else { throw error }
            }
            let inside = try realPath(bundle) + [UInt8(ascii: "/")]
            let target = try realPath(path)
            guard target.starts(with: inside) else { throw Errno(number: EXDEV) }
            return try Descriptor(String(decoding: target, as: UTF8.self), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            let number = error.number
            switch number {
            case ENOENT:
                throw BundleError(
                    .badExecutable, path, errno: number,
                    "it is missing: CFBundleExecutable names \"\(name)\"; build the program into the bundle")
            case EXDEV:
                throw BundleError(
                    .badExecutable, path, "it is a symbolic link out of the bundle: put the program itself there")
            case ELOOP: throw BundleError(.badExecutable, path, errno: number, "it is a symbolic link to itself")
            case ENXIO:
                throw BundleError(.badExecutable, path, errno: number, "this is a socket: name the program's file")
            default: throw BundleError.of(error, "open the executable", path)
            }
        }
    }

    private static func realPath(_ path: String) throws(Errno) -> [UInt8] {
        guard let resolved = realpath(path, nil) else { throw Errno(number: errno) }
        defer { free(resolved) }
        return Array(UnsafeBufferPointer(start: resolved, count: strlen(resolved))).map { UInt8(bitPattern: $0) }
    }
}

extension BundleError {
    /// The error for a failed system call.
    static func of(_ error: Errno, _ doing: String, _ subject: String) -> BundleError {
        let reason = SystemError.of(error.number, doing, subject).reason
        return BundleError(.system, subject, errno: error.number, "cannot \(doing): \(reason)")
    }

    /// Runs `body`. If a system call in `body` fails, throws an error that names the action and its subject.
    static func reporting<Answer: ~Copyable>(
        _ doing: String, _ subject: String, _ body: () throws(Errno) -> Answer
    ) throws(BundleError) -> Answer {
        do throws(Errno) {
            return try body()
        } catch {
            throw of(error, doing, subject)
        }
    }
}
