import ArgumentParser
import LifeCycleModel
import RoostWire

/// Moves the device, and decides who may know its location.
struct Location: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "location",
        abstract: "Move the device to a position; let an app use the location, or forbid it.",
        discussion: """
            roost location 52.52 13.405 moves the device to Berlin, and roost location -33.86 151.21 to Sydney. Apps use \
            the location with CLLocationManager. An app is not told the position until the user permits it: \
            roost location permit org.example.App always.
            """,
        subcommands: [MoveDevice.self, PermitLocation.self], defaultSubcommand: MoveDevice.self)
}

struct MoveDevice: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Move the device to a position.",
        discussion: """
            Latitude and longitude are in degrees, positive in the north and the east. The system knows no position until \
            this command gives it a first one.
            """)

    @OptionGroup var state: StateOptions
    // A negative number looks like an option, so that only an array of unrecognized arguments can hold it.
    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp(
            "The latitude and the longitude, as in 52.52 13.405.", valueName: "latitude longitude"))
    var position: [String] = []
    @Option(
        help: ArgumentHelp("The radius of uncertainty.", valueName: "metres"), transform: Self.accuracy)
    var accuracy: Int32 = 500
    @OptionGroup var output: OutputOptions

    func validate() throws { _ = try fix() }

    /// The position; the system sets its time.
    private func fix() throws -> LocationFix {
        // The terminator `--` is captured too.
        let position = position.filter { $0 != "--" }
        if let option = position.first(where: { $0.hasPrefix("--") }) {
            throw ValidationError("Unknown option '\(option)'")
        }
        guard position.count == 2 else {
            throw ValidationError("a position is two numbers, a latitude and a longitude, as in 52.52 13.405")
        }
        let latitude = try Self.degrees(position[0], "latitude", most: 90, "south")
        let longitude = try Self.degrees(position[1], "longitude", most: 180, "west")
        guard let fix = LocationFix(latitude: latitude, longitude: longitude, accuracy: accuracy, time: .zero) else {
            throw ValidationError("\(position.joined(separator: " ")) is not a position on the earth")
        }
        return fix
    }

    private static func degrees(_ text: String, _ name: String, most: Int32, _ negative: String) throws -> Int32 {
        let limit = Int64(most) * Int64(LocationFix.degree)
        guard let number = DecimalNumber.parse(text, digits: 7), abs(number) <= limit else {
            throw ValidationError(
                "\"\(text)\" is not a \(name): write degrees from -\(most) to \(most), as in 12.5; \(negative) is "
                    + "negative")
        }
        return Int32(number)
    }

    /// Reads a length in metres as centimetres.
    private static func accuracy(_ text: String) throws -> Int32 {
        guard let number = DecimalNumber.parse(text, digits: 2), (0...Int64(LocationFix.leastAccurate)).contains(number)
        else {
            throw ValidationError(
                "\"\(text)\" is not an accuracy: write metres from 0 to \(LocationFix.leastAccurate / 100), as in 12.5")
        }
        return Int32(number)
    }

    func run() throws {
        let decisions = try ControlClient(to: state).decisions(.location(.move(try fix())))
        try output.print(decisions, orElse: "the device is at this position now")
    }
}

struct PermitLocation: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "permit", abstract: "Decide whether an app may use the location.")

    @OptionGroup var state: StateOptions
    @OptionGroup var app: AppArgument
    @Argument(
        help: "deny; when-in-use: only in the foreground; always: also in the background; ask: undecided, as at first.")
    var permission: LocationPermission
    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.print(ControlClient(to: state).decisions(.location(.permit(app.app, permission))))
    }
}
