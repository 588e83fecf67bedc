import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Events that launch or wake apps.
    @Suite struct WakeTests {
        static let launchedForLocation = [
            "callback willFinishLaunching options=UIApplicationLaunchOptionsLocationKey state=background",
            "callback didFinishLaunching state=background",
            "notification didFinishLaunching state=background",
            "callback didEnterBackground state=background",
            "notification didEnterBackground state=background",
        ]

        @Test func launchedIntoTheBackgroundThenWoken() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.tell(.wake(.counter, .locationMonitoring))
                let first = try system.until(.counter, is: .suspended)
                try system.expectFrozen(.counter)
                #expect(system.callbacks(.counter) == Self.launchedForLocation)
                #expect(try system.why(.counter).compactMap(\.state) == [.background, .suspended])
                // A suspended app is thawed, called, and suspended again.
                let printed = system.log(.counter).count
                try system.tell(.wake(.counter, .backgroundFetch))
                try system.untilPrinted(.counter, "callback performFetch", from: printed)
                let second = try system.until(.counter, is: .suspended)
                #expect(second.pid == first.pid)
                // A thaw does not repeat didEnterBackground (X-03).
                #expect(system.received(.counter, from: printed) == ["callback performFetch"])
                // The user then finds the same process.
                #expect(try system.launch(.counter).pid == first.pid)
            }
        }

        /// R-128: an app's own thread continues after its callbacks have returned, without a task.
        @Test func anAppWorksOnAfterItsCallbacks() throws {
            // The slice outlasts the test, so only the return of the callbacks could end the wake.
            try TestSystem.run(settings: ["eventSlice=10m"]) { system in
                try system.install("Counter")
                try system.tell(.wake(.counter, .locationMonitoring))
                try system.untilInBackground(.counter)
                try system.until("the app's callbacks have returned") {
                    try system.summary(.counter).assertions.contains("a callback") ? nil : true
                }
                try system.untilCounted(.counter, more: 2)
                let summary = try system.summary(.counter)
                #expect(summary.state == .background && summary.openTasks.isEmpty, "\(summary.assertions)")
                try system.expectRunning(.counter)
            }
        }

        /// R-128: the return of its callbacks does not end the slice, also for an app that was suspended.
        @Test func anEventHasItsSliceOfTime() throws {
            try TestSystem.run(settings: ["eventSlice=1s"]) { system in
                try system.install("Counter")
                try system.tell(.wake(.counter, .locationMonitoring))
                try system.until(.counter, is: .suspended)
                try system.tell(.wake(.counter, .locationMonitoring))
                try system.until(.counter, is: .suspended)
                let why = try system.why(.counter)
                let states = why.filter { $0.state != nil }
                #expect(states.compactMap(\.state) == [.background, .suspended, .background, .suspended])
                let spans = zip(states, states.dropFirst()).filter { $0.0.state == .background }
                for (from, to) in spans { #expect(to.time - from.time >= .seconds(1), "\(to.time - from.time)") }
            }
        }

        /// R-202: from the command line into the launch options of a real process.
        @Test(arguments: [LaunchReason.bluetoothCentral, .bluetoothPeripheral])
        func aBluetoothEventNamesTheManagers(_ reason: LaunchReason) throws {
            try TestSystem.run { system in
                let mode = try #require(reason.requiredMode?.rawValue)
                try system.install("Counter", modes: [mode])
                let command = [
                    "wake", "\(BundleIdentifier.counter)", "--reason", reason.rawValue, "--restore-identifier", "left",
                    "--restore-identifier", "ri ght",
                ]
                let run = try system.run([TestSystem.program] + command)
                #expect(run.exit == .code(0), "\(run.err)")
                try system.untilPrinted(.counter, "restores left, ri ght")
                let key = reason == .bluetoothCentral ? "Centrals" : "Peripherals"
                #expect(
                    system.callbacks(.counter).first?.contains("options=UIApplicationLaunchOptionsBluetooth\(key)Key")
                        == true)
                // The app runs, and has its managers.
                try system.until(.counter, is: .suspended)
                let other = try system.roost(
                    "wake", "\(BundleIdentifier.counter)", "--reason", "locationUpdate", "--restore-identifier", "left")
                #expect(other.exit == .code(64) && other.err.contains("--reason bluetoothCentral"), "\(other.err)")
            }
        }

        @Test func refusals() throws {
            try TestSystem.run { system in
                try system.install("Counter", modes: ["location", "remote-notification"])
                try expectRefusal(of: .voip, by: system, saying: "UIBackgroundModes")
                #expect(try system.summary(.counter).state == .notRunning)
                #expect(system.log(.counter).isEmpty)
                // Events that wake it otherwise do not after a force quit, until the user opens the app.
                try system.launch(.counter)
                try system.tell(.quit(.counter))
                try system.until(.counter, is: .notRunning)
                let printed = system.log(.counter).count
                try expectRefusal(of: .remoteNotification, by: system, saying: "swiped it away")
                // The force quit outlives the system.
                try system.crashAndRestart()
                try expectRefusal(of: .remoteNotification, by: system, saying: "swiped it away")
                #expect(system.log(.counter).count == printed)
                // Since iOS 8, a location event may wake it (R-75, R-99), but does not lift the force quit.
                try system.tell(.wake(.counter, .locationMonitoring))
                try system.until(.counter, is: .suspended)
                try expectRefusal(of: .remoteNotification, by: system, saying: "swiped it away")
                try system.launch(.counter)
                try system.suspend(.counter)
                try system.tell(.wake(.counter, .remoteNotification))
            }
        }

        private func expectRefusal(of reason: LaunchReason, by system: TestSystem, saying text: String) throws {
            let failure = #expect(throws: ControlFailure.self) { try system.tell(.wake(.counter, reason)) }
            #expect(failure?.code == .refused)
            #expect(failure?.message.contains(text) == true, "\(failure?.message ?? "")")
        }
    }
}
