import FoundationEssentials
import Glibc
import RoostLinux
import SourceScan

/// Writes the package of a scanned tree: its own files, and links to the app's files.
struct ScannedPackage {
    let draft: PackageDraft
    /// The path of the scanned folder, without links.
    let tree: String
    /// The target folder, as it was typed.
    let place: String

    /// Writes all files, or no file. Throws an exit code after printing the error.
    func write() throws {
        let shown = Output.visible(place)
        let folder = absolute(place)
        let isOurs = mkdir(folder, 0o777) == 0
        guard isOurs || errno == EEXIST else {
            throw Failure.failed("cannot create \(shown): \(String(cString: strerror(errno)))")
        }
        if !isOurs {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
                throw Failure.failed(
                    "\(shown) is not a folder, or cannot be read: name a folder that does not exist yet")
            }
            guard names.isEmpty else {
                throw Failure.failed("\(shown) is not empty: name a folder that does not exist yet, or is empty")
            }
        }
        do {
            try fill(folder)
        } catch {
            for name in ["Package.swift", ".gitignore", "Sources", "Tests"] {
                try? TreeRemoval.remove("\(folder)/\(name)")
            }
            if isOurs { rmdir(folder) }
            throw Failure.failed("cannot write to \(shown): \(error)")
        }
    }

    private func fill(_ folder: String) throws {
        let files = FileManager.default
        for file in draft.files {
            try files.createDirectory(atPath: parent(of: "\(folder)/\(file.path)"), withIntermediateDirectories: true)
            try file.text.write(toFile: "\(folder)/\(file.path)", atomically: false, encoding: .utf8)
        }
        for link in draft.links {
            let place = parent(of: "\(folder)/\(link.path)")
            try files.createDirectory(atPath: place, withIntermediateDirectories: true)
            guard let path = realpath(place, nil) else { throw Unwritable(path: place) }
            let from = String(cString: path)
            free(path)
            try files.createSymbolicLink(
                atPath: "\(folder)/\(link.path)", withDestinationPath: way(from: from, to: "\(tree)/\(link.source)"))
        }
    }

    private struct Unwritable: Error { let path: String }

    private func parent(of path: String) -> String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

    /// The relative path from a folder to a file, both without links. The path stays valid if both are moved together.
    private func way(from folder: String, to file: String) -> String {
        let from = folder.split(separator: "/")
        let to = file.split(separator: "/")
        let shared = zip(from, to).prefix { $0 == $1 }.count
        return (Array(repeating: "..", count: from.count - shared) + to.dropFirst(shared).map(String.init))
            .joined(separator: "/")
    }
}
