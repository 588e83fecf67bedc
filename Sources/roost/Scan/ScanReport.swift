import SourceScan

/// The report of `roost scan`.
struct ScanReport: Encodable {
    struct File: Encodable {
        let path: String
        let kind: String
        let lines: Int
        let obstacles: [Place]
    }

    struct Place: Encodable {
        let line: Int
        let name: String
        let kind: String
        let advice: String
    }

    struct Summary: Encodable {
        let builds: Int
        let seam: Int
        let view: Int
        let empty: Int
        let lines: Int
    }

    /// A package that was written.
    struct Package: Encodable {
        let path: String
        let module: String
        /// The subject of the package's first test; nil without a test.
        let subject: String?
    }

    let directory: String
    let files: [File]
    let passedOver: [SourceTree.PassedOver]
    let summary: Summary
    var package: Package?

    init(_ scan: TreeScan, of tree: SourceTree) {
        directory = tree.top
        files = scan.verdicts.map { verdict in
            File(
                path: verdict.path, kind: verdict.kind.rawValue, lines: verdict.lines,
                obstacles: verdict.obstacles.map {
                    Place(line: $0.line, name: $0.name, kind: $0.kind.rawValue, advice: $0.advice)
                })
        }
        passedOver = tree.passedOver
        func count(_ kind: FileVerdict.Kind) -> Int { scan.verdicts.count { $0.kind == kind } }
        summary = Summary(
            builds: count(.builds), seam: count(.seam), view: count(.view), empty: count(.empty),
            lines: scan.verdicts.reduce(0) { $0 + $1.lines })
    }

    /// The most places shown for a file. A user who has fixed these places scans again.
    private static let longest = 8

    /// The report as text: lists and a summary.
    var text: String {
        var parts: [String] = []
        func list(_ title: String, _ rows: [[String]]) {
            guard !rows.isEmpty else { return }
            let table = Output.table(rows.map { $0.map(Output.visible) })
            parts.append(
                Color.bold.paint(title) + "\n"
                    + table.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
        }
        list("Build as they are", files(.builds).map { [$0.path] })
        list(
            "Need a seam",
            files(.seam).flatMap { file in
                let rest = file.obstacles.count - Self.longest
                return file.obstacles.prefix(Self.longest).map { ["\(file.path):\($0.line)", $0.name, $0.advice] }
                    + (rest > 0 ? [[file.path, "and \(rest) more", "--json lists all"]] : [])
            })
        list(
            "Views, left out",
            files(.view).map { file in
                let names = file.obstacles.map(\.name)
                return [file.path, names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")]
            })
        list("Empty here: nothing is compiled", files(.empty).map { [$0.path] })
        list("Skipped", passedOver.map { [$0.path, $0.why] })
        parts.append(sentence)
        return parts.joined(separator: "\n\n")
    }

    private func files(_ kind: FileVerdict.Kind) -> [File] { files.filter { $0.kind == kind.rawValue } }

    private var sentence: String {
        func words(_ count: Int, _ one: String, _ many: String) -> String { "\(count) \(count == 1 ? one : many)" }
        return "\(words(files.count, "file", "files")), \(words(summary.lines, "line", "lines")): "
            + "\(words(summary.builds, "builds as it is", "build as they are")), "
            + "\(words(summary.seam, "needs a seam", "need a seam")), "
            + words(summary.view, "is a view", "are views")
            + (summary.empty > 0 ? ", \(words(summary.empty, "is empty here", "are empty here"))" : "")
    }
}
