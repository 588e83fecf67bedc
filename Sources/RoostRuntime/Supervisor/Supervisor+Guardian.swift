internal import Glibc
public import LifeCycleModel
import LifeCyclePolicy
import Logging
public import RoostPorts

/// What a signal means to the system.
public enum SupervisorSignal: Hashable, Sendable, CaseIterable {
    /// SIGTERM, SIGINT, SIGHUP: the system is to end, with its apps (T15, T16).
    case shutDown
    /// SIGPWR: the device is switched off or started anew (T19).
    case deviceShutsDown

    /// The signals.
    public var numbers: [Int32] {
        switch self {
        case .shutDown: [SIGTERM, SIGINT, SIGHUP]
        case .deviceShutsDown: [SIGPWR]
        }
    }

    /// What this signal means; nil for one that means nothing.
    public init?(number: Int32) {
        guard let meant = Self.allCases.first(where: { $0.numbers.contains(number) }) else { return nil }
        self = meant
    }
}

/// The supervisor's guardian, as the loop sees it.
struct GuardianWatch {
    let pid: Int32
}

extension Supervisor {
    /// Why `run` has come to its end.
    public enum Ending: Hashable, Sendable {
        /// The system is down: no app is left.
        case shutDown
        /// A successor is to go on, at once. Apps were not touched.
        case restart
        /// The guardian has gone. Apps were not touched.
        case guardianLost
    }

    /// Leaves `run` when the other end of `descriptor`, which the guardian with this pid holds, hangs up. From now on
    /// the system may be asked to restart.
    public func watchGuardian(pid: Int32, at descriptor: Int32) throws(SystemError) {
        // For nothing but the end: what can be read is an answer, and whoever asked for it reads it.
        try loop.add(descriptor, events: .hangUp) { [unowned self] _ in
            loop.remove(descriptor)
            leave(.guardianLost)
        }
        guardian = GuardianWatch(pid: pid)
    }

    /// Says from now on when the loop is busy, for how long at most, and when it sleeps until when: so that somebody else
    /// can tell that it hangs. Once it has ended it is `off`.
    public func beat(
        busy: @escaping (Nanoseconds) -> Void, asleep: @escaping (Nanoseconds?) -> Void, off: @escaping () -> Void
    ) {
        let limit = device.policy.supervisorHang
        loop.onTurn = { busy(limit) }
        loop.onSleep = { deadline in
            asleep(deadline.map { max($0, EventLoop.now) + limit })
        }
        stopBeating = off
    }

    /// Leaves `run` after this turn, without touching apps; what is owed is written before.
    func leave(_ ending: Ending) {
        self.ending = ending
        finish()
    }

    func signalled(_ number: Int32) {
        guard let signal = SupervisorSignal(number: number) else { return }
        logger.info("shutting down", metadata: ["signal": "\(number)"])
        switch signal {
        case .shutDown: submit(.device(.shutdownBegan))
        case .deviceShutsDown: submit(.device(.deviceShutdownBegan))
        }
    }
}
