import ArgumentParser
import CRoost
import Glibc
import LifeCycleModel
import RoostGuardian
import RoostLinux
import RoostPorts

/// Runs the system: this process executes the guardian, which starts the supervisor and restarts it.
struct Up: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Run the system, in the foreground, until SIGTERM or Ctrl-C.",
        discussion: """
            On SIGTERM, running apps receive willTerminate and suspended apps are ended without notice, all within 10 s. \
            This process becomes the guardian, `roost-guardian`. It starts the supervisor as a second process, and again if \
            that process dies. If both are killed, the apps keep running, and the next `roost up` finds them.
            """)

    @OptionGroup var options: SystemOptions
    @Option(help: ArgumentHelp("End with this process, which started us.", visibility: .hidden))
    var withParent: Int32?

    func run() throws {
        // The system must survive the end of the program that reads its output.
        signal(SIGPIPE, SIG_IGN)
        let policy = try options.chosenPolicy()
        do throws(SystemError) {
            try SystemEnvironment().check()
            // Set before anything is started, because child processes inherit it.
            OutOfMemoryScore.protectSelf()
            // A system that belongs to another process must end with it, even after SIGKILL.
            if let withParent, croost_end_with_parent(withParent, SIGTERM) == ESRCH { kill(getpid(), SIGTERM) }
            let program = OwnProgram.path
            try become(
                GuardianOrders(
                    program: program, image: OwnProgram.descriptor(), supervisor: Supervise.command(options),
                    release: Release.command(state: options.state.path, guardian: getpid()),
                    absence: policy.supervisorAbsence, hang: policy.supervisorHang,
                    shutdown: policy.shutdown + policy.shutdownGrace, isVerbose: options.verbose))
        } catch {
            throw Failure.failed(error.description)
        }
    }

    /// Executes `roost-guardian`: this process becomes the guardian, with the same pid.
    private func become(_ orders: GuardianOrders) throws(SystemError) -> Never {
        let name = GuardianOrders.programName
        let program = OwnProgram.beside(name)
        var words = ([name] + orders.words).map { strdup($0) } + [nil]
        execv(program, &words)
        throw .now("start the guardian", program, advice: "install \(name) beside roost, in the same directory")
    }
}
