import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The hiking tracker of the examples, whose updates continue in the background (R-136).
    @Suite struct HikerTests {
        private static let hiker = BundleIdentifier.named("org.roost.example.Hiker")

        private func walk(_ system: TestSystem, to latitude: String) throws {
            let moved = try system.roost("location", latitude, "10.7498")
            #expect(moved.exit == .code(0), "\(moved.err)")
        }

        private func permit(_ system: TestSystem, _ permission: String) throws {
            let permitted = try system.roost("location", "permit", Self.hiker.rawValue, permission)
            #expect(permitted.exit == .code(0), "\(permitted.err)")
        }

        private func points(_ system: TestSystem) -> Int {
            Kernel.text(system.documents(Self.hiker) + "/track.csv")?.split(separator: "\n").count ?? 0
        }

        private func until(_ system: TestSystem, points count: Int) throws {
            try system.until("the track has \(count) points") { points(system) == count ? true : nil }
        }

        /// The process runs in the background, not frozen, and writes each point; also after a crash of the whole
        /// system. It is frozen once its permission is gone.
        @Test func aHikeContinuesInTheBackground() throws {
            try TestSystem.run { system in
                try system.install("Hiker")
                try permit(system, "when-in-use")
                try walk(system, to: "47.5576")
                try system.launch(Self.hiker)
                try until(system, points: 1)
                try system.tell(.home)
                try system.untilPrinted(Self.hiker, "records in the background")
                try system.until("only its updates hold the app") {
                    try system.summary(Self.hiker).assertions == ["location updates, shown by the indicator"]
                        ? true : nil
                }
                try walk(system, to: "47.5600")
                try until(system, points: 2)
                let process = try system.process(Self.hiker)

                try system.crashAndRestart(.both)
                try system.until("the app is connected again, and held") {
                    try system.summary(Self.hiker).assertions == ["location updates, shown by the indicator"]
                        ? true : nil
                }
                try walk(system, to: "47.5624")
                try until(system, points: 3)
                #expect(try system.process(Self.hiker).pid == process.pid)

                try permit(system, "always")
                try system.until("the indicator is gone, and the app was told so") {
                    try system.summary(Self.hiker).assertions == ["location updates"] ? true : nil
                }
                try permit(system, "deny")
                try system.untilPrinted(Self.hiker, "no track: the user does not allow it")
                try system.until(Self.hiker, is: .suspended)
                try system.expectFrozen(Self.hiker)
            }
        }

        /// A rest: the updates are paused, and the process is frozen. The foreground resumes them.
        @Test func aRestFreezesTheApp() throws {
            try TestSystem.run(settings: ["locationPause=1s"]) { system in
                try system.install("Hiker")
                try permit(system, "always")
                try walk(system, to: "47.5576")
                try system.launch(Self.hiker)
                try system.tell(.home)
                try system.untilPrinted(Self.hiker, "rests: open the app to go on")
                try system.until(Self.hiker, is: .suspended)
                try system.expectFrozen(Self.hiker)
                try walk(system, to: "47.5700")
                try system.launch(Self.hiker)
                try system.untilPrinted(Self.hiker, "goes on")
                try until(system, points: 2)
            }
        }

        /// Without the mode in `UIBackgroundModes`, setting the property ends the app (R-71).
        @Test func thePropertyWithoutTheModeIsFatal() throws {
            try TestSystem.run { system in
                try system.install("Hiker", without: ["location"])
                try system.tell(.launch(Self.hiker))
                try system.until("the app says why it ends") {
                    system.log(Self.hiker).contains {
                        $0.contains(
                            #"allowsBackgroundLocationUpdates = true needs "location" in UIBackgroundModes in Info.plist"#
                        )
                    } ? true : nil
                }
                try system.until(Self.hiker, is: .notRunning)
            }
        }
    }
}
