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
    @Option(
        // It may be negative.
        parsing: .unconditional,
        help: ArgumentHelp("The height above mean sea level; without it, it is unknown.", valueName: "metres"),
        transform: { try Self.number($0, "an altitude", "metres", LocationFix.Altitude.heights) })
    var altitude: Int32?
    @Option(
        help: ArgumentHelp("The uncertainty of the altitude; without it, 5 metres.", valueName: "metres"),
        transform: Self.accuracy)
    var altitudeAccuracy: Int32?
    @Option(
        help: ArgumentHelp("The speed; without it, it is unknown.", valueName: "metres per second"),
        transform: { try Self.number($0, "a speed", "metres per second", LocationFix.speeds) })
    var speed: Int32?
    @Option(
        help: ArgumentHelp(
            "The direction of the movement, clockwise from north; without it, it is unknown.", valueName: "degrees"),
        transform: { try Self.number($0, "a course", "degrees", LocationFix.courses) })
    var course: Int32?
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
        if altitude == nil, altitudeAccuracy != nil { throw ValidationError("--altitude-accuracy needs --altitude") }
        let fix = LocationFix(
            latitude: latitude, longitude: longitude, accuracy: accuracy, time: .zero,
            altitude: altitude.flatMap { LocationFix.Altitude(height: $0, accuracy: altitudeAccuracy ?? 500) },
            speed: speed,
            course: course)
        guard let fix else {
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

    private static func accuracy(_ text: String) throws -> Int32 {
        try number(text, "an accuracy", "metres", 0...LocationFix.leastAccurate)
    }

    /// Reads a number with at most two decimal places as hundredths.
    private static func number(
        _ text: String, _ name: String, _ unit: String, _ range: ClosedRange<Int32>
    ) throws -> Int32 {
        guard let number = DecimalNumber.parse(text, digits: 2).flatMap({ Int32(exactly: $0) }), range.contains(number)
        else {
            throw ValidationError(
                "\"\(text)\" is not \(name): write \(unit) from \(decimal(range.lowerBound)) to "
                    + "\(decimal(range.upperBound)), as in 12.5")
        }
        return number
    }

    private static func decimal(_ hundredths: Int32) -> String {
        hundredths % 100 == 0 ? "\(hundredths / 100)" : "\(Double(hundredths) / 100)"
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
