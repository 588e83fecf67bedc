import CRoost
import Glibc
import LifeCyclePolicy
import Logging
import RoostPorts

/// The device's clock, as people set it.
extension Supervisor {
    /// Reports each setting of the wall clock as it happens: a timer that nobody waits for is cancelled by it.
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
            "apps can't be told when the clock is set", metadata: ["problem": "\(String(cString: strerror(code)))"])
    }
}
