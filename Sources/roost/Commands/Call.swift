import ArgumentParser
import LifeCycleModel
import RoostWire

/// The user's action on a call that an app has reported.
struct Call: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Answer or decline the call that rings, or end the call that is on.",
        discussion: """
            Apps report incoming calls by CXProvider when a VoIP push arrives (see roost push --type voip). If \
            several calls ring, answer and decline take the call that was reported first. While a call is on, no other \
            call can be answered. The app has 60 s to perform the action; otherwise the call is over. roost why shows \
            the calls of an app. A phone call that no app has reported begins by roost audio call.
            """)

    @OptionGroup var state: StateOptions
    @Argument(help: "What the user does.")
    var action: CallChoice
    @OptionGroup var output: OutputOptions

    func run() throws { try output.print(ControlClient(to: state).decisions(.voip(.actOnCall(action)))) }
}
