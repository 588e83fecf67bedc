package import Foundation

/// A sound: linear PCM in a WAV file.
package struct WaveFile {
    /// The frames in a second.
    let rate: Int
    let channels: Int
    /// 1 for unsigned bytes, 2 for signed 16-bit numbers.
    let sampleBytes: Int
    let samples: Data

    /// Creates a sound with one channel from unsigned bytes. The byte 128 is silence.
    package init(rate: Int, bytes: Data) { (self.rate, channels, sampleBytes, samples) = (rate, 1, 1, bytes) }

    /// A sound of 16-bit numbers.
    package init(rate: Int, channels: Int = 1, samples: [Int16]) {
        (self.rate, self.channels, sampleBytes) = (rate, channels, 2)
        self.samples = Data(samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
    }

    /// The content of the file.
    package var content: Data {
        var file = Data()
        func add(_ number: Int, _ count: Int) {
            for place in 0..<count { file.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
        }
        file.append(contentsOf: "RIFF".utf8)
        add(36 + samples.count, 4)
        file.append(contentsOf: "WAVEfmt ".utf8)
        let frame = sampleBytes * channels
        let format = [(16, 4), (1, 2), (channels, 2), (rate, 4), (rate * frame, 4), (frame, 2), (8 * sampleBytes, 2)]
        for (number, count) in format { add(number, count) }
        file.append(contentsOf: "data".utf8)
        add(samples.count, 4)
        return file + samples
    }
}
