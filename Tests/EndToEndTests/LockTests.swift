import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// T09, T10, T19, R-125: the lock, the passcode, and switching the device off.
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
        func lockingSuspendsTheForegroundApp(withPasscode: Bool) throws {
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
                        system.received(.counter, from: printed) == Self.leave + (withPasscode ? Self.dataGoes : []))
                    let isTold = system.log(.counter).dropFirst(printed).contains { $0.contains("available=false") }
                    #expect(isTold == withPasscode)
                    #expect(try system.status().isLocked)
                    printed = system.log(.counter).count
                    try system.tell(.unlock)
                    #expect(try system.untilActive(.counter, from: printed).pid == pid)
                    #expect(
                        system.received(.counter, from: printed)
                            == (withPasscode ? Self.dataComes : []) + Self.comeBack)
                    #expect(try !system.status().isLocked)
                }
            }
        }

        /// An app that was suspended throughout is not notified; an app that runs in the background is.
        @Test func onlyRunningAppsAreNotifiedOfProtectedData() throws {
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
                #expect(system.received(.second, from: second) == Self.dataGoes + Self.dataComes)
                #expect(try system.status().foreground == nil, "no app was in the foreground")
                try system.openApp(.counter)
                #expect(system.received(.counter, from: first) == Self.comeBack)
            }
        }

        @Test func autoLockWaitsForTheForegroundApp() throws {
            try TestSystem.run { system in
                try system.install("Counter", script: "didBecomeActive awake on\nwillResignActive awake off\n")
                try system.install("Counter", as: .second)
                try system.openApp(.counter)
                #expect(try system.roost("settings", "autoLock", "1s").exit == .code(0))
                // The app counts for longer than the Auto-Lock time without a touch.
                try system.untilCounted(.counter, more: 16)
                #expect(try system.summary(.counter).state == .active)
                let begin = ContinuousClock.now
                try system.tell(.launch(.second))
                let locked = try system.until("the device locks itself") {
                    system.receivedDecisions.first { $0.kind == "locked" }
                }
                #expect(locked.text.contains("Auto-Lock"), "\(locked.text)")
                #expect(ContinuousClock.now - begin >= .seconds(1))
                try system.until(.second, is: .suspended)
                #expect(try system.status().isLocked)
                try system.tell(.set(name: "autoLock", value: "never", app: nil))
                try system.tell(.unlock)
                try system.until(.second, is: .active)
            }
        }

        /// T19: no app is notified, in any state.
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
                let (processes, received) = (try apps.map { try system.process($0) }, apps.map { system.received($0) })
                #expect(try system.terminate(by: SIGPWR) == .code(0))
                #expect(processes.filter { !$0.isGone }.isEmpty)
                #expect(apps.map { system.received($0) } == received)
            }
        }
    }
}
