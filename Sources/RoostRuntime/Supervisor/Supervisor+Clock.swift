import CRoost
import Glibc
import LifeCyclePolicy
import Logging
import RoostPorts

/// Changes of the device's clock.
extension Supervisor {
    /// Reports each time that the wall clock is set. The kernel then cancels a timer that exists for this purpose only.
    func watchClock() {
        var descriptor: Int32 = -1
        let code = croost_clock_watch(&descriptor)
        guard code == 0 else { return unwatchedClock(code) }
        do throws(SystemError) {
            try loop.add(descriptor, events: .readable) { [unowned self] _ in
                if croost_clock_was_set(descriptor) != 0 { submit(.device(.clockWasSet)) }
            }
        } catch {
            close(descriptor)
            unwatchedClock(error.errno)
        }
    }

    private func unwatchedClock(_ code: Int32) {
        logger.warning(
            "apps are not notified when the clock is set", metadata: ["problem": "\(String(cString: strerror(code)))"])
    }
}
