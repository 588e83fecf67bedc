import Foundation
import LifeCycleModel
import RoostLinux
import SoundHeaders
import Testing

/// The headers of sound files.
@Suite struct SoundHeaderTests {
    private static func low(_ number: Int64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * Int64($0))) }
    }

    private static func high(_ number: Int64, _ count: Int) -> [UInt8] { low(number, count).reversed() }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// A file with this many bytes of samples, at 8000 samples a second.
    private static func wave(tag: Int64, perSecond: Int64, data: Int64) -> [UInt8] {
        text("RIFF") + low(0, 4) + text("WAVE") + text("LIST") + low(3, 4) + [1, 2, 3, 0] + text("fmt ") + low(16, 4)
            + low(tag, 2) + low(1, 2) + low(8000, 4) + low(perSecond, 4) + low(2, 2) + low(16, 2) + text("data")
            + low(data, 4)
    }

    private static func aiff(_ kind: String?, frames: Int64) -> [UInt8] {
        // 44100 as an 80-bit number.
        let rate: [UInt8] = [0x40, 0x0e, 0xac, 0x44, 0, 0, 0, 0, 0, 0]
        let common = high(1, 2) + high(frames, 4) + high(16, 2) + rate + (kind.map { text($0) + [0, 0] } ?? [])
        return text("FORM") + high(0, 4) + text(kind == nil ? "AIFF" : "AIFC") + text("COMM")
            + high(Int64(common.count), 4) + common
    }

    private static func caf(_ kind: String, packetBytes: Int64, packetFrames: Int64, data: Int64) -> [UInt8] {
        let rate = Int64(bitPattern: Double(44_100).bitPattern)
        let description =
            high(rate, 8) + text(kind) + high(0, 4) + high(packetBytes, 4) + high(packetFrames, 4) + high(1, 4)
            + high(16, 4)
        return text("caff") + high(1, 2) + high(0, 2) + text("desc") + high(32, 8) + description + text("data")
            + high(data, 8)
    }

    /// A file with 16-bit numbers, or with another sample.
    private static func wave(tag: Int64, bits: Int64, channels: Int64, samples: [UInt8]) -> [UInt8] {
        let frame = channels * bits / 8
        return text("RIFF") + low(0, 4) + text("WAVE") + text("fmt ") + low(16, 4) + low(tag, 2) + low(channels, 2)
            + low(8000, 4) + low(8000 * frame, 4) + low(frame, 2) + low(bits, 2) + text("data")
            + low(Int64(samples.count), 4) + samples
    }

    /// The samples of a file, as the player reads them; nil if it cannot.
    private static func samples(_ bytes: [UInt8]) -> [Float]? {
        SoundHeader.layout(bytes, size: Int64(bytes.count)).map { layout in
            layout.samples(in: bytes.dropFirst(Int(layout.offset)).prefix(Int(layout.length)))
        }
    }

    @Test func samplesOfWaves() {
        let kinds: [(tag: Int64, bits: Int64, bytes: [UInt8], samples: [Float]?)] = [
            (1, 8, [0, 128, 192], [-1, 0, 0.5]), (1, 16, Self.low(-32_768, 2) + Self.low(16_384, 2), [-1, 0.5]),
            (1, 24, Self.low(-4_194_304, 3), [-0.5]), (1, 32, Self.low(1 << 30, 4), [0.5]),
            (3, 32, Self.low(Int64(Float(-0.25).bitPattern), 4), [-0.25]),
            (3, 64, Self.low(Int64(bitPattern: 0.75.bitPattern), 8), [0.75]),
            (3, 32, Self.low(Int64(Float.nan.bitPattern), 4) + Self.low(Int64(Float(9).bitPattern), 4), [0, 1]),
            // No such samples exist.
            (1, 40, Self.low(0, 5), nil), (3, 16, Self.low(0, 2), nil), (6, 8, [1, 2], nil),
        ]
        for (tag, bits, bytes, samples) in kinds {
            let file = Self.wave(tag: tag, bits: bits, channels: 1, samples: bytes)
            #expect(Self.samples(file) == samples, "\(tag) \(bits)")
        }
        // A header that lies about the length, and half a sample at the end.
        let cut = Array(Self.wave(tag: 1, bits: 16, channels: 2, samples: Self.low(0, 8)).dropLast(3))
        let layout = SoundHeader.layout(cut, size: Int64(cut.count))
        #expect(layout?.frames == 1 && layout?.length == 5 && Self.samples(cut) == [0, 0])
        for channels in [Int64(0), 33] {
            #expect(Self.samples(Self.wave(tag: 1, bits: 8, channels: channels, samples: [1])) == nil)
        }
    }

    @Test func samplesOfOtherFiles() {
        let chunk =
            Self.text("SSND") + Self.high(12, 4) + Self.high(0, 8) + Self.high(16_384, 2) + Self.high(-32_768, 2)
        #expect(Self.samples(Self.aiff(nil, frames: 2) + chunk) == [0.5, -1])
        // The samples may come first.
        let whole = Self.aiff(nil, frames: 2)
        #expect(Self.samples(Array(whole.prefix(12)) + chunk + whole.dropFirst(12)) == [0.5, -1])
        let swapped = Self.text("SSND") + Self.high(10, 4) + Self.high(0, 8) + Self.low(16_384, 2)
        #expect(Self.samples(Self.aiff("sowt", frames: 1) + swapped) == [0.5])
        #expect(Self.samples(Self.aiff("ulaw", frames: 1) + swapped) == nil)
        #expect(Self.samples(Self.aiff(nil, frames: 2)) == nil, "it has no samples in its first bytes")
        let core = Self.caf("lpcm", packetBytes: 2, packetFrames: 1, data: 8) + Self.high(1, 4) + Self.high(-16_384, 2)
        #expect(Self.samples(core + Self.high(16_384, 2)) == [-0.5, 0.5])
    }

    private static func read(_ bytes: [UInt8], size: Int64 = 1 << 30) -> SoundFile {
        SoundHeader.read(bytes, size: size)
    }

    @Test func waves() {
        let kinds: [(Int64, Int64, SoundFile.Format)] = [
            (1, 16_000, .linearPCM), (6, 8000, .aLaw), (7, 8000, .uLaw), (0x11, 4055, .ima4), (0x55, 8000, .other),
        ]
        for (tag, perSecond, format) in kinds {
            let sound = Self.read(Self.wave(tag: tag, perSecond: perSecond, data: perSecond * 29))
            #expect(sound == .sound(format, length: .seconds(29)))
        }
        let unfinished = Self.wave(tag: 1, perSecond: 16_000, data: 0xffff_ffff)
        let size = Int64(unfinished.count) + 32_000
        #expect(Self.read(unfinished, size: size) == .sound(.linearPCM, length: .seconds(2)))
    }

    @Test func aiffs() {
        #expect(Self.read(Self.aiff(nil, frames: 44_100)) == .sound(.linearPCM, length: .seconds(1)))
        for (kind, format) in [
            ("sowt", SoundFile.Format.linearPCM), ("ulaw", .uLaw), ("alaw", .aLaw), ("QDM2", .other),
        ] {
            #expect(Self.read(Self.aiff(kind, frames: 88_200)) == .sound(format, length: .seconds(2)))
        }
        #expect(Self.read(Self.aiff("ima4", frames: 44_100)) == .sound(.ima4, length: .seconds(64)))
    }

    @Test func cafs() {
        let pcm = Self.caf("lpcm", packetBytes: 2, packetFrames: 1, data: 88_204)
        #expect(Self.read(pcm) == .sound(.linearPCM, length: .seconds(1)))
        let ima = Self.caf("ima4", packetBytes: 34, packetFrames: 64, data: 34 * 44_100 + 4)
        #expect(Self.read(ima) == .sound(.ima4, length: .seconds(64)))
        let open = Self.caf("ulaw", packetBytes: 1, packetFrames: 1, data: -1)
        #expect(Self.read(open, size: Int64(open.count) + 4 + 44_100) == .sound(.uLaw, length: .seconds(1)))
        #expect(
            Self.read(Self.caf("aac ", packetBytes: 0, packetFrames: 1024, data: -1)) == .sound(.other, length: .zero))
    }

    @Test func invalidSoundsAreUnreadable() {
        #expect(Self.read([]) == .unreadable)
        #expect(Self.read(Self.text("ID3 is an mp3")) == .unreadable)
        let whole = [
            Self.wave(tag: 1, perSecond: 16_000, data: 16_000), Self.aiff("sowt", frames: 44_100),
            Self.caf("lpcm", packetBytes: 2, packetFrames: 1, data: 88_204),
        ]
        var generator = SystemRandomNumberGenerator()
        for bytes in whole {
            for length in 0..<bytes.count - 12 { #expect(Self.read(Array(bytes.prefix(length))) == .unreadable) }
            for _ in 0..<20_000 {
                var changed = bytes
                for _ in 0..<4 { changed[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255) }
                // The reader must not trap.
                _ = Self.read(changed)
                _ = SoundHeader.layout(changed, size: 1 << 30)
            }
        }
    }

    @Test func onlyAFileOfTheAppsIsLookedAt() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "sounds-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let sound = Self.wave(tag: 1, perSecond: 16_000, data: 16_000)
        let padded = sound + Array(repeating: 0, count: 16_000)
        try Data(padded).write(to: directory.appending(path: "alarm.wav"))
        try FileManager.default.createSymbolicLink(
            atPath: directory.appending(path: "link.wav").path, withDestinationPath: "alarm.wav")
        func examine(_ name: String) -> SoundFile { SoundFiles.examine(name, in: ["/nowhere", directory.path]) }
        #expect(examine("alarm.wav") == .sound(.linearPCM, length: .seconds(1)))
        for name in ["", ".", "..", "none.wav", "link.wav", "../x", "/etc/passwd", "a\u{0}b"] {
            #expect(examine(name) == .missing, "\(name)")
        }
        try FileManager.default.createDirectory(
            at: directory.appending(path: "folder.wav"), withIntermediateDirectories: true)
        #expect(examine("folder.wav") == .unreadable)
    }
}
