internal import Glibc
public import LifeCycleModel
import LifeCyclePolicy
import Logging
public import RoostPorts

/// The meaning of a signal to the system.
public enum SupervisorSignal: Hashable, Sendable, CaseIterable {
    /// SIGTERM, SIGINT, SIGHUP: shut down the system and its apps (T15, T16).
    case shutDown
    /// SIGPWR: the device is powering off or rebooting (T19).
    case deviceShutsDown

    /// The signals with this meaning.
    public var numbers: [Int32] {
        switch self {
        case .shutDown: [SIGTERM, SIGINT, SIGHUP]
        case .deviceShutsDown: [SIGPWR]
        }
    }

    /// The meaning of a signal; nil if the signal has no meaning here.
    public init?(number: Int32) {
        guard let meant = Self.allCases.first(where: { $0.numbers.contains(number) }) else { return nil }
        self = meant
    }
}

/// The guardian's process, for `roost status`.
struct GuardianWatch {
    let pid: Int32
}

extension Supervisor {
    /// The reason why `run` returned.
    public enum Ending: Hashable, Sendable {
        /// The system has shut down, and no app is left.
        case shutDown
        /// A successor takes over at once. The apps were not touched.
        case restart
        /// The guardian has exited. The apps were not touched.
        case guardianLost
    }

    /// Watches the guardian with this pid, which holds the other end of `descriptor`: `run` returns when that end hangs
    /// up. From now on, the system can be restarted.
    public func watchGuardian(pid: Int32, at descriptor: Int32) throws(SystemError) {
        // Only the hang-up is watched. Readable data is an answer, which the code that asked for it reads.
        try loop.add(descriptor, events: .hangUp) { [unowned self] _ in
            loop.remove(descriptor)
            leave(.guardianLost)
        }
        guardian = GuardianWatch(pid: pid)
    }

    /// Installs callbacks from which another process can detect a hang.
    ///
    /// - Parameters:
    ///   - busy: Called when an iteration begins, with the longest time that it may take.
    ///   - asleep: Called before the loop sleeps, with the time by which it must run again; nil for never.
    ///   - off: Called at the end.
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

    /// Leaves `run` after this iteration, without touching apps. Pending changes are written first.
    func leave(_ ending: Ending) {
        self.ending = ending
        finish()
    }

    func signaled(_ number: Int32) {
        guard let signal = SupervisorSignal(number: number) else { return }
        logger.info("shutting down", metadata: ["signal": "\(number)"])
        switch signal {
        case .shutDown: submit(.device(.shutdownBegan))
        case .deviceShutsDown: submit(.device(.deviceShutdownBegan))
        }
    }
}
