import FoundationEssentials
import Glibc
import RoostLinux

/// The dependency on the package of RoostKit.
struct RoostDependency {
    /// The entry in `dependencies`.
    let package: String
    /// The package identity, for products.
    let identity: String

    /// A dependency on a checkout's folder or a repository's URL. Throws an exit code after printing the error.
    init(_ place: String) throws {
        if place.contains("://") || place.hasPrefix("git@") {
            var last = place.split(separator: "/").last.map(String.init) ?? ""
            if last.hasSuffix(".git") { last = String(last.dropLast(4)) }
            guard !last.isEmpty else {
                throw Failure.failed("--roost: \"\(Output.visible(place))\" names no repository")
            }
            package = ".package(url: \(AppTemplate.literal(place)), branch: \"main\")"
            identity = last
        } else {
            let path = realpath(absolute(place), nil)
            defer { free(path) }
            guard let path, Self.isCheckout(String(cString: path)) else {
                throw Failure.failed(
                    "--roost: there is no checkout of Roost at \(Output.visible(absolute(place))): give the folder of its "
                        + "Package.swift, or the URL of its repository")
            }
            package = ".package(name: \"roost\", path: \(AppTemplate.literal(String(cString: path))))"
            identity = "roost"
        }
    }

    /// The checkout that this program was built in. Throws an exit code after printing the error.
    static func ownCheckout() throws -> RoostDependency {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let checkout = program.components(separatedBy: "/.build/").first ?? ""
        guard checkout != program, isCheckout(checkout) else {
            throw Failure.failed(
                "the source of RoostKit is unknown, because this program, \(Output.visible(program)), is not in a checkout: "
                    + "name it with --roost, as a checkout's folder or the URL of its repository")
        }
        return try RoostDependency(checkout)
    }

    private static func isCheckout(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path + "/Package.swift")
            && FileManager.default.fileExists(atPath: path + "/Sources/RoostKit")
    }
}
