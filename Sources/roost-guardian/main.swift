import Glibc
import Logging
import RoostGuardian
import RoostLinux
import RoostPorts

/// `roost-guardian` is the parent process of the supervisor and of every app. `roost up` executes it, so both are the same
/// process. It is a program of its own because it needs little: `roost` would take three times as much memory for it.
guard let orders = GuardianOrders(words: Array(CommandLine.arguments.dropFirst())) else {
    let said = "roost-guardian: `roost up` executes this program; do not run it by hand\n"
    write(2, said, said.utf8.count)
    exit(64)
}
var logger = Logger(label: "roost", factory: { StreamLogHandler.standardError(label: $0) })
logger.logLevel = orders.isVerbose ? .debug : .info

func level(of remark: Guardianship.Remark) -> Logger.Level {
    switch remark {
    case .isUp, .isEnding: .debug
    case .handsOver: .notice
    case .ended, .helperEnded, .hangs, .waitsForDevice, .doesNotEnd: .warning
    case .couldNotStart, .helperDidNotStart, .absentTooLong, .endsWithoutSupervisor: .error
    }
}

do throws(SystemError) {
    let log = logger
    let guardian = try Guardian(
        orders, startTime: LinuxProcesses.startTime(of:), waitsForDevice: LinuxProcesses.waitsForDevice,
        tell: { log.log(level: level(of: $0), "\($0)") })
    exit(guardian.run())
} catch {
    let said = "roost: \(error)\n"
    write(2, said, said.utf8.count)
    exit(1)
}
