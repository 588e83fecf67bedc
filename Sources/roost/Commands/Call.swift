import ArgumentParser
import LifeCycleModel
import RoostWire

/// The user's action on a call of an app.
struct Call: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Answer, decline, end, hold or mute a call.",
        discussion: """
            Apps report incoming calls by CXProvider when a VoIP push arrives (see roost push --type voip), and begin \
            outgoing calls by CXCallController.

            answer           answers the first call that rings.
            decline          declines the first call that rings.
            end              ends the call that is on, or else the first call on hold.
            hold             puts the connected call on hold.
            resume           continues the first call on hold.
            mute, unmute     mutes the call that is on, or ends the muting.

            The first of several calls is the one that was reported or begun first. While a call is on, no other call \
            can be answered or resumed: hold it or end it first. The app has 60 s to perform the action. A call that \
            it does not answer or end in time is over; a call that it does not hold, resume, mute or unmute stays as \
            it is. roost why shows the calls of an app. A phone call that no app has reported begins by roost audio \
            call.
            """)

    @OptionGroup var state: StateOptions
    @Argument(help: "The action of the user.")
    var action: CallChoice
    @OptionGroup var output: OutputOptions

    func run() throws { try output.print(ControlClient(to: state).decisions(.voip(.actOnCall(action)))) }
}
