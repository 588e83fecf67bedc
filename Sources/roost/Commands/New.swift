import ArgumentParser
import FoundationEssentials
import Glibc
import LifeCycleModel
import RoostLinux
import RoostPorts

/// Creates the package of a new app.
struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Make the package of a new app, ready to build, test and run.",
        discussion: """
            The name may be any folder name; the module's name consists of its letters and digits. RoostKit \
            comes from the checkout this program was built in, unless --roost names another.
            """)

    @Argument(help: ArgumentHelp("The app's name.", valueName: "name"))
    var name: String
    @Option(
        help: ArgumentHelp(
            "The source of RoostKit: the folder of a checkout or the URL of its repository.", valueName: "place"),
        completion: .directory)
    var roost: String?
    @Option(
        help: ArgumentHelp("The app's bundle identifier; com.example.NAME if left out.", valueName: "identifier"),
        transform: BundleIdentifier.argument)
    var identifier: BundleIdentifier?

    @Flag(help: "Add RoostURLSession for background downloads, and the file of aliases for its names.")
    var backgroundDownloads = false

    func validate() throws { _ = try checkedName() }

    private func checkedName() throws -> AppName {
        do throws(AppName.Unfit) {
            return try AppName(name)
        } catch {
            throw ValidationError(error.description)
        }
    }

    func run() throws {
        let name = try checkedName()
        let roost = try roost.map(RoostDependency.init) ?? RoostDependency.ownCheckout()
        let template = AppTemplate(
            name: name, identifier: identifier?.rawValue ?? name.identifier, roost: roost,
            hasBackgroundDownloads: backgroundDownloads)
        try write(template, to: absolute(name.display))
        let shown = Output.visible(name.display)
        print("made \(shown): the module \(name.module), the app \(template.identifier)")
        print("next: roost run \(Self.quoted(shown))")
    }

    /// Writes all files, or no file.
    private func write(_ template: AppTemplate, to folder: String) throws {
        guard mkdir(folder, 0o777) == 0 else {
            let advice = errno == EEXIST ? ": choose another name, or remove it" : ""
            throw Failure.failed(
                "cannot create \(Output.visible(folder)): \(String(cString: strerror(errno)))\(advice)")
        }
        do {
            for file in template.files {
                let path = folder + "/" + file.path
                let parent = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
                try FileManager.default.createDirectory(atPath: String(parent), withIntermediateDirectories: true)
                try file.text.write(toFile: path, atomically: false, encoding: .utf8)
            }
        } catch {
            try? TreeRemoval.remove(folder)
            throw Failure.failed("cannot write to \(Output.visible(folder)): \(error)")
        }
    }

    /// The text, quoted for a shell if necessary.
    static func quoted(_ text: String) -> String {
        text.allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) }
            ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
