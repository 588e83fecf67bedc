import ArgumentParser
import Glibc
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

            Exit codes: 0 done; 1 refused or failed, the message says why; 2 a scenario or a journal that is wrong, and a \
            wrong argument of `roost simulate`, `explore` or `replay`; 64 any other wrong argument; 69 no system runs; 128 and \
            a signal's number where `roost run` or `roost watch` was ended by that signal.
            """,
        version: RoostVersion.current,
        subcommands: [
            Up.self, New.self, Scan.self, Run.self, Install.self, Uninstall.self, Apps.self, Launch.self, Home.self,
            Switch.self, Interrupt.self, Dismiss.self, Accept.self, Lock.self, Unlock.self, Send.self, Memory.self,
            Clock.self, Settings.self, Wake.self, Quit.self,
        ] + ConcernCommands.all.flatMap { $0.commands } + [
            Processes.self, Watch.self, Log.self, Why.self, Restart.self, Thaw.self, Recover.self, Restore.self,
            Doctor.self, Explore.self, Simulate.self,
            Replay.self, Demo.self,
            Completions.self, Supervise.self, Release.self,
        ])

    static func main() {
        StandardStreams.fill()
        do {
            var command = try parseAsRoot()
            try command.run()
            try StandardStreams.finish()
        } catch  where checksRules && exitCode(for: error) == .validationFailure {
            writeError(fullMessage(for: error) + "\n")
            Glibc.exit(2)
        } catch {
            exit(withError: error)
        }
    }

    /// Whether a command is meant that checks the rules by what it is given. There a wrong argument is wrong input as a
    /// wrong file is: whoever asks for a check has to be able to tell it from a finding by one code.
    private static var checksRules: Bool {
        CommandLine.arguments.dropFirst().first.map(["simulate", "explore", "replay"].contains) ?? false
    }
}
