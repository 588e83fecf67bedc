import Foundation
import LifeCycleModel
import PulseAudioPeer
import RoostWire
import Testing

extension EndToEnd {
    /// The sound of apps at a real sound server.
    @Suite(.wherePulseAudioIs) struct SoundTests {
        /// Samples without silence.
        private func samples(seconds: Int) -> [Int16] {
            (0..<seconds * RealPulseAudio.rate).map { Int16(20 + ($0 * 7919) % 20_011) }
        }

        private func open(
            _ system: TestSystem, seconds: Int = 1, repeats: Bool = false, modes: [String] = ["audio"]
        ) throws {
            let song = WaveFile(rate: RealPulseAudio.rate, samples: samples(seconds: seconds))
            try system.installTestApp(
                "AudioTestApp", as: .singer, modes: modes, keys: repeats ? "<key>RepeatsSong</key><true/>" : "",
                files: [("song.wav", song.content)])
            try system.launch(.singer)
            try system.untilPrinted(.singer, "plays")
        }

        private func run(_ body: (TestSystem, RealPulseAudio) throws -> Void) throws {
            let server = try RealPulseAudio()
            try TestSystem.run(starting: false) { system in
                system.addedEnvironment["PULSE_SERVER"] = server.address
                try system.start()
                try body(system, server)
            }
        }

        /// Each sample is recorded at the server, in order, while the app leaves the screen.
        @Test func eachSampleIsHeard() throws {
            try run { system, server in
                try open(system, seconds: 3)
                try system.tell(.home)
                try system.untilPrinted(.singer, "finished")
                let wanted = samples(seconds: 3)
                let heard = try server.wait(forSamples: wanted.count)
                // The server may round in another way.
                #expect(heard.count == wanted.count && zip(heard, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
                try server.wait(forStreams: 0)
                #expect(try server.recording().count == wanted.count)
                try system.until(.singer, is: .suspended)
                let files = try FileManager.default.subpathsOfDirectory(atPath: system.container(.singer))
                #expect(files.filter { $0.contains("pulse") } == ["tmp/pulse-cookie"], "\(files)")
            }
        }

        /// A call ends the stream, and its end begins another one. The stream ends with the app.
        @Test func aCallSilencesTheApp() throws {
            try run { system, server in
                try open(system, repeats: true)
                try server.wait(forStreams: 1)
                try system.tell(.home)
                try system.roost("audio", "call", "begin")
                try system.untilPrinted(.singer, "interrupted")
                // The players are paused before the app is told.
                try server.wait(forStreams: 0)
                try system.roost("audio", "call", "end")
                try server.wait(forStreams: 1)
                try system.expectRunning(.singer)
                try system.process(.singer).send(SIGKILL)
                try server.wait(forStreams: 0)
            }
        }

        /// The stream ends before the app is frozen, so that it does not keep the server busy.
        @Test func withoutTheModeTheAppIsSilentWhenItIsFrozen() throws {
            try run { system, server in
                try open(system, repeats: true, modes: [])
                try server.wait(forStreams: 1)
                try system.tell(.home)
                try system.until(.singer, is: .suspended)
                try system.expectFrozen(.singer)
                #expect(try server.streams() == 0)
            }
        }

        /// The song takes its time also if it is not audible.
        @Test func theSongOutlivesTheServer() throws {
            try run { system, server in
                try open(system, seconds: 10)
                server.kill()
                try system.tell(.home)
                try system.untilPrinted(.singer, "finished")
                try system.until(.singer, is: .suspended)
                let complaint = "The sound server \(server.address) cannot be used"
                #expect(system.log(.singer).contains { $0.contains(complaint) })
            }
        }

        @Test func doctorSaysWhetherASoundServerIsThere() throws {
            try TestSystem.run(starting: false) { system in
                func sound() throws -> String? {
                    let lines = try system.roost("doctor").out.split(separator: "\n")
                    return lines.first { $0.contains("sound") }.map(String.init)
                }
                #expect(try sound()?.contains("no sound server") == true)
                let server = try RealPulseAudio()
                system.addedEnvironment["PULSE_SERVER"] = server.address
                #expect(try sound()?.contains("accepts connections at \(server.address)") == true)
                server.kill()
                let refused = try sound()
                #expect(refused?.contains("no sound server at \(server.address): ") == true, "\(refused as Any)")
                system.addedEnvironment["PULSE_SERVER"] = "tcp:localhost"
                #expect(try sound()?.contains("which was not tried") == true)
            }
        }
    }
}
