import ArgumentParser
import RoostRuntime

/// The program: one command each for the system and for what people do with it.
@main
struct Roost: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "roost",
        abstract: "The iOS application life cycle and background execution, as a Linux service.",
        discussion: """
            To try it: `roost new Notes` makes an app, and `roost run Notes` builds it, runs it, and lets you be its \
            user. `roost demo` shows the life cycle with real processes in a minute.

            To use it: start the system with `roost up`, install an app bundle with `roost install Name.app`, and open \
            it with `roost launch com.example.name`. `roost ps`, `roost log` and `roost why` tell what becomes of it.

            Exit codes: 0 done; 1 refused or failed, the message says why; 2 a scenario or a journal that is wrong; 64 a wrong \
            argument; 69 no system runs; 128 and a signal's number where `roost run` or `roost watch` was ended by that signal.
            """,
        version: RoostVersion.current,
        subcommands: [
            Up.self, New.self, Scan.self, Run.self, Install.self, Uninstall.self, Apps.self, Launch.self, Home.self,
            Switch.self, Interrupt.self, Dismiss.self, Accept.self, Lock.self, Unlock.self, Send.self, Memory.self,
            Clock.self, Settings.self, Wake.self, Quit.self, Processes.self, Watch.self, Log.self, Why.self,
            Restart.self, Thaw.self, Doctor.self, Explore.self, Simulate.self, Replay.self, Demo.self,
            Completions.self, Supervise.self, Release.self,
        ])

    static func main() {
        StandardStreams.fill()
        main(nil)
        do {
            try StandardStreams.finish()
        } catch {
            exit(withError: error)
        }
    }
}
