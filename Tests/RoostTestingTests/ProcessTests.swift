import Foundation
import Testing

@testable import RoostTesting

/// Real processes, under the device's clock. Their app knows nothing of tests.
@Suite(.serialized) @MainActor struct ProcessTests {
    private static let name = "RoostTestingTestApp"

    /// Writes the app's defaults before its first launch.
    private func write(_ defaults: [String: Any], of app: VirtualApp) throws {
        let folder = try #require(app.container) + "/.config"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let data = try PropertyListSerialization.data(fromPropertyList: defaults, format: .xml, options: 0)
        try data.write(to: URL(fileURLWithPath: "\(folder)/org.example.\(Self.name).plist"))
    }

    /// The output of its manager.
    private func lines(_ app: VirtualApp) -> [String] {
        app.output.split(separator: "\n").filter { !$0.hasPrefix("callback ") }.map(String.init)
    }

    @Test func anUnmodifiedAppSyncsAndIsSuspended() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(executable: Self.name)
            await device.launch(app)
            #expect(app.state == .active)
            #expect(app.takeCallbacks() == [.willFinishLaunching(.user), .didFinishLaunching(.user), .didBecomeActive])
            await device.home()
            #expect(app.state == .background && app.takeCallbacks() == [.willResignActive, .didEnterBackground])
            #expect(app.openTasks.map(\.description) == ["task \"MyTask\", begun SyncManager.swift:28"])
            await device.advance(by: .milliseconds(2_999))
            #expect(app.state == .background)
            await device.advance(by: .milliseconds(1))
            #expect(app.state == .suspended)
            await device.advance(by: .seconds(600))
            #expect(app.state == .suspended && app.terminations.isEmpty)
            #expect(
                lines(app).dropFirst() == [
                    "begun after 0.0 s, sync 1 of this launch",
                    "Timer after 1.0 s, sync 1 of this launch",
                    "asyncAfter after 2.0 s, sync 1 of this launch",
                    "Task.sleep after 3.0 s, sync 1 of this launch", "done",
                ])
        }
    }

    @Test func aKillEmptiesItsMemoryAndLeavesItsFiles() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(executable: Self.name)
            let home = try #require(app.container)
            for launch in 1...2 {
                await device.launch(app)
                await device.home()
                await device.advance(by: .seconds(3))
                // The memory is new in each launch; the stored files are not.
                let begun = lines(app).filter { $0 == "begun after 0.0 s, sync 1 of this launch" }
                #expect(begun.count == launch)
                let stored = try Data(
                    contentsOf: URL(fileURLWithPath: home + "/.config/org.example.\(Self.name).plist"))
                let defaults = try PropertyListSerialization.propertyList(from: stored, format: nil) as? [String: Any]
                #expect(defaults?["syncs"] as? Int == launch)
                await device.kill(app)
                #expect(app.state == .notRunning && app.terminations.count == launch)
            }
        }
    }

    @Test func aForgottenTaskIsAKillWithItsLine() async throws {
        let findings = try await Findings.from { device in
            let app = try device.install(executable: Self.name, name: "Notes")
            try write(["forgets": true], of: app)
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(600))
            #expect(app.state == .notRunning && app.expirations == ["MyTask"])
        }
        #expect(
            findings.sentences == [
                "Notes was killed 0x2182bad2 at +30 s: task \"MyTask\", begun SyncManager.swift:28, was never ended"
            ])
    }

    /// The end of a task in the foreground has no effect, so the system is not notified of it. The test is.
    @Test func aTaskThatIsEndedAfterTheReturnWasNotForgotten() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(executable: Self.name)
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(1))
            #expect(app.openTasks.map(\.name) == ["MyTask"])
            await device.launch(app)
            await device.advance(by: .seconds(5))
            #expect(app.state == .active && lines(app).last == "done")
        }
    }

    @Test func aSuspendedProcessIsStopped() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(executable: Self.name)
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(3))
            #expect(app.state == .suspended)
            let pid = try #require(device.body.endpoints.first as? ProcessEndpoint).pid
            let status = try String(contentsOfFile: "/proc/\(try #require(pid))/status", encoding: .utf8)
            #expect(status.contains("State:\tT (stopped)"))
            await device.launch(app)
            #expect(app.state == .active && app.callbacks.suffix(2) == [.willEnterForeground, .didBecomeActive])
        }
    }

    @Test(arguments: [("crashes", "a signal ended it"), ("exits", "it exited by itself")])
    func anAppThatEndsItselfFailsTheTestAlone(fault: String, why: String) async throws {
        let findings = try await Findings.from { device in
            let app = try device.install(executable: Self.name, name: "Notes")
            try write([fault: true], of: app)
            await device.launch(app)
            #expect(app.state == .notRunning)
        }
        #expect(findings.sentences == ["Notes was ended at +0 s: \(why)"])
        // The app's output is shown.
        let words = fault == "crashes" ? "as its defaults say" : "registered at "
        #expect(findings.all.first?.contains(words) == true)
    }

    @Test func anAppThatHangsIsKilledByTheWatchdog() async throws {
        let findings = try await Findings.from { device in
            let app = try device.install(executable: Self.name, name: "Notes")
            try write(["hangs": true], of: app)
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(10))
            #expect(app.state == .notRunning)
        }
        #expect(
            findings.sentences == [
                "Notes was killed 0x8badf00d at +5 s: it did not return from didEnterBackground in time, 0x8badf00d"
            ])
    }

    @Test func theDevicesDateIsTheApps() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(executable: Self.name)
            await device.launch(app)
            await device.kill(app)
            await device.advance(by: .seconds(900))
            await device.launch(app)
            let dates = lines(app).compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }
            #expect(dates.count == 2 && dates[1] - dates[0] == 900)
        }
    }

    @Test func aCallbackTakesTheSimulatedTime() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(executable: Self.name)
            device.whileHandling(.didEnterBackground, takes: .seconds(4))
            await device.launch(app)
            await device.home()
            await device.advance(by: .milliseconds(3_999))
            #expect(app.state == .background)
            await device.advance(by: .milliseconds(1))
            #expect(app.state == .suspended)
        }
    }

    @Test func unstartableProgramsAreReported() async throws {
        await withVirtualDevice { device in
            for (name, word) in [
                ("Nothing", "there is no executable"), ("/etc", "is not a file that may be executed"),
                ("/etc/hostname", "is not an ELF executable"),
                ("/usr/bin/ldd", "is not an ELF executable"),
            ] {
                let error = #expect(throws: InstallationError.self) { try device.install(executable: name) }
                #expect(error?.description.contains(word) == true, "\(String(describing: error))")
            }
        }
    }

    @Test func staticallyLinkedProgramsAreRefused() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "roost-static-\(UInt64.random(in: .min ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appendingPathComponent("app.c").path
        try "int main(void) { return 0; }\n".write(toFile: source, atomically: true, encoding: .utf8)
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = ["clang", "-static", "-o", folder.path + "/app", source]
        try compiler.run()
        compiler.waitUntilExit()
        #expect(compiler.terminationStatus == 0)
        await withVirtualDevice { device in
            let error = #expect(throws: InstallationError.self) { try device.install(executable: folder.path + "/app") }
            #expect(error?.description.contains("is linked statically") == true)
        }
    }
}
