import ArgumentParser
import LifeCycleModel
import RoostWire

/// Goes to another app.
struct Switch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Go to another app by the app switcher; without a name, to the one used before.",
        discussion: "In the switcher are the apps that were opened and not swiped away.")

    @OptionGroup var state: StateOptions
    @OptionGroup var app: MaybeAppArgument
    @OptionGroup var output: OutputOptions

    func run() throws { try output.print(ControlClient(to: state).decisions(.switchTo(app.app))) }
}

/// Interrupts the app in front.
struct Interrupt: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Let something interrupt the app in front: it is inactive until that is dismissed or accepted.")

    @OptionGroup var state: StateOptions
    @Option(help: "What it is.")
    var kind = Interruption.call
    @OptionGroup var output: OutputOptions

    func run() throws { try output.print(ControlClient(to: state).decisions(.interrupt(kind))) }
}

/// Ignores an interruption.
struct Dismiss: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ignore what interrupts the app in front: it is active again.")

    @OptionGroup var state: StateOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try output.print(ControlClient(to: state).decisions(.dismiss)) }
}

/// Takes an interruption up.
struct Accept: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take up what interrupts the app in front: that goes to the background.",
        discussion: "With an app's name, that one comes to the front; else it is the home screen.")

    @OptionGroup var state: StateOptions
    @OptionGroup var app: MaybeAppArgument
    @OptionGroup var output: OutputOptions

    func run() throws { try output.print(ControlClient(to: state).decisions(.accept(app.app))) }
}

/// Locks the screen.
struct Lock: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lock the screen: the app in front goes to the background.",
        discussion: "With a passcode set (`roost settings passcode on`) apps that run lose their protected data.")

    @OptionGroup var state: StateOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try output.print(ControlClient(to: state).decisions(.lock)) }
}

/// Unlocks the screen.
struct Unlock: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Unlock the screen: the app that was in front comes back, and protected data with it.")

    @OptionGroup var state: StateOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try output.print(ControlClient(to: state).decisions(.unlock)) }
}

/// Lets memory be low.
struct Memory: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Let memory be low: apps are warned, or one has to go.")

    @OptionGroup var state: StateOptions
    @Argument(help: "warning: apps that run are warned; critical: a suspended app has to go.")
    var pressure: MemoryPressure
    @OptionGroup var output: OutputOptions

    func run() throws { try output.print(ControlClient(to: state).decisions(.memory(pressure))) }
}

/// Lets the clock be set.
struct Clock: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Let the device's clock be set: apps are told of a significant time change.",
        discussion: """
            The machine's clock stays as it is; where somebody sets that one, apps are told without this command.
            """)

    @OptionGroup var state: StateOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.print(ControlClient(to: state).decisions(.clock), orElse: "apps are told when they next run")
    }
}

/// Does something to an app as the user does.
struct Send: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Type a text into an app, or touch its screen; only an active app gets it.")

    @OptionGroup var state: StateOptions
    @OptionGroup var app: AppArgument
    @Option(help: ArgumentHelp("What is typed.", valueName: "text"))
    var text: String?
    @Option(
        help: ArgumentHelp("Where it is touched, in points of a screen of 390 by 844.", valueName: "x,y"),
        transform: Touch.argument)
    var touch: Touch?
    @OptionGroup var output: OutputOptions

    func validate() throws { _ = try input() }

    private func input() throws -> UserInput {
        switch (text, touch) {
        case (let text?, nil):
            guard !text.isEmpty else { throw ValidationError("--text takes a text of at least one character") }
            guard text.utf8.count <= UserInput.longestText else {
                throw ValidationError("--text takes no more than \(UserInput.longestText) bytes")
            }
            return .text(text)
        case (nil, let touch?): return .touch(x: touch.x, y: touch.y)
        default: throw ValidationError("one of --text and --touch is needed, and not both")
        }
    }

    func run() throws {
        try output.print(ControlClient(to: state).decisions(.send(app.app, input())), orElse: "delivered to \(app.app)")
    }
}

/// A place on the screen, in thousandths of a point.
struct Touch {
    let x: Int64
    let y: Int64

    /// Reads `160,240.5`.
    static func argument(_ text: String) throws -> Touch {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map(thousandths)
        guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else {
            throw ValidationError("\"\(text)\" is no place on the screen: write two numbers of points, as in 160,240.5")
        }
        return Touch(x: x, y: y)
    }

    private static func thousandths(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = Int64(parts[0]), whole.magnitude <= 1_000_000 else {
            return nil
        }
        let fraction = parts.count == 2 ? String(parts[1]) : "0"
        guard (1...3).contains(fraction.count), fraction.allSatisfy({ $0.isASCII && $0.isNumber }),
            let rest = Int64(fraction + String(repeating: "0", count: 3 - fraction.count))
        else { return nil }
        return parts[0].hasPrefix("-") ? whole * 1000 - rest : whole * 1000 + rest
    }
}
