import FoundationEssentials
import Glibc
import LifeCycleText
import SourceScan

/// The sources of an app in a folder. The folder is only read.
struct SourceTree {
    /// A file or folder that was skipped, and the reason.
    struct PassedOver: Encodable {
        let path: String
        let why: String
    }

    /// The path of the folder, without links.
    let top: String
    private(set) var files: [(path: String, text: String)] = []
    private(set) var passedOver: [PassedOver] = []
    /// The texts of `project.pbxproj` files.
    private(set) var projects: [String] = []
    private(set) var plists: [PackageDraft.InfoPlist] = []

    /// Reads a folder. Throws an exit code after printing the error.
    init(_ place: String) throws {
        let shown = Output.visible(place)
        guard let path = realpath(place, nil) else {
            throw Failure.failed("cannot read \(shown): \(String(cString: strerror(errno)))")
        }
        top = String(cString: path)
        free(path)
        guard Self.kind(top) == S_IFDIR else {
            throw Failure.failed("\(shown) is not a folder: give the folder of the app's sources")
        }
        guard let names = Self.names(in: top) else {
            throw Failure.failed("cannot read \(shown): \(String(cString: strerror(errno)))")
        }
        walk("", names)
        guard !files.isEmpty else {
            for item in passedOver { writeError("roost: skipped \(Output.visible(item.path)): \(item.why)\n") }
            throw Failure.failed("there is no Swift file in \(shown)")
        }
    }

    // MARK: Traversal

    private static let skipped: Set = ["build", "deriveddata", "pods", "carthage", "node_modules", "sourcepackages"]
    private static let bundles: Set = [
        "app", "appex", "bundle", "framework", "playground", "xcarchive", "xcassets", "xcdatamodeld", "xcframework",
        "xcworkspace",
    ]
    /// The largest file that is read, in bytes: larger than any file written by hand.
    private static let largest: Int64 = 16 << 20

    /// The type of a file, without following links; nil if the type cannot be read.
    private static func kind(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// The names in a folder, sorted; nil with errno if it cannot be read.
    private static func names(in path: String) -> [String]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private mutating func passOver(_ path: String, _ why: String) {
        passedOver.append(PassedOver(path: path, why: why))
    }

    private mutating func walk(_ folder: String, _ names: [String]) {
        for name in names where !name.hasPrefix(".") {
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            switch Self.kind("\(top)/\(path)") {
            case S_IFDIR: enter(path, name)
            case S_IFREG: take(path, name)
            case S_IFLNK:
                var status = stat()
                let isFolder = stat("\(top)/\(path)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
                if isFolder || name.hasSuffix(".swift") { passOver(path, "a link: links are not followed") }
            case _ where name.hasSuffix(".swift"): passOver(path, "not a file")
            default: break
            }
        }
    }

    private mutating func enter(_ path: String, _ name: String) {
        let ending = name.split(separator: ".").last.map(String.init) ?? ""
        if ending == "xcodeproj" { return project("\(path)/project.pbxproj") }
        if name.contains("."), Self.bundles.contains(ending) { return }
        if Self.skipped.contains(name.lowercased()) { return passOver(path, "not the app's own sources") }
        if ["Tests", "Test", "Specs"].contains(where: name.hasSuffix) { return passOver(path, "tests") }
        guard let names = Self.names(in: "\(top)/\(path)") else {
            return passOver(path, String(cString: strerror(errno)))
        }
        walk(path, names)
    }

    private mutating func project(_ path: String) {
        guard let data = FileManager.default.contents(atPath: "\(top)/\(path)") else { return }
        projects.append(String(decoding: data, as: UTF8.self))
    }

    private mutating func take(_ path: String, _ name: String) {
        guard name.hasSuffix(".swift") else {
            if name == "Info.plist", case .success(let text) = read(path) {
                plists.append(PackageDraft.InfoPlist(path: path, text: text))
            } else if name.hasSuffix(".m") || name.hasSuffix(".mm") {
                passOver(path, "Objective-C: it is compiled on Apple's systems alone")
            }
            return
        }
        guard name != "Package.swift" else { return passOver(path, "a package's manifest") }
        switch read(path) {
        case .success(let text): files.append((path, text))
        case .failure(let failure): passOver(path, failure.why)
        }
    }

    private struct Unreadable: Error { let why: String }

    private func read(_ path: String) -> Result<String, Unreadable> {
        let file = open("\(top)/\(path)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return .failure(Unreadable(why: String(cString: strerror(errno)))) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_size <= Self.largest else {
            return .failure(Unreadable(why: "larger than \(SizeText.text(Self.largest))"))
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            // A buffer that is not empty has an address.
            let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + filled, $0.count - filled) }
            guard count >= 0 else { return .failure(Unreadable(why: String(cString: strerror(errno)))) }
            if count == 0 { break }
            filled += count
        }
        let content = bytes[..<filled].starts(with: [0xef, 0xbb, 0xbf]) ? bytes[3..<filled] : bytes[..<filled]
        guard let text = String(validating: content, as: UTF8.self) else {
            return .failure(Unreadable(why: "not in UTF-8: save it as UTF-8, Xcode's default"))
        }
        return .success(text)
    }
}
