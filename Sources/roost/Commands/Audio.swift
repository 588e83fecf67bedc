import ArgumentParser
import RoostWire

/// Events that affect the sound of apps.
struct Audio: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audio",
        abstract: "Let a phone call interrupt the sound of apps.",
        discussion: """
            roost audio call begin interrupts the sound of every app, and roost audio call end ends that. Apps play \
            with AVAudioPlayer, and AVAudioSession tells them of the interruption. The foreground app stays active: \
            only roost interrupt makes it inactive, as a call that comes in does. The user answers and ends the calls \
            of apps by roost call.
            """,
        subcommands: [AudioCallCommand.self])
}

struct AudioCallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call", abstract: "A phone call begins: it interrupts the sound of every app. Or it ends.",
        discussion: """
            While a call is on, no app can begin to record. When it ends, an app that played when it was interrupted \
            is told to continue.
            """)

    /// The change of the call.
    enum Change: String, CaseIterable, ExpressibleByArgument { case begin, end }

    @OptionGroup var state: StateOptions
    @Argument(help: "begin: a call is on; end: no call is on any longer.")
    var change: Change
    @OptionGroup var output: OutputOptions

    func run() throws {
        let isOn = change == .begin
        let decisions = try ControlClient(to: state).decisions(.audio(.setCall(isOn: isOn)))
        try output.print(decisions, orElse: isOn ? "a phone call is on now" : "no phone call is on now")
    }
}
