import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension BundleIdentifier {
    fileprivate static let follower = named("org.roost.test.Follower")
}

extension EndToEnd {
    /// Live updates and background activity sessions.
    @Suite struct LiveUpdateTests {
        private func location(_ system: TestSystem, _ words: String...) throws {
            let done = try system.run([TestSystem.program, "location"] + words)
            #expect(done.exit == .code(0), "\(done.err)")
        }

        private func installFollower(_ system: TestSystem) throws {
            try system.installTestApp(
                "LiveTestApp", as: .follower,
                keys: """
                    <key>UIBackgroundModes</key><array><string>location</string></array>
                    <key>NSLocationWhenInUseUsageDescription</key><string>To follow you.</string>
                    """)
        }

        private func permit(_ system: TestSystem, _ permission: String) throws {
            try location(system, "permit", BundleIdentifier.follower.rawValue, permission)
        }

        /// The process runs in the background, not frozen, and is told each position. A kill of it, and then of the
        /// whole system, ends nothing: the next position launches it again.
        @Test func aFollowerIsLaunchedAgain() throws {
            try TestSystem.run(settings: ["receiverPause=1ms"]) { system in
                try installFollower(system)
                try system.launch(.follower)
                try system.untilPrinted(.follower, "waits for the user")
                try permit(system, "when-in-use")
                try system.untilPrinted(.follower, "nowhere")
                try location(system, "47.5576", "10.7498")
                try system.untilPrinted(.follower, "at 47.5576 10.7498")
                try system.tell(.home)
                try system.until("the session holds the app") {
                    try system.summary(.follower).assertions == ["location updates, shown by the indicator"]
                        ? true : nil
                }
                try location(system, "47.56", "10.7498")
                try system.untilPrinted(.follower, "at 47.56 10.7498")

                let first = try system.process(.follower)
                first.send(SIGKILL)
                try first.waitUntilGone()
                try location(system, "47.5624", "10.7498")
                try system.untilPrinted(.follower, "launched by a location")
                try system.untilPrinted(.follower, "at 47.5624 10.7498")
                try system.until("the new launch is held") {
                    try system.summary(.follower).assertions == ["location updates, shown by the indicator"]
                        ? true : nil
                }

                try system.crashAndRestart(.both)
                let second = try system.process(.follower)
                second.send(SIGKILL)
                try second.waitUntilGone()
                try location(system, "47.57", "10.7498")
                try system.until("the app is launched a third time") {
                    system.log(.follower).filter { $0 == "launched by a location" }.count == 2 ? true : nil
                }
                try system.untilPrinted(.follower, "at 47.57 10.7498")

                try permit(system, "deny")
                try system.untilPrinted(.follower, "denied")
                try system.until(.follower, is: .suspended)
                try system.expectFrozen(.follower)
            }
        }

        /// The user's swipe ends the session: no position launches the app.
        @Test func aForceQuitIsTheEnd() throws {
            try TestSystem.run(settings: ["receiverPause=1ms"]) { system in
                try installFollower(system)
                try permit(system, "when-in-use")
                try location(system, "47.5576", "10.7498")
                try system.launch(.follower)
                try system.untilPrinted(.follower, "at 47.5576 10.7498")
                try system.tell(.home)
                try system.tell(.quit(.follower))
                try system.until(.follower, is: .notRunning)
                try location(system, "47.56", "10.7498")
                let told = try system.why(.follower).map(\.text)
                #expect(told.contains("no longer has a background activity session"), "\(told)")
                #expect(try system.summary(.follower).state == .notRunning)
                #expect(!system.log(.follower).contains("launched by a location"))
            }
        }
    }
}
