import ArgumentParser
import Glibc
import RoostRuntime

/// The program `roost`, with a command for each user action.
@main
struct Roost: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "roost",
        abstract: "The iOS application life cycle and background execution, as a Linux service.",
        discussion: """
            To try it: `roost new Notes` makes an app, and `roost run Notes` builds it, runs it, and lets you be its \
            user. `roost demo` shows the life cycle with real processes in a minute.

            To use it: start the system with `roost up`, install an app bundle with `roost install Name.app`, and open \
            it with `roost launch com.example.name`. `roost ps`, `roost log` and `roost why` show its state and the reasons.

            Exit codes: 0 done; 1 refused or failed (the message says why); 2 a wrong scenario or journal, or a wrong \
            argument of `roost simulate`, `explore` or `replay`; 64 any other wrong argument; 69 no system runs; 128 plus \
            the signal's number if a signal ended `roost run` or `roost watch`.

            With --json an error is one line on standard output, {"error":{"code":...,"message":...}}, with the same exit \
            code. The code is that of the system's answer (docs/wire.md), or refused, noSystem, notAuthenticated, \
            systemFault, wrongArgument, wrongInput or failed.
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
        } catch {
            let isWrong = exitCode(for: error) == .validationFailure
            let code = isWrong && checksRules ? 2 : exitCode(for: error).rawValue
            if Failure.isJSON, code != 0, !(error is ExitCode) {
                Failure.say(message(for: error), isWrong ? "wrongArgument" : "failed", code)
                Glibc.exit(code)
            }
            guard isWrong, checksRules else { exit(withError: error) }
            writeError(fullMessage(for: error) + "\n")
            Glibc.exit(code)
        }
    }

    /// Whether the command checks rules. Such commands report wrong arguments like wrong files, by one exit code, which
    /// differs from the exit code of a finding.
    private static var checksRules: Bool {
        CommandLine.arguments.dropFirst().first.map(["simulate", "explore", "replay"].contains) ?? false
    }
}
