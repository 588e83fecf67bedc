import CRoost
import Glibc
import LifeCycleModel
import LifeCyclePolicy
import Logging
import RoostPorts

/// Changes of the device's clock.
extension Supervisor {
    /// Reports each step of the wall clock. The kernel then cancels a timer that exists for this purpose only.
    func watchClock() {
        var descriptor: Int32 = -1
        let code = croost_clock_watch(&descriptor)
        guard code == 0 else { return unwatchedClock(code) }
        var ahead = Self.wallAhead
        do throws(SystemError) {
            try loop.add(descriptor, events: .readable) { [unowned self] _ in
                guard croost_clock_was_set(descriptor) != 0 else { return }
                let old = ahead
                ahead = Self.wallAhead
                submit(.device(.clockStepped(by: ahead - old)))
            }
        } catch {
            close(descriptor)
            unwatchedClock(error.errno)
        }
    }

    /// The wall clock's reading minus that of CLOCK_BOOTTIME, which is never set.
    private static var wallAhead: Nanoseconds {
        let now = Moment.now
        return now.wall - now.elapsed
    }

    private func unwatchedClock(_ code: Int32) {
        logger.warning(
            "apps are not notified when the clock is set", metadata: ["problem": "\(String(cString: strerror(code)))"])
    }
}
