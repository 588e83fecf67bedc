import Foundation

/// A song for tests: silence, as linear PCM in a WAV file.
enum Song {
    /// The content of a file that plays for this time. It has 100 samples of a byte in each second. The tag 1 means
    /// linear PCM.
    static func wave(seconds: Int, tag: UInt16 = 1) -> Data {
        let rate: UInt32 = 100
        let samples = rate * UInt32(seconds)
        var file = Data()
        func add<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number.littleEndian) { file.append(contentsOf: $0) }
        }
        file.append(contentsOf: "RIFF".utf8)
        add(36 + samples)
        file.append(contentsOf: "WAVEfmt ".utf8)
        add(UInt32(16))
        // The tag, one channel, the samples and the bytes in a second, the bytes and the bits of a sample.
        add(tag)
        add(UInt16(1))
        add(rate)
        add(rate)
        add(UInt16(1))
        add(UInt16(8))
        file.append(contentsOf: "data".utf8)
        add(samples)
        return file + Data(repeating: 128, count: Int(samples))
    }

    /// A new file that plays for this time, in the directory for temporary files.
    static func file(seconds: Int) throws -> URL {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("song-\(UUID().uuidString).wav")
        try wave(seconds: seconds).write(to: file)
        return file
    }
}
