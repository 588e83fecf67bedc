import ArgumentParser
import LifeCycleModel
import RoostWire

/// Switches to another app.
struct Switch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "switch",
        abstract: "Switch to another app; without a name, to the previous one.",
        discussion: "The app switcher holds the apps that were opened and not swiped away.")

    @OptionGroup var state: StateOptions
    @OptionGroup var app: MaybeAppArgument
    @OptionGroup var output: OutputOptions

    func run() throws { try output.print(ControlClient(to: state).decisions(.switchTo(app.app))) }
}

/// Interrupts the foreground app.
struct Interrupt: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "interrupt",
        abstract: "Interrupt the foreground app: it is inactive until the interruption is dismissed or accepted.")

    @OptionGroup var state: StateOptions
    @Option(help: "What it is.")
    var kind = Interruption.call
    @OptionGroup var output: OutputOptions

    func run() throws { try output.print(ControlClient(to: state).decisions(.interrupt(kind))) }
}

/// Dismisses an interruption.
struct Dismiss: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Dismiss the interruption: the foreground app is active again.")

    @OptionGroup var state: StateOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try output.print(ControlClient(to: state).decisions(.dismiss)) }
}

/// Accepts an interruption.
struct Accept: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Accept the interruption: the foreground app goes to the background.",
        discussion: "With an app's name, that app comes to the foreground; otherwise the home screen does.")

    @OptionGroup var state: StateOptions
    @OptionGroup var app: MaybeAppArgument
    @OptionGroup var output: OutputOptions

    func run() throws { try output.print(ControlClient(to: state).decisions(.accept(app.app))) }
}

struct Lock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Lock the screen; the foreground app goes to the background.",
        discussion: "If a passcode is set (`roost settings passcode on`), running apps lose access to protected data.")

    @OptionGroup var state: StateOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try output.print(ControlClient(to: state).decisions(.lock)) }
}

struct Unlock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Unlock the screen; the last foreground app returns, and protected data is available again.")

    @OptionGroup var state: StateOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try output.print(ControlClient(to: state).decisions(.unlock)) }
}

/// Simulates low memory.
struct Memory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory",
        abstract: "Simulate low memory: apps are warned, or a suspended app is ended.")

    @OptionGroup var state: StateOptions
    @Argument(help: "warning: running apps get a memory warning; critical: a suspended app is ended.")
    var pressure: MemoryPressure
    @OptionGroup var output: OutputOptions

    func run() throws { try output.print(ControlClient(to: state).decisions(.memory(pressure))) }
}

/// Simulates that the clock was set.
struct Clock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Set the device's clock: apps are notified of a significant time change.",
        discussion: """
            The machine's clock stays as it is. If the machine's clock is set, apps are notified without this command.
            """)

    @OptionGroup var state: StateOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.print(ControlClient(to: state).decisions(.clock), orElse: "apps are notified when they next run")
    }
}

/// Sends user input to an app.
struct Send: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Type text into an app or touch its screen; only an active app receives input.")

    @OptionGroup var state: StateOptions
    @OptionGroup var app: AppArgument
    @Option(help: ArgumentHelp("What is typed.", valueName: "text"))
    var text: String?
    @Option(
        help: ArgumentHelp("The place of the touch, in points of a screen of 390 by 844.", valueName: "x,y"),
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
        default: throw ValidationError("give either --text or --touch")
        }
    }

    func run() throws {
        try output.print(ControlClient(to: state).decisions(.send(app.app, input())), orElse: "delivered to \(app.app)")
    }
}

/// A position on the screen, in thousandths of a point.
struct Touch {
    let x: Int64
    let y: Int64

    /// Reads a position such as `160,240.5`.
    static func argument(_ text: String) throws -> Touch {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map(thousandths)
        guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else {
            throw ValidationError("\"\(text)\" is not a position on the screen: write two numbers, as in 160,240.5")
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
