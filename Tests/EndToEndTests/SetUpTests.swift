import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The basic functions in every environment that a system may find.
    @Suite struct SetUpTests {
        @Test(arguments: SetUp.allCases)
        func coreSequence(setUp: SetUp) throws {
            if let obstacle = setUp.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(setUp) { system in
                let status = try #require(try system.ask(.status).status)
                switch setUp {
                case .asFound, .ownNetwork: break
                case .unified, .ordinaryUser: #expect(!system.usesSignals, "\(status.mechanism)")
                case .signals: #expect(system.usesSignals, "\(status.mechanism)")
                }
                if setUp == .unified { #expect(status.mechanism.contains("/sys/fs/cgroup/roost-")) }
                try system.install("Counter")
                let pid = try #require(try system.launch(.counter).pid)
                try system.untilPrinted(.counter, "notification didBecomeActive")
                if setUp == .ordinaryUser {
                    #expect(Kernel.text("/proc/\(pid)/status")?.contains("Uid:\t\(SetUp.user)\t") == true)
                }
                try system.suspend(.counter)
                let count = system.count(.counter)
                #expect(try system.launch(.counter).pid == pid)
                try system.expectRunning(.counter)
                try system.untilCounted(.counter, more: 1)
                try system.suspend(.counter)
                #expect(system.count(.counter) != count)
                // A frozen app outlives the system.
                try system.crash()
                try system.start()
                #expect(try system.summary(.counter).state == .suspended)
                try system.expectFrozen(.counter)
                #expect(try system.launch(.counter).pid == pid)
                try system.crashAndRestart()
                #expect(try system.until(.counter, is: .active).pid == pid)
                try system.suspend(.counter)
                #expect(
                    system.callbacks(.counter).filter { $0.hasPrefix("callback willFinish") }.count == 1)
                let process = try system.process(.counter)
                try system.tell(.quit(.counter))
                try system.until(.counter, is: .notRunning)
                try process.waitUntilGone()
                #expect(try system.terminate() == .code(0))
            }
        }
    }
}
