import FoundationEssentials
import Glibc
import RoostLinux
import RoostPorts

/// The source of the app to run.
enum AppSource {
    /// A bundle, `Name.app`.
    case bundle(String)
    /// A folder with an `Info.plist` and another name.
    case folder(String)
    /// A folder with a `Package.swift`, which `roost run` builds.
    case package(String)

    /// Examines a path. Throws an exit code after printing the error.
    static func at(_ path: String) throws -> AppSource {
        var path = absolute(path)
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard let resolved = realpath(path, nil) else {
            throw Failure.failed("cannot open \(Output.visible(path)): \(String(cString: strerror(errno)))")
        }
        defer { free(resolved) }
        path = String(cString: resolved)
        func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw Failure.failed(
                "\(Output.visible(path)) is not a folder: give an app bundle, Name.app, or a Swift package")
        }
        if path.hasSuffix(".app") { return .bundle(path) }
        if has("Package.swift") { return .package(path) }
        if has("Info.plist") { return .folder(path) }
        throw Failure.failed(
            "there is neither a Package.swift nor an Info.plist in \(Output.visible(path)): give an app bundle, a Swift "
                + "package, or a folder with an Info.plist and an executable")
    }
}
