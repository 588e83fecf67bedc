public import ArgumentParser
public import LifeCycleModel

extension LaunchReason: ExpressibleByArgument {
    /// Reads what an app may be woken for; the user wakes nothing, but opens, and a session is done when it is done.
    public init?(argument: String) {
        self.init(rawValue: argument)
        guard Self.toWakeFor.contains(self) else { return nil }
    }

    /// What `--reason` takes.
    public static var allValueStrings: [String] { toWakeFor.map(\.rawValue) }

    private static let toWakeFor = allCases.filter(\.isEvent)
}

extension BundleIdentifier {
    /// Reads an argument; says what an identifier looks like where it is none.
    static func argument(_ text: String) throws -> BundleIdentifier {
        guard let identifier = BundleIdentifier(text) else {
            throw ValidationError(
                "\"\(text)\" is not a bundle identifier: letters, digits and hyphens, with full stops between, "
                    + "as in com.example.Notes")
        }
        return identifier
    }
}

/// An app, named as the command line names it.
struct AppArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The app's bundle identifier.", valueName: "app"), completion: InstalledApps.completion,
        transform: BundleIdentifier.argument)
    var app: BundleIdentifier
}

/// An app, where the command can do without.
struct MaybeAppArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The app's bundle identifier.", valueName: "app"), completion: InstalledApps.completion,
        transform: BundleIdentifier.argument)
    var app: BundleIdentifier?
}

extension Interruption: ExpressibleByArgument {}

extension MemoryPressure: ExpressibleByArgument {}
