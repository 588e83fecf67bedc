import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The supervisor ends in the middle of an action of the user or the device, by SIGKILL or by `roost restart`.
    /// Afterwards the state is the same, and no app is notified twice.
    @Suite(.whereCgroupsFreeze) struct DeviceRecoveryTests {
        enum Absence: CaseIterable { case killed, restarted }

        private func replace(_ absence: Absence, _ system: TestSystem) throws {
            switch absence {
            case .killed: try system.crashAndRestart()
            case .restarted:
                let (exit, _, err) = try system.roost("restart")
                #expect(exit == .code(0), "\(err)")
                try system.connect()
            }
        }

        @Test(arguments: Absence.allCases)
        func duringAnInterruption(absence: Absence) throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.openApp(.counter)
                try system.tell(.interrupt(.message))
                try system.until(.counter, is: .inactive)
                let (pid, received) = (try system.pid(.counter), system.received(.counter))
                try replace(absence, system)
                #expect(try system.until(.counter, is: .inactive).pid == pid)
                #expect(try system.status().interruption == .message)
                #expect(try system.roost("interrupt").err.contains("already"))
                #expect(try system.roost("send", "\(BundleIdentifier.counter)", "--text", "x").exit == .code(1))
                try system.untilCounted(.counter, more: 2)
                #expect(system.received(.counter) == received)
                let printed = system.log(.counter).count
                try system.tell(.dismiss)
                try system.untilActive(.counter, from: printed)
                #expect(
                    system.received(.counter)
                        == received + ["callback didBecomeActive", "notification didBecomeActive"])
            }
        }

        @Test(arguments: Absence.allCases)
        func lockedWithAPasscode(absence: Absence) throws {
            try TestSystem.run { system in
                try system.tell(.set(name: "passcode", value: "on", app: nil))
                try system.install("Counter")
                try system.install("Counter", as: .second)
                try system.openApp(.counter)
                try system.tell(.lock)
                try system.until(.counter, is: .suspended)
                let (pid, printed) = (try system.pid(.counter), system.log(.counter).count)
                try replace(absence, system)
                #expect(try system.status().isLocked)
                #expect(try system.summary(.counter).state == .suspended)
                try system.expectFrozen(.counter)
                let refused = try system.roost("launch", "\(BundleIdentifier.second)")
                #expect(refused.exit == .code(1) && refused.err.contains("locked"), "\(refused.err)")
                // An app that is launched meanwhile sees no protected data; the foreground app comes back.
                try system.tell(.unlock)
                #expect(try system.untilActive(.counter, from: printed).pid == pid)
                #expect(
                    system.received(.counter, from: printed) == [
                        "callback protectedDataDidBecomeAvailable", "notification protectedDataDidBecomeAvailable",
                        "callback willEnterForeground", "notification willEnterForeground",
                        "callback didBecomeActive", "notification didBecomeActive",
                    ])
            }
        }

        /// The app is in a callback about the device while no system runs, and more happens to the device.
        @Test(arguments: Absence.allCases)
        func theSystemIsLostDuringADeviceCallback(absence: Absence) throws {
            try TestSystem.run { system in
                try system.tell(.set(name: "passcode", value: "on", app: nil))
                try system.install("Counter", script: "protectedDataWillBecomeUnavailable wait gate\n")
                try system.makeGate(.counter)
                try system.openApp(.counter)
                let (pid, printed) = (try system.pid(.counter), system.log(.counter).count)
                try system.tell(.lock)
                try system.untilPrinted(.counter, "waits at gate")
                try replace(absence, system)
                #expect(try system.status().isLocked)
                try system.tell(.set(name: "lowPowerMode", value: "on", app: nil))
                try system.openGate(.counter)
                try system.until(.counter, is: .suspended)
                try system.expectFrozen(.counter)
                try system.tell(.unlock)
                #expect(try system.untilActive(.counter, from: printed).pid == pid)
                // The app is notified of Low Power Mode once, before it is suspended or first after it resumes.
                let news = "notification powerStateDidChange"
                let received = system.received(.counter, from: printed)
                #expect(received.count { $0 == news } == 1)
                #expect(
                    received.filter { $0 != news } == [
                        "callback willResignActive", "notification willResignActive", "callback didEnterBackground",
                        "notification didEnterBackground", "callback protectedDataWillBecomeUnavailable",
                        "notification protectedDataWillBecomeUnavailable",
                        "callback protectedDataDidBecomeAvailable", "notification protectedDataDidBecomeAvailable",
                        "callback willEnterForeground", "notification willEnterForeground",
                        "callback didBecomeActive", "notification didBecomeActive",
                    ])
            }
        }
    }
}
