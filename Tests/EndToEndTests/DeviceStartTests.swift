import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// T27, R-124, R-126: which apps the device's start launches, and which apps may be launched after it.
    @Suite(.whereCgroupsFreeze) struct DeviceStartTests {
        private static let launched = [
            "callback willFinishLaunching options=nil state=background",
            "callback didFinishLaunching state=background",
            "notification didFinishLaunching state=background",
            "callback didEnterBackground state=background",
            "notification didEnterBackground state=background",
        ]

        @Test(arguments: [false, true])
        func aVoIPAppRunsOnceTheDeviceHasStarted(withPasscode: Bool) throws {
            try TestSystem.run { system in
                try system.install("Counter", modes: ["voip"])
                try system.install("Counter", as: .second)
                if withPasscode { try system.tell(.set(name: "passcode", value: "on", app: nil)) }
                // After the device's start, an app that was swiped away may run again (R-126).
                try system.tell(.quit(.counter))
                #expect(try system.terminate() == .code(0))
                // In the same boot nothing is launched.
                try system.start()
                #expect(try system.summary(.counter).state == .notRunning)
                #expect(try system.summary(.counter).isForceQuit)
                try system.restartDevice()
                if withPasscode {
                    #expect(try system.status().isLocked)
                    #expect(try system.summary(.counter).state == .notRunning)
                    let wake = try system.roost("wake", "\(BundleIdentifier.counter)", "--reason", "locationMonitoring")
                    #expect(
                        wake.exit == .code(1) && wake.err.contains("not been unlocked since it started"), "\(wake.err)")
                    #expect(system.log(.counter).isEmpty)
                    #expect(try system.roost("unlock").exit == .code(0))
                }
                let found = try system.until(.counter, is: .suspended)
                try system.expectFrozen(.counter)
                #expect(!found.isForceQuit)
                #expect(system.callbacks(.counter) == Self.launched)
                #expect(try system.why(.counter).contains { $0.text == "launched into the background for voip" })
                #expect(try system.summary(.second).state == .notRunning, "the app has not declared the mode")
                #expect(system.log(.second).isEmpty)
                // The user opens the same process.
                #expect(try system.openApp(.counter).pid == found.pid)
                // The boot was recorded: another start of the system is not a start of the device.
                #expect(try system.terminate() == .code(0))
                try system.start()
                #expect(try system.summary(.counter).state == .notRunning)
            }
        }

        /// An app that was swiped away meanwhile is not launched; the unlock still succeeds.
        @Test func anUnlockSucceedsIfNoAppMayBeLaunched() throws {
            try TestSystem.run { system in
                try system.install("Counter", modes: ["voip"])
                try system.tell(.set(name: "passcode", value: "on", app: nil))
                try system.restartDevice()
                try system.tell(.quit(.counter))
                let (exit, out, err) = try system.roost("unlock")
                #expect(exit == .code(0) && out.contains("unlocked") && err.isEmpty, "\(out)\(err)")
                #expect(try !system.status().isLocked)
                #expect(try system.summary(.counter).state == .notRunning)
                #expect(try system.why(.counter).contains { $0.text.contains("not woken for voip") })
            }
        }

        /// The device was switched off and on again (T19): no app was notified, and the foreground app does not come
        /// back by itself.
        @Test func theForegroundAppDoesNotReturnAfterAPowerOff() throws {
            try TestSystem.run { system in
                try system.install("Counter", script: "didEnterBackground begin work\n", modes: ["voip"])
                try system.install("Counter", as: .second)
                try system.openApp(.counter)
                try system.openApp(.second)
                try system.untilInBackground(.counter)
                let before = try system.pid(.counter)
                let printed = (system.log(.counter).count, system.log(.second).count)
                #expect(try system.terminate(by: SIGPWR) == .code(0))
                try system.script(.counter, "")
                try system.startAfterAnotherBoot()
                #expect(try system.until(.counter, is: .suspended).pid != before)
                try system.expectFrozen(.counter)
                #expect(system.callbacks(.counter, from: printed.0) == Self.launched)
                #expect(try system.summary(.second).state == .notRunning)
                #expect(system.log(.second).count == printed.1)
                #expect(try system.status().foreground == nil)
            }
        }

        /// Only the device's start lifts a force quit, not the system's (R-126). From then on every source may launch
        /// the app again.
        @Test func aDeviceStartLiftsAForceQuit() throws {
            try TestSystem.run { system in
                let payload = try RemoteNotification(
                    payload: Array(#"{"aps":{"content-available":1},"text":"1"}"#.utf8))
                try system.install("Counter", script: "didFinishLaunching registers\n")
                try system.launch(.counter)
                try system.untilPrinted(.counter, "callback didRegisterForRemoteNotifications")
                try system.tell(.quit(.counter))
                try system.until(.counter, is: .notRunning)
                func expectRefusals() throws {
                    for call in [ControlCall.notification(.push(.counter, payload)), .wake(.counter, .backgroundFetch)]
                    {
                        let failure = #expect(throws: ControlFailure.self) { try system.tell(call) }
                        #expect(failure?.message.contains("swiped it away") == true, "\(failure?.message ?? "")")
                    }
                    #expect(try system.summary(.counter).pid == nil)
                }
                try expectRefusals()
                #expect(try system.terminate() == .code(0))
                try system.start()
                try expectRefusals()
                try system.restartDevice()
                // The app does not listen for calls, so only its own events launch it.
                #expect(try !system.summary(.counter).isForceQuit && system.summary(.counter).state == .notRunning)
                var printed = system.log(.counter).count
                try system.tell(.notification(.push(.counter, payload)))
                try system.untilPrinted(.counter, "callback didReceiveRemoteNotification text=1", from: printed)
                try system.until(.counter, is: .suspended)
                try system.expectFrozen(.counter)
                printed = system.log(.counter).count
                try system.tell(.wake(.counter, .backgroundFetch))
                try system.untilPrinted(.counter, "callback performFetch", from: printed)
                try system.until(.counter, is: .suspended)
                try system.expectFrozen(.counter)
            }
        }

        @Test func thePolicyCanDisableVoIPLaunches() throws {
            try TestSystem.run(settings: ["launchesVoIPAtStart=false"]) { system in
                try system.install("Counter", modes: ["voip"])
                try system.restartDevice()
                #expect(try system.summary(.counter).state == .notRunning)
                try system.tell(.wake(.counter, .voip))
                try system.until(.counter, is: .suspended)
                try system.expectFrozen(.counter)
            }
        }
    }
}
