import Glibc
import RoostCarrier
import RoostGuardian
import RoostPorts

/// Carriers that the guardian starts from `roost-carry`, in the directory of this program.
final class GuardedCarriers: CarrierStarter {
    private let link: GuardianLink
    private let program = OwnProgram.beside("roost-carry")

    init(_ link: GuardianLink) { self.link = link }

    /// The known reason why no carrier can be started; nil if no reason is known.
    var obstacle: SystemError? {
        guard access(program, X_OK) != 0 else { return nil }
        return .now(
            "start the download process", program, advice: "install roost-carry beside roost, in the same directory")
    }

    func startCarrier(_ number: Int64) throws(SystemError) -> Int32 {
        if let obstacle { throw obstacle }
        return try link.startCarrier(number)
    }

    func endCarrier(_ number: Int64) { link.endCarrier(number) }
}
