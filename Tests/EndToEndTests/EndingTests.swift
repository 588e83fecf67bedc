import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The ends of apps: by opting out, by the user's swipe, with their children, and with the system.
    @Suite struct EndingTests {
        @Test func optOutEndsOnHome() throws {
            try TestSystem.run { system in
                try system.install("OptOut")
                try system.launch(.optOut)
                let process = try system.process(.optOut)
                try system.tell(.home)
                let end = try system.until(.optOut, is: .notRunning)
                #expect(process.isGone)
                #expect(end.lastEnd?.contains("exit code 0") == true, "\(end.lastEnd ?? "")")
                #expect(
                    system.log(.optOut) == [
                        "active; multitasking supported: false", "will resign active",
                        "will terminate: the last chance to save",
                    ])
            }
        }

        /// A running app is notified, a suspended app is not (X-04).
        @Test(.whereCgroupsFreeze) func forceQuit() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.launch(.counter)
                try quit(system)
                let end = ["callback willTerminate", "notification willTerminate"]
                let leave = ["callback willResignActive", "notification willResignActive"]
                #expect(system.received(.counter).suffix(4) == leave + end)
                #expect(try system.summary(.counter).lastEnd?.contains("exit code 0") == true)

                try system.script(.counter, "didEnterBackground begin stay\n")
                try system.launch(.counter)
                #expect(try system.summary(.counter).isForceQuit == false, "opening the app clears the flag")
                try system.tell(.home)
                try system.untilPrinted(.counter, "begun stay")
                try system.until(.counter, is: .background)
                try quit(system)
                #expect(
                    system.received(.counter).suffix(4)
                        == ["callback didEnterBackground", "notification didEnterBackground"] + end)

                try system.script(.counter, "")
                try system.launch(.counter)
                try system.suspend(.counter)
                let received = system.received(.counter)
                try quit(system)
                #expect(system.received(.counter) == received)
                #expect(try system.summary(.counter).lastEnd?.contains("signal 9") == true)
            }
        }

        private func quit(_ system: TestSystem) throws {
            let process = try system.process(.counter)
            let cgroup = try #require(Kernel.cgroup(of: process.pid))
            try system.tell(.quit(.counter))
            let end = try system.until(.counter, is: .notRunning)
            #expect(process.isGone)
            #expect(end.isForceQuit)
            #expect(!FileManager.default.fileExists(atPath: cgroup))
        }

        @Test(.whereCgroupsFreeze) func childrenAreEndedWithTheApp() throws {
            try TestSystem.run { system in
                try system.install("Counter", script: "didBecomeActive fork\ndidEnterBackground exit 3\n")
                try system.launch(.counter)
                let printed = try system.untilPrinted(.counter, "child ")
                let child = try #require(printed.split(separator: " ").last.flatMap { Int32($0) })
                let held = try #require(HeldProcess(child))
                let cgroup = try #require(Kernel.cgroup(of: child))
                #expect(try cgroup == Kernel.cgroup(of: system.pid(.counter)))
                try system.tell(.home)
                let end = try system.until(.counter, is: .notRunning)
                try held.waitUntilGone()
                #expect(end.lastEnd?.contains("exit code 3") == true, "\(end.lastEnd ?? "")")
                // The system removes the cgroup once the kernel reports that the child has left it, too.
                try system.until("the app's cgroup is removed", lookingAgainAfter: 0.05) {
                    FileManager.default.fileExists(atPath: cgroup) ? nil : true
                }
            }
        }

        /// A shell script that is not built on Roost.
        @Test func adoptedScript() throws {
            try TestSystem.run(settings: ["adoptedBackgroundTime=1s"]) { system in
                try system.install("Clock")
                #expect(try system.launch(.clock).isAdopted)
                try system.untilPrinted(.clock, "")
                let process = try system.process(.clock)
                try system.suspend(.clock)
                let lines = try system.why(.clock)
                let began = try #require(lines.last { $0.state == .background }).time
                let ended = try #require(lines.last { $0.state == .suspended }).time
                #expect(ended - began >= .milliseconds(900))
                #expect(try system.launch(.clock).pid == process.pid)
                let printed = system.log(.clock).count
                try system.untilPrinted(.clock, "", from: printed)
                try system.tell(.quit(.clock))
                let end = try system.until(.clock, is: .notRunning)
                #expect(end.lastEnd?.contains("signal 15") == true, "\(end.lastEnd ?? "")")
            }
        }

        @Test(.whereCgroupsFreeze) func systemIsAskedToEnd() throws {
            try TestSystem.run { system in
                try system.install("Counter", as: .third)
                try system.launch(.third)
                try system.suspend(.third)
                try system.install("Counter", as: .second, script: "didEnterBackground begin stay\n")
                try system.launch(.second)
                try system.install("Counter")
                try system.launch(.counter)
                try system.until(.second, is: .background)
                let apps: [BundleIdentifier] = [.counter, .second, .third]
                let processes = try apps.map { try system.process($0) }
                let (tree, sockets) = (try #require(Kernel.cgroup(of: processes[0].pid)), system.socketDirectory)
                #expect(try system.terminate() == .code(0))
                #expect(processes.filter { !$0.isGone }.isEmpty)
                let receivedEnd = apps.map { system.received($0).last == "notification willTerminate" }
                #expect(receivedEnd == [true, true, false], "a suspended app is ended without notice")
                #expect(!FileManager.default.fileExists(atPath: tree))
                #expect(!FileManager.default.fileExists(atPath: sockets))
                // The end was no swipe: the app is still installed and may be opened.
                try system.start()
                #expect(try system.summary(.second).isForceQuit == false)
                try system.launch(.second)
            }
        }
    }
}
