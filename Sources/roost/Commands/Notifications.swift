import ArgumentParser
import LifeCycleModel
import RoostWire

/// Lists notifications, and answers them as the user.
struct Notifications: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract:
            "Show scheduled and displayed notifications; tap or dismiss one.",
        discussion: """
            Apps schedule notifications with UILocalNotification, and providers send them (see "roost push"). The system \
            displays them, whether or not the app runs. A notification for the foreground app is delivered to the app instead.
            """,
        subcommands: [
            ListNotifications.self, TapNotification.self, DismissNotification.self, AllowNotifications.self,
            ForbidNotifications.self,
        ],
        defaultSubcommand: ListNotifications.self)
}

struct ListNotifications: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the notifications.")

    @OptionGroup var state: StateOptions
    @OptionGroup var app: MaybeAppArgument
    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let answer = try ControlClient(to: state).ask(.notifications(app: app.app))
        guard case .notifications(let all) = answer else { return }
        if json { return print(try Output.json(all)) }
        print(all.isEmpty ? "there are no notifications" : Output.table(Self.rows(all)))
    }

    /// The most characters of a text in the table.
    private static let longestText = 200

    private static func rows(_ all: [NotificationSummary]) -> [[String]] {
        [["APP", "NUMBER", "STATE", "AT", "REPEATS", "TEXT"]]
            + all.map { notification in
                [
                    notification.app.rawValue, "\(notification.number)", notification.state,
                    notification.at.map { date($0) } ?? "-", notification.repeats ?? "-",
                    [notification.title, notification.body].compactMap { $0 }
                        .map { Output.visible(String($0.prefix(longestText))) }.joined(separator: ": "),
                ]
            }
    }

    /// A time in UTC, such as `2027-03-28 01:00:00 UTC`.
    private static func date(_ time: Nanoseconds) -> String {
        let civil = CivilTime(utc: time)
        func digits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (day, seconds) = (civil.day, civil.secondsOfDay)
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map(digits).joined(separator: ":")
        return "\(day.year)-\(digits(day.month))-\(digits(day.day)) \(clock) UTC"
    }
}

/// The arguments that identify a notification.
struct NotificationArguments: ParsableArguments {
    @OptionGroup var state: StateOptions
    @OptionGroup var app: AppArgument
    @Argument(help: ArgumentHelp("Its number, as `roost notifications` shows it.", valueName: "number"))
    var number: Int64
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard number > 0 else { throw ValidationError("a notification's number is above zero, as 3") }
    }

    func perform(_ action: NotificationUserAction) throws {
        try output.print(ControlClient(to: state).decisions(.notification(.answer(app.app, number: number, action))))
    }
}

struct TapNotification: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tap", abstract: "Tap a displayed notification; this opens its app.")
    @OptionGroup var arguments: NotificationArguments
    func run() throws { try arguments.perform(.tap) }
}

struct DismissNotification: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss", abstract: "Dismiss a displayed notification.")
    @OptionGroup var arguments: NotificationArguments
    func run() throws { try arguments.perform(.dismiss) }
}

struct AllowNotifications: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Allow an app to show the notifications it has registered for.")
    @OptionGroup var state: StateOptions
    @OptionGroup var app: AppArgument
    @OptionGroup var output: OutputOptions
    func run() throws { try output.print(ControlClient(to: state).decisions(.notification(.allow(app.app, true)))) }
}

struct ForbidNotifications: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forbid", abstract: "Forbid an app to show notifications; those on display are removed.")
    @OptionGroup var state: StateOptions
    @OptionGroup var app: AppArgument
    @OptionGroup var output: OutputOptions
    func run() throws { try output.print(ControlClient(to: state).decisions(.notification(.allow(app.app, false)))) }
}
