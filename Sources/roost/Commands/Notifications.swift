import ArgumentParser
import LifeCycleModel
import RoostWire

/// Shows notifications, and answers them as the user does.
struct Notifications: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Show the notifications: those that are scheduled and those that are shown; tap or dismiss one.",
        discussion: """
            An app schedules notifications by UILocalNotification, and providers send some: see "roost push". The system \
            shows them, whether or not the app runs. What comes while its app is in front is handed to the app instead.
            """,
        subcommands: [
            ListNotifications.self, TapNotification.self, DismissNotification.self, AllowNotifications.self,
            ForbidNotifications.self,
        ],
        defaultSubcommand: ListNotifications.self)
}

/// Lists them.
struct ListNotifications: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the notifications there are.")

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

    /// In the table texts are cut after so many characters.
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

    /// In UTC, as `2027-03-28 01:00:00 UTC`.
    private static func date(_ time: Nanoseconds) -> String {
        let civil = CivilTime(utc: time)
        func digits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (day, seconds) = (civil.day, civil.secondsOfDay)
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map(digits).joined(separator: ":")
        return "\(day.year)-\(digits(day.month))-\(digits(day.day)) \(clock) UTC"
    }
}

/// Which notification is meant.
struct NotificationArguments: ParsableArguments {
    @OptionGroup var state: StateOptions
    @OptionGroup var app: AppArgument
    @Argument(help: ArgumentHelp("Its number, as `roost notifications` shows it.", valueName: "number"))
    var number: Int64
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard number > 0 else { throw ValidationError("a notification's number is above zero, as 3") }
    }

    func carry(out wish: NotificationWish) throws {
        try output.print(ControlClient(to: state).decisions(.notification(.answer(app.app, number: number, wish))))
    }
}

/// Opens the app by one.
struct TapNotification: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tap", abstract: "Open the app by one of its notifications that are shown.")
    @OptionGroup var arguments: NotificationArguments
    func run() throws { try arguments.carry(out: .tap) }
}

/// Takes one away.
struct DismissNotification: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss", abstract: "Take a notification away that is shown.")
    @OptionGroup var arguments: NotificationArguments
    func run() throws { try arguments.carry(out: .dismiss) }
}

/// Lets an app show notifications.
struct AllowNotifications: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Let an app show what it has registered for.")
    @OptionGroup var state: StateOptions
    @OptionGroup var app: AppArgument
    @OptionGroup var output: OutputOptions
    func run() throws { try output.print(ControlClient(to: state).decisions(.notification(.allow(app.app, true)))) }
}

/// Forbids it.
struct ForbidNotifications: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forbid", abstract: "Let an app show no notifications; what it has shown goes.")
    @OptionGroup var state: StateOptions
    @OptionGroup var app: AppArgument
    @OptionGroup var output: OutputOptions
    func run() throws { try output.print(ControlClient(to: state).decisions(.notification(.allow(app.app, false)))) }
}
