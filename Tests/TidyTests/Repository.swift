import Foundation

/// One text file of the repository.
struct SourceFile: Sendable {
    /// Its path from the top of the repository.
    let path: String
    let text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    var isSwift: Bool { path.hasSuffix(".swift") }
    var isMarkdown: Bool { path.hasSuffix(".md") }

    /// The target a file under `Sources` or `Tests` belongs to.
    var target: String? {
        let parts = path.split(separator: "/")
        return parts.count > 2 && ["Sources", "Tests"].contains(parts[0]) ? String(parts[1]) : nil
    }

    var isSource: Bool { isSwift && path.hasPrefix("Sources/") }
    var isTest: Bool { isSwift && path.hasPrefix("Tests/") }
}

/// The repository this test was built from.
enum Repository {
    /// The repository's top, three levels above this file.
    static let top: URL = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { place, _ in
        place.deletingLastPathComponent()
    }

    /// Every text file that is in the repository or will be.
    static let files: [SourceFile] = paths().compactMap { path in
        guard let data = try? Data(contentsOf: top.appendingPathComponent(path)), !data.contains(0),
            let text = String(data: data, encoding: .utf8)
        else { return nil }
        return SourceFile(path: path, text: text)
    }

    /// Whether there is a file or folder at `path`.
    static func holds(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: top.appendingPathComponent(path).path)
    }

    /// Asks git. In an unpacked archive, without git, lists the files that are there.
    private static func paths() -> [String] {
        let git = Process()
        let output = Pipe()
        git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        git.arguments = ["git", "-C", top.path, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        git.standardOutput = output
        git.standardError = FileHandle.nullDevice
        if (try? git.run()) != nil {
            let data = output.fileHandleForReading.readDataToEndOfFile()
            git.waitUntilExit()
            let paths = data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            if git.terminationStatus == 0, !paths.isEmpty { return paths.sorted() }
        }
        let all = FileManager.default.enumerator(atPath: top.path)?.compactMap { $0 as? String } ?? []
        return all.filter { path in !path.split(separator: "/").contains { $0.hasPrefix(".build") || $0 == ".git" } }
            .sorted()
    }
}

/// A violation of a rule.
struct Finding: CustomStringConvertible, Equatable {
    var path: String
    /// From 1; 0 for the file as a whole.
    var line: Int
    var complaint: String

    var description: String { (line > 0 ? "\(path):\(line)" : path) + ": " + complaint }
}

extension [Finding] {
    /// The findings, one per line, for a test's message.
    var report: String { map { "\n" + $0.description }.joined() }
}
