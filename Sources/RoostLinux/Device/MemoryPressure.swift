internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// Tells when the device lacks memory, by the kernel's own measure of it: how long work has waited for memory (PSI).
///
/// A trigger costs nothing while memory is plenty. It fires a few hundredths of a second to two seconds after the fact,
/// and at most once per window while the lack lasts.
public final class MemoryPressure: MemoryWatch {
    /// When one level is reached: work stalled for `stall` within any `window`.
    public struct Trigger: Hashable, Sendable {
        /// Whether all work has to wait, not only some.
        public var isFull: Bool
        /// How long, altogether.
        public var stall: Nanoseconds
        /// Within which time. Without privileges the kernel takes only multiples of 2 s.
        public var window: Nanoseconds

        /// A trigger with these values.
        public init(isFull: Bool, stall: Nanoseconds, window: Nanoseconds) {
            self.isFull = isFull
            self.stall = stall
            self.window = window
        }

        /// As the kernel takes it: `some 150000 2000000`.
        var text: String { "\(kind) \(stall.rawValue / 1000) \(window.rawValue / 1000)" }

        private var kind: String { isFull ? "full" : "some" }

        fileprivate var summary: String {
            "\(kind) \(stall.rawValue / 1_000_000) ms in \(window.rawValue / 1_000_000_000) s"
        }

        /// Some work waited for 150 ms in 2 s.
        public static let low = Trigger(isFull: false, stall: .milliseconds(150), window: .seconds(2))
        /// All work waited for 100 ms in 2 s.
        public static let short = Trigger(isFull: true, stall: .milliseconds(100), window: .seconds(2))
    }

    /// What to wait on; empty where the kernel has no PSI, or will not tell us.
    public let signals: [MemorySignal]
    /// What tells, or why nothing does.
    public let mechanism: String
    /// Why nothing tells; nil if something does.
    public let limitation: SystemError?

    /// Sets the triggers at `file`: the device's own, or the `memory.pressure` of a cgroup.
    public init(low: Trigger = .low, short: Trigger = .short, file: String = "/proc/pressure/memory") {
        var signals: [MemorySignal] = []
        do throws(SystemError) {
            for (level, trigger) in [(MemoryLevel.low, low), (.short, short)] {
                signals.append(MemorySignal(descriptor: try Self.register(trigger, at: file), level: level))
            }
            limitation = nil
            mechanism = "PSI \(low.summary), \(short.summary)"
        } catch {
            for signal in signals { close(signal.descriptor) }
            signals = []
            limitation = error
            mechanism = "nothing tells when memory runs low: \(error.reason)"
        }
        self.signals = signals
    }

    deinit { for signal in signals { close(signal.descriptor) } }

    private static func register(_ trigger: Trigger, at file: String) throws(SystemError) -> Int32 {
        let descriptor = open(file, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .now("watch the pressure on memory", file, advice: advice(errno))
        }
        // The kernel takes the NUL for the end of the line.
        guard Files.writeAll(Array(trigger.text.utf8) + [0], to: descriptor) else {
            let code = errno
            close(descriptor)
            throw SystemError(
                doing: "watch the pressure on memory", subject: "\(file): \(trigger.text)", errno: code,
                advice: advice(code))
        }
        return descriptor
    }

    private static func advice(_ code: Int32) -> String? {
        switch code {
        case ENOENT, EOPNOTSUPP: "this kernel has no PSI, or it is off: start it with psi=1"
        case EACCES, EPERM: "PSI is for root here: run as root, or with CAP_SYS_RESOURCE"
        case EINVAL: "without privileges a window has to be a multiple of 2 s, from Linux 6.1 on"
        default: nil
        }
    }
}
