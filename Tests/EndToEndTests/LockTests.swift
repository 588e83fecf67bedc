import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// T09, T10, T27, R-124, R-125: the lock, the passcode, and the start of the device.
    @Suite(.whereCgroupsFreeze) struct LockTests {
        private static let leave = [
            "callback willResignActive", "notification willResignActive", "callback didEnterBackground",
            "notification didEnterBackground",
        ]
        private static let comeBack = [
            "callback willEnterForeground", "notification willEnterForeground", "callback didBecomeActive",
            "notification didBecomeActive",
        ]
        private static let dataGoes = [
            "callback protectedDataWillBecomeUnavailable", "notification protectedDataWillBecomeUnavailable",
        ]
        private static let dataComes = [
            "callback protectedDataDidBecomeAvailable", "notification protectedDataDidBecomeAvailable",
        ]

        @Test(arguments: [false, true])
        func theFrontLeavesAndComesBack(withPasscode: Bool) throws {
            try TestSystem.run { system in
                if withPasscode { try system.tell(.set(name: "passcode", value: "on", app: nil)) }
                try system.install("Counter")
                let pid = try #require(try system.openApp(.counter).pid)
                for _ in 1...2 {
                    var printed = system.log(.counter).count
                    try system.tell(.lock)
                    try system.until(.counter, is: .suspended)
                    try system.expectFrozen(.counter)
                    #expect(
                        system.told(.counter, from: printed) == Self.leave + (withPasscode ? Self.dataGoes : []))
                    let isTold = system.log(.counter).dropFirst(printed).contains { $0.contains("available=false") }
                    #expect(isTold == withPasscode)
                    #expect(try system.status().isLocked)
                    printed = system.log(.counter).count
                    try system.tell(.unlock)
                    #expect(try system.untilActive(.counter, from: printed).pid == pid)
                    #expect(
                        system.told(.counter, from: printed) == (withPasscode ? Self.dataComes : []) + Self.comeBack)
                    #expect(try !system.status().isLocked)
                }
            }
        }

        /// What was suspended all the while has nothing to hear; what runs in the background does.
        @Test func whoIsToldOfProtectedData() throws {
            try TestSystem.run { system in
                try system.tell(.set(name: "passcode", value: "on", app: nil))
                try system.install("Counter")
                try system.install("Counter", as: .second, script: "didEnterBackground begin work\n")
                try system.openApp(.counter)
                try system.suspend(.counter)
                try system.openApp(.second)
                try system.tell(.home)
                try system.untilInBackground(.second)
                let (first, second) = (system.log(.counter).count, system.log(.second).count)
                try system.tell(.lock)
                try system.untilPrinted(.second, Self.dataGoes[1], from: second)
                try system.tell(.unlock)
                try system.untilPrinted(.second, Self.dataComes[1], from: second)
                #expect(system.told(.second, from: second) == Self.dataGoes + Self.dataComes)
                #expect(try system.status().front == nil, "nobody was in front")
                try system.openApp(.counter)
                #expect(system.told(.counter, from: first) == Self.comeBack)
            }
        }

        @Test func itLocksItselfUnlessTheFrontObjects() throws {
            try TestSystem.run { system in
                try system.install("Counter", script: "didBecomeActive awake on\nwillResignActive awake off\n")
                try system.install("Counter", as: .second)
                try system.openApp(.counter)
                #expect(try system.roost("settings", "autoLock", "1s").exit == .code(0))
                // Nobody touches it for longer than that, by the app's own clock.
                try system.untilCounted(.counter, more: 16)
                #expect(try system.summary(.counter).state == .active)
                let begin = ContinuousClock.now
                try system.tell(.launch(.second))
                let locked = try system.until("it locks itself") { system.heard.first { $0.kind == "locked" } }
                #expect(locked.text.contains("nobody touched it"), "\(locked.text)")
                #expect(ContinuousClock.now - begin >= .seconds(1))
                try system.until(.second, is: .suspended)
                #expect(try system.status().isLocked)
                try system.tell(.set(name: "autoLock", value: "never", app: nil))
                try system.tell(.unlock)
                try system.until(.second, is: .active)
            }
        }

        // MARK: The start of the device

        /// One that was swiped away meanwhile is not launched; the device is unlocked all the same.
        @Test func unlockedWhereNobodyMayBeLaunched() throws {
            try TestSystem.run { system in
                try system.install("Counter", modes: ["voip"])
                try system.tell(.set(name: "passcode", value: "on", app: nil))
                #expect(try system.terminate() == .code(0))
                try "another".write(toFile: system.state + "/boot-id", atomically: true, encoding: .utf8)
                try system.start()
                try system.tell(.quit(.counter))
                let (exit, out, err) = try system.roost("unlock")
                #expect(exit == .code(0) && out.contains("unlocked") && err.isEmpty, "\(out)\(err)")
                #expect(try !system.status().isLocked)
                #expect(try system.summary(.counter).state == .notRunning)
                #expect(try system.why(.counter).contains { $0.text.contains("not woken for voip") })
            }
        }

        @Test(arguments: [false, true])
        func aVoIPAppRunsOnceTheDeviceHasStarted(withPasscode: Bool) throws {
            try TestSystem.run { system in
                try system.install("Counter", modes: ["voip"])
                try system.install("Counter", as: .second)
                if withPasscode { try system.tell(.set(name: "passcode", value: "on", app: nil)) }
                // What the user has swiped away may run again once the device was started.
                try system.tell(.quit(.counter))
                #expect(try system.terminate() == .code(0))
                // The same boot: nothing is launched.
                try system.start()
                #expect(try system.summary(.counter).state == .notRunning)
                #expect(try system.summary(.counter).isForceQuit)
                #expect(try system.terminate() == .code(0))
                try "another".write(toFile: system.state + "/boot-id", atomically: true, encoding: .utf8)
                try system.start()
                if withPasscode {
                    #expect(try system.status().isLocked)
                    #expect(try system.summary(.counter).state == .notRunning)
                    let wake = try system.roost("wake", "\(BundleIdentifier.counter)", "--reason", "location")
                    #expect(wake.exit == .code(1) && wake.err.contains("not unlocked since its start"), "\(wake.err)")
                    #expect(try system.roost("unlock").exit == .code(0))
                }
                let found = try system.until(.counter, is: .suspended)
                #expect(!found.isForceQuit)
                #expect(
                    system.callbacks(.counter) == [
                        "callback willFinishLaunching options=nil state=background",
                        "callback didFinishLaunching state=background",
                        "notification didFinishLaunching state=background",
                        "callback didEnterBackground state=background",
                        "notification didEnterBackground state=background",
                    ])
                #expect(try system.summary(.second).state == .notRunning, "it has not declared the mode")
                // It is the same process that the user opens.
                #expect(try system.openApp(.counter).pid == found.pid)
                // The boot was noted: another start of the system is no start of the device.
                #expect(try system.terminate() == .code(0))
                try system.start()
                #expect(try system.summary(.counter).state == .notRunning)
            }
        }

        /// T19: nobody is told, whatever state it is in.
        @Test func theDeviceIsSwitchedOff() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.openApp(.counter)
                try system.suspend(.counter)
                try system.install("Counter", as: .second, script: "didEnterBackground begin work\n")
                try system.openApp(.second)
                try system.install("Counter", as: .third)
                try system.openApp(.third)
                try system.untilInBackground(.second)
                let apps: [BundleIdentifier] = [.counter, .second, .third]
                let (processes, told) = (try apps.map { try system.process($0) }, apps.map { system.told($0) })
                #expect(try system.terminate(by: SIGPWR) == .code(0))
                #expect(processes.filter { !$0.isGone }.isEmpty)
                #expect(apps.map { system.told($0) } == told)
            }
        }
    }
}
