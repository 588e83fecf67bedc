import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Unwritable directories, and a full disk.
    @Suite struct StorageTests {
        @Test func readOnlyDirectories() throws {
            if let obstacle = SetUp.unified.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run { system in
                try system.install("Counter")
                #expect(try system.terminate() == .code(0))
                for (place, mount) in [
                    (system.state, "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\""),
                    (system.runtime, "mount -t tmpfs -o ro none \"$0\""),
                ] {
                    let (exit, _, err) = try system.run(
                        ["unshare", "-m", "sh", "-c", mount + " && exec \"$@\"", place, TestSystem.program, "up"])
                    #expect(exit == .code(1), "\(err)")
                    #expect(err.contains(place) && err.contains("Read-only"), "\(err)")
                }
                try system.start()
                try system.launch(.counter)
            }
        }

        /// A state directory on its own disk, which becomes full while the system runs.
        @Test(.whereCgroupsFreeze) func fullDisk() throws {
            if let obstacle = SetUp.unified.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(starting: false, mayReportErrors: true) { system in
                let program = try Examples.directory() + "/Counter.app/Counter"
                let size = try FileManager.default.attributesOfItem(atPath: program)[.size] as? Int ?? 0
                mkdir(system.state, 0o700)
                let options = "size=\(4 * size + 32 << 20),mode=711"
                let (exit, _, err) = try system.run(["mount", "-t", "tmpfs", "-o", options, "none", system.state])
                try #require(exit == .code(0), "\(err)")
                try system.start()
                try system.install("Counter")
                try system.install("Counter", as: .second, script: "didEnterBackground begin work\n")
                let suspended = try #require(try system.launch(.counter).pid)
                try system.suspend(.counter)
                try system.launch(.second)
                try system.tell(.home)
                try system.until(.second, is: .background)
                let bundle = try system.copyOfExample("Clock")
                let bundles = try FileManager.default.contentsOfDirectory(atPath: system.state + "/bundles")

                let filler = try fill(system.state)
                let level = try refusedSetting(system)
                for command in [
                    ["install", bundle], ["settings", "passcode", "on"], ["launch", "\(BundleIdentifier.counter)"],
                ] {
                    let (exit, out, err) = try system.run([TestSystem.program] + command)
                    #expect(exit == .code(1) && out.isEmpty, "\(command): \(out)\(err)")
                    #expect(err.contains("full") || err.contains("No space left"), "\(command): \(err)")
                    if command[0] == "settings" {
                        #expect(err.contains("this took effect but could not be recorded"), "\(err)")
                    }
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: system.state + "/bundles") == bundles)
                // Work that persists nothing continues: the refused launch has still brought the app to the foreground.
                #expect(try system.until(.counter, is: .active).pid == suspended)
                #expect(try system.roost("ps").out.contains("\(BundleIdentifier.second)"))
                #expect(try system.summary(.second).state == .background)

                unlink(filler)
                #expect(try system.roost("install", bundle).exit == .code(0))
                #expect(try system.roost("settings", "network", "cellular").exit == .code(0))
                #expect(try system.launch(.counter).pid == suspended)
                try system.launch(.clock)
                let settings = try system.roost("settings").out
                #expect(settings.contains("cellular"), "\(settings)")
                try system.crashAndRestart()
                #expect(try system.roost("settings").out == settings, "\(level)")
                #expect(try system.until(.clock, is: .active).pid != nil)
                #expect(try system.pid(.counter) == suspended)
            }
        }

        /// A system is restarted on a disk without a free byte. The journal is a diagnostic, and its failure ends no
        /// process.
        @Test(.whereCgroupsFreeze) func restartOnAFullDisk() throws {
            if let obstacle = SetUp.unified.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(starting: false, mayReportErrors: true) { system in
                let program = try Examples.directory() + "/Counter.app/Counter"
                let size = try FileManager.default.attributesOfItem(atPath: program)[.size] as? Int ?? 0
                mkdir(system.state, 0o700)
                let options = "size=\(3 * size + 32 << 20),mode=711"
                let (exit, _, err) = try system.run(["mount", "-t", "tmpfs", "-o", options, "none", system.state])
                try #require(exit == .code(0), "\(err)")
                try system.start()
                try system.install("Counter")
                try system.install("Counter", as: .second)
                let suspended = try #require(try system.launch(.counter).pid)
                try system.suspend(.counter)
                let active = try #require(try system.launch(.second).pid)
                let before = try journals(system)

                let filler = try fill(system.state)
                for victim in [TestSystem.Victim.supervisor, .both] {
                    try system.crashAndRestart(victim)
                    #expect(system.systemLog.contains("cannot write the journal"), "\(system.systemLog)")
                    #expect(try system.summary(.counter).state == .suspended)
                    #expect(try system.pid(.counter) == suspended)
                    try system.expectFrozen(.counter)
                    #expect(try system.until(.second, is: .active).pid == active)
                }
                #expect(try journals(system).subtracting(before).isEmpty)

                try #require(unlink(filler) == 0)
                try system.until("a journal is written again", lookingAgainAfter: 0.2) {
                    // Every call causes an iteration of the event loop, with any result.
                    try system.ask(.home)
                    return try journals(system).subtracting(before).isEmpty ? nil : true
                }
                #expect(try system.launch(.counter).pid == suspended)
            }
        }

        private func journals(_ system: TestSystem) throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: system.state + "/journal"))
        }

        /// An app that prints as fast as it can: its log is emptied again and again, and the system still answers.
        @Test func anAppThatPrintsWithoutEnd() throws {
            try TestSystem.run { system in
                let bundle = try system.copyOfExample("Clock")
                let program = try #require(
                    try FileManager.default.contentsOfDirectory(atPath: bundle).first { $0 != "Info.plist" })
                try "#!/bin/sh\nexec yes 0123456789\n".write(
                    toFile: bundle + "/" + program, atomically: false, encoding: .utf8)
                try system.tell(.install(path: bundle, replacing: false))
                try system.tell(.launch(.clock))
                let log = "\(system.state)/logs/\(BundleIdentifier.clock).log"
                var (largest, emptied, before) = (Int64(0), 0, Int64(0))
                try system.until("the log is emptied ten times", lookingAgainAfter: 0.001) {
                    var status = stat()
                    try #require(stat(log, &status) == 0)
                    if Int64(status.st_size) < before { emptied += 1 }
                    before = Int64(status.st_size)
                    largest = max(largest, before)
                    return emptied >= 10 ? true : nil
                }
                print("the largest log of an app that prints without end: \(largest >> 20) MiB")
                #expect(try system.roost("ps").exit == .code(0))
                let process = try system.process(.clock)
                try system.tell(.quit(.clock))
                try process.waitUntilGone()
            }
        }

        /// Containers are measured on suspension. An app that uses more of the disk than allowed is ended, and no other
        /// app is.
        @Test func aContainerThatIsTooLarge() throws {
            try TestSystem.runWithBystander(settings: ["containerSize=2000000"]) { system in
                try system.install("Counter", as: .third)
                for (app, size) in [(BundleIdentifier.third, 1_000_000), (.counter, 3_000_000)] {
                    try Data(repeating: 1, count: size).write(
                        to: URL(fileURLWithPath: system.documents(app) + "/large"))
                }
                let process = try system.process(.counter)
                try system.launch(.third)
                let end = try system.until(.counter, is: .notRunning)
                #expect(end.lastEnd?.contains("container is larger") == true, "\(end.lastEnd ?? "")")
                #expect(end.lastEnd?.contains("0xd00d2bad") == true, "\(end.lastEnd ?? "")")
                #expect(process.isGone)
                // The other app is measured, too, and may stay.
                try system.suspend(.third)
                try system.launch(.third)
            }
        }

        /// Fills the disk to the last byte; returns the file that does.
        private func fill(_ directory: String) throws -> String {
            let path = directory + "/filler"
            let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(file) }
            let chunk = [UInt8](repeating: 1, count: 1 << 20)
            for size in [chunk.count, 4096, 1] {
                while write(file, chunk, size) > 0 {}
            }
            guard errno == ENOSPC else { throw TestFailure(description: "\(path): errno \(errno)") }
            return path
        }

        /// Changes one setting after the other until the store's reserved space is used up; returns the number of the
        /// refused setting.
        private func refusedSetting(_ system: TestSystem) throws -> Int {
            for number in 1...20_000 {
                let value = "\(number % 100)"
                if case .failed(let failure) = try system.ask(.set(name: "batteryLevel", value: value, app: nil)) {
                    #expect(failure.code == .systemFault)
                    return number
                }
            }
            throw TestFailure(description: "the store accepts every write on a full disk")
        }
    }
}
