import Foundation
import LifeCycleModel
import PulseAudioPeer
import RoostWire
import Testing

extension BundleIdentifier {
    static let singer = named("org.roost.test.Singer")
}

extension EndToEnd {
    /// Sound in the background, and its interruption by a phone call.
    @Suite struct AudioTests {
        /// A sound of this length: silence, with 100 samples of a byte in each second.
        private func song(seconds: Int) -> Data {
            WaveFile(rate: 100, bytes: Data(repeating: 128, count: 100 * seconds)).content
        }

        /// Opens the singer, which begins to play at once, and leaves it.
        private func play(
            _ system: TestSystem, seconds: Int, repeats: Bool = false, modes: [String] = ["audio"]
        ) throws {
            try system.installTestApp(
                "AudioTestApp", as: .singer, modes: modes, keys: repeats ? "<key>RepeatsSong</key><true/>" : "",
                files: [("song.wav", song(seconds: seconds))])
            try system.launch(.singer)
            try system.untilPrinted(.singer, "plays")
            try system.tell(.home)
        }

        private func untilHeld(_ system: TestSystem) throws {
            // The end of another hold is no event.
            try system.until("only its sound holds the app", lookingAgainAfter: 0.1) {
                try system.summary(.singer).assertions == ["sound that it plays"] ? true : nil
            }
        }

        private func phoneCall(_ system: TestSystem, _ change: String) throws {
            let done = try system.roost("audio", "call", change)
            #expect(done.exit == .code(0), "\(done.err)")
        }

        /// The process is not frozen while its song plays. After the end it is.
        @Test func aSongPlaysToItsEnd() throws {
            try TestSystem.run(settings: ["audioGrace=200ms"]) { system in
                try play(system, seconds: 5)
                try untilHeld(system)
                try system.expectRunning(.singer)
                try system.untilPrinted(.singer, "finished")
                try system.until(.singer, is: .suspended)
                try system.expectFrozen(.singer)
                let said = try system.why(.singer).map(\.text)
                #expect(said.contains("plays sound in the background: it is not suspended"), "\(said)")
                #expect(said.contains("is no longer kept running by its sound"), "\(said)")
            }
        }

        @Test func withoutTheModeTheAppIsFrozen() throws {
            try TestSystem.run { system in
                try play(system, seconds: 3600, modes: [])
                try system.until(.singer, is: .suspended)
                try system.expectFrozen(.singer)
            }
        }

        /// A new supervisor does not know what the app plays. The app says so when it is connected again.
        @Test func theSongOutlivesTheSystem() throws {
            try TestSystem.run(settings: ["audioGrace=200ms"]) { system in
                try play(system, seconds: 1, repeats: true)
                try untilHeld(system)
                let pid = try system.pid(.singer)
                func beginnings() throws -> Int {
                    try system.why(.singer).count { $0.text.hasPrefix("plays sound in the background") }
                }
                for victim in [TestSystem.Victim.supervisor, .both] {
                    let count = try beginnings()
                    try system.crashAndRestart(victim)
                    try system.until("the app has said that it plays") { try beginnings() > count ? true : nil }
                    try untilHeld(system)
                    try system.expectRunning(.singer)
                    #expect(try system.pid(.singer) == pid)
                }
                #expect(!system.log(.singer).contains("finished"))
            }
        }

        /// The app is frozen during a long call. The end of the call thaws it, and it plays again.
        @Test func aCallInterruptsTheSong() throws {
            try TestSystem.run(settings: ["audioResumeWindow=200ms"]) { system in
                try play(system, seconds: 3600)
                try untilHeld(system)
                try phoneCall(system, "begin")
                try system.untilPrinted(.singer, "interrupted")
                try system.until(.singer, is: .suspended)
                try system.expectFrozen(.singer)
                try phoneCall(system, "end")
                try system.until("the song plays again") {
                    system.log(.singer).filter { $0 == "plays" }.count == 2 ? true : nil
                }
                try untilHeld(system)
                try system.expectRunning(.singer)
            }
        }
    }
}
