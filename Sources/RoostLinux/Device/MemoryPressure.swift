internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// Reports low memory by the kernel's own measure: how long work has waited for memory (PSI).
///
/// A trigger costs nothing while memory is plentiful. A trigger fires some hundredths of a second to two seconds late,
/// and at most once per window while the shortage lasts.
public final class MemoryPressure: MemoryWatch {
    /// The condition for one level: work stalled for `stall` within any `window`.
    public struct Trigger: Hashable, Sendable {
        /// Whether all work must be stalled, not only some.
        public var isFull: Bool
        /// The total stall time.
        public var stall: Nanoseconds
        /// The length of the window. Without privileges, the kernel accepts only multiples of 2 s.
        public var window: Nanoseconds

        /// The kernel checks the values when the trigger is set.
        public init(isFull: Bool, stall: Nanoseconds, window: Nanoseconds) {
            self.isFull = isFull
            self.stall = stall
            self.window = window
        }

        /// The trigger in the kernel's format: `some 150000 2000000`.
        var text: String { "\(kind) \(stall.rawValue / 1000) \(window.rawValue / 1000)" }

        private var kind: String { isFull ? "full" : "some" }

        fileprivate var summary: String {
            "\(kind) \(stall.rawValue / 1_000_000) ms in \(window.rawValue / 1_000_000_000) s"
        }

        /// Some work stalled for 150 ms in 2 s.
        public static let low = Trigger(isFull: false, stall: .milliseconds(150), window: .seconds(2))
        /// All work stalled for 100 ms in 2 s.
        public static let short = Trigger(isFull: true, stall: .milliseconds(100), window: .seconds(2))
    }

    /// The descriptors to wait on; empty if the kernel has no PSI or denies access.
    public let signals: [MemorySignal]
    /// The mechanism that detects low memory, or why low memory cannot be detected.
    public let mechanism: String
    /// Why low memory cannot be detected; nil if detection works.
    public let limitation: SystemError?

    /// Sets the triggers in `file`: the device's own, or the `memory.pressure` of a cgroup.
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
            mechanism = "cannot detect low memory: \(error.reason)"
        }
        self.signals = signals
    }

    deinit { for signal in signals { close(signal.descriptor) } }

    private static func register(_ trigger: Trigger, at file: String) throws(SystemError) -> Int32 {
        let descriptor = open(file, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .now("watch the memory pressure", file, advice: advice(errno))
        }
        // The kernel expects a NUL at the end.
        guard Files.writeAll(Array(trigger.text.utf8) + [0], to: descriptor) else {
            let code = errno
            close(descriptor)
            throw SystemError(
                doing: "watch the memory pressure", subject: "\(file): \(trigger.text)", errno: code,
                advice: advice(code))
        }
        return descriptor
    }

    private static func advice(_ code: Int32) -> String? {
        switch code {
        case ENOENT, EOPNOTSUPP: "this kernel has no PSI, or it is off: start it with psi=1"
        case EACCES, EPERM: "only root may use PSI here: run as root, or with CAP_SYS_RESOURCE"
        case EINVAL: "without privileges a window must be a multiple of 2 s, from Linux 6.1 on"
        default: nil
        }
    }
}
