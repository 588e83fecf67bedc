import Glibc
import RoostGuardian
import RoostHelpers
import RoostPorts

/// Processes of one helper program that the guardian starts, from the directory of this program.
final class GuardedHelpers: HelperStarter {
    private let link: GuardianLink
    private let program: HelperProgram
    private let path: String

    init(_ program: HelperProgram, _ link: GuardianLink) {
        (self.program, self.link) = (program, link)
        path = OwnProgram.beside(program.rawValue)
    }

    /// The known reason why no process can be started; nil if no reason is known.
    var obstacle: SystemError? {
        guard access(path, X_OK) != 0 else { return nil }
        let task =
            switch program {
            case .carry: "start the download process"
            case .gps: "start the process that reads positions"
            }
        return .now(task, path, advice: "install \(program.rawValue) beside roost, in the same directory")
    }

    func startHelper(_ number: Int64) throws(SystemError) -> Int32 {
        if let obstacle { throw obstacle }
        return try link.start(program, number)
    }

    func endHelper(_ number: Int64) { link.end(program, number) }
}
