public import ArgumentParser
public import LifeCycleModel

extension LaunchReason: ExpressibleByArgument {
    /// Reads an event that may wake an app. Launches by the user, background sessions and VoIP pushes are excluded.
    public init?(argument: String) {
        self.init(rawValue: argument)
        guard Self.toWakeFor.contains(self) else { return nil }
    }

    /// The words that `--reason` accepts: the reasons that can be reported from outside.
    public static var allValueStrings: [String] { toWakeFor.map(\.rawValue) }

    private static let toWakeFor = allCases.filter(\.isEvent)
}

extension BundleIdentifier {
    /// Reads an argument. The error describes the form of an identifier.
    static func argument(_ text: String) throws -> BundleIdentifier {
        guard let identifier = BundleIdentifier(text) else {
            throw ValidationError(
                "\"\(text)\" is not a bundle identifier: letters, digits and hyphens, with full stops between, "
                    + "as in com.example.Notes")
        }
        return identifier
    }
}

/// An app on the command line.
struct AppArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The app's bundle identifier.", valueName: "app"), completion: InstalledApps.completion,
        transform: BundleIdentifier.argument)
    var app: BundleIdentifier
}

/// An optional app on the command line.
struct MaybeAppArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The app's bundle identifier.", valueName: "app"), completion: InstalledApps.completion,
        transform: BundleIdentifier.argument)
    var app: BundleIdentifier?
}

extension Interruption: ExpressibleByArgument {}

extension MemoryPressure: ExpressibleByArgument {}

extension CallChoice: ExpressibleByArgument {}

extension LocationPermission: ExpressibleByArgument {
    /// Reads a permission as the command line writes it.
    public init?(argument: String) {
        guard let permission = Self.allCases.first(where: { $0.argument == argument }) else { return nil }
        self = permission
    }

    /// All permissions as words.
    public static var allValueStrings: [String] { allCases.map(\.argument) }

    /// The word in help texts.
    public var defaultValueDescription: String { argument }

    private var argument: String {
        switch self {
        case .ask, .deny, .always: rawValue
        case .whenInUse: "when-in-use"
        }
    }
}
