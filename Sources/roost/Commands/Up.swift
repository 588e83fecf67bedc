import ArgumentParser
import CRoost
import Glibc
import LifeCycleModel
import Logging
import RoostGuardian
import RoostLinux
import RoostPorts

/// Runs the system. This process is the guardian, which starts the supervisor and restarts it.
struct Up: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Run the system, in the foreground, until SIGTERM or Ctrl-C.",
        discussion: """
            On SIGTERM, running apps receive willTerminate and suspended apps are ended without notice, all within 10 s. \
            This process is the guardian. It starts the supervisor as a second process, and again if that process dies. If \
            both are killed, the apps keep running, and the next `roost up` finds them.
            """)

    @OptionGroup var options: SystemOptions
    @Option(help: ArgumentHelp("End with this process, which started us.", visibility: .hidden))
    var withParent: Int32?

    func run() throws {
        // The system must survive the end of the program that reads its output.
        signal(SIGPIPE, SIG_IGN)
        let (logger, state) = (options.logger, options.state.path)
        let policy = try options.chosenPolicy()
        // Set before anything is started, because child processes inherit it.
        OutOfMemoryScore.protectSelf()
        do throws(SystemError) {
            try SystemEnvironment().check()
            let guardian = try Guardian(
                Guardian.Parts(
                    supervisor: Supervise.command(options),
                    release: { Release.command(state: state, guardian: getpid(), system: $0) },
                    absence: policy.supervisorAbsence, hang: policy.supervisorHang,
                    shutdown: policy.shutdown + policy.shutdownGrace, startTime: LinuxProcesses.startTime(of:),
                    waitsForDevice: LinuxProcesses.waitsForDevice,
                    tell: { logger.log(level: Self.level(of: $0), "\($0)") }))
            // A system that belongs to another process must end with it, even after SIGKILL.
            if let withParent, croost_end_with_parent(withParent, SIGTERM) == ESRCH { kill(getpid(), SIGTERM) }
            let code = guardian.run()
            if code != 0 { Glibc.exit(code) }
        } catch {
            throw Failure.failed(error.description)
        }
    }

    private static func level(of remark: Guardianship.Remark) -> Logger.Level {
        switch remark {
        case .isUp, .isEnding: .debug
        case .handsOver: .notice
        case .ended, .carrierEnded, .hangs, .waitsForDevice, .doesNotEnd: .warning
        case .couldNotStart, .carrierDidNotStart, .absentTooLong, .endsWithoutSupervisor: .error
        }
    }
}
