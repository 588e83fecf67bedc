import ArgumentParser
import SourceScan

/// Scans the sources of an iOS app.
struct Scan: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract:
            "Report which files of an iOS app build here as they are, which need a seam and where, and which are views.",
        discussion: """
            Reads every Swift file below the folder, except tests, hidden folders, build, DerivedData, Pods and Carthage. \
            Links are not followed. A file builds as it is if everything it imports and names exists: in Swift, Foundation, \
            Dispatch and RoostKit, or in another file that builds. If a file makes a background URLSession, \
            RoostURLSession counts too, and the package gets the file of aliases for its names. The scan compares names and \
            does not compile: only the compiler can say for certain.

            With --write it makes a package of the files that build, with the settings they need and a first test. The \
            package links to the files: they stay in place, and the test always sees the app's current code. Without \
            --write, nothing is written.
            """)

    @Argument(
        help: ArgumentHelp("The folder the app's sources lie in.", valueName: "directory"), completion: .directory)
    var directory: String
    @Option(
        help: ArgumentHelp(
            "Write a package with a first test: a folder that does not exist yet, or is empty.", valueName: "directory"),
        completion: .directory)
    var write: String?
    @Option(
        help: ArgumentHelp("The package's name, and its module's; the scanned folder's if left out.", valueName: "name")
    )
    var name: String?
    @Option(
        help: ArgumentHelp(
            "The source of Roost for the package: the folder of a checkout or the URL of its repository.",
            valueName: "place"),
        completion: .directory)
    var roost: String?
    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard let name else { return }
        do throws(AppName.Unfit) { _ = try AppName(name) } catch { throw ValidationError(error.description) }
    }

    func run() throws {
        let tree = try SourceTree(directory)
        let scan = TreeScan(tree.files)
        var report = ScanReport(scan, of: tree)
        if let write { report.package = try package(scan, of: tree, at: write) }
        if json { return print(try Output.json(report)) }
        print(report.text)
        guard let package = report.package else { return }
        print("made \(Output.visible(package.path)): the module \(package.module)")
        print(
            package.subject.map { "its first test is about \(Output.visible($0))" }
                ?? "its first test is empty: no class that builds uses the life cycle")
        print("next: swift test --package-path \(New.quoted(Output.visible(package.path)))")
    }

    private func package(_ scan: TreeScan, of tree: SourceTree, at place: String) throws -> ScanReport.Package {
        guard !scan.paths(.builds).isEmpty else {
            throw Failure.failed(
                "no file builds as it is, so no package was made. Run `roost scan` without "
                    + "--write to see the obstacles")
        }
        let last = tree.top.split(separator: "/").last.map(String.init) ?? ""
        let name = (try? AppName(self.name ?? last))?.module ?? "App"
        let roost = try roost.map(RoostDependency.init) ?? RoostDependency.ownCheckout()
        // If there are several property lists, the app's own is unknown.
        let draft = PackageDraft(
            scan, module: name, roost: (roost.package, roost.identity),
            settings: ProjectSettings(projects: tree.projects), plist: tree.plists.count == 1 ? tree.plists[0] : nil)
        try ScannedPackage(draft: draft, tree: tree.top, place: place).write()
        return ScanReport.Package(path: place, module: name, subject: draft.subject)
    }
}
