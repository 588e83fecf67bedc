/// The samples of a sound file: linear PCM, whose frames follow each other without gaps.
public struct PCMLayout: Hashable, Sendable {
    /// The form of a sample.
    public enum Sample: Hashable, Sendable {
        /// A byte; 128 is silence.
        case unsigned
        /// Two's complement of one to four bytes.
        case integer(bytes: Int)
        /// IEEE 754 of four or eight bytes.
        case float(bytes: Int)

        /// The number of bytes of a sample.
        public var bytes: Int {
            switch self {
            case .unsigned: 1
            case .integer(let bytes), .float(let bytes): bytes
            }
        }
    }

    /// The form of each sample.
    public let sample: Sample
    /// Whether the highest byte of a sample comes first.
    public let isBigEndian: Bool
    /// The number of samples in a frame, 1 to 32.
    public let channels: Int
    /// The number of frames in a second, 1 to 384,000. A fraction is rounded.
    public let rate: Int
    /// The place of the first sample in the file.
    public let offset: Int64
    /// The number of bytes of all samples. The file may have fewer.
    public let length: Int64

    /// Creates a layout; nil if it has too many channels, another rate, or samples of another size.
    public init?(
        _ sample: Sample, isBigEndian: Bool, channels: Int64, rate: Double, offset: Int64, length: Int64
    ) {
        let isKnown =
            switch sample {
            case .unsigned: true
            case .integer(let bytes): (1...4).contains(bytes)
            case .float(let bytes): bytes == 4 || bytes == 8
            }
        guard isKnown, (1...32).contains(channels), let rate = Int(exactly: rate.rounded()),
            (1...384_000).contains(rate), offset >= 0, length >= 0, length <= .max - offset
        else { return nil }
        (self.sample, self.isBigEndian, self.channels, self.rate) = (sample, isBigEndian, Int(channels), rate)
        (self.offset, self.length) = (offset, length)
    }

    /// The number of bytes of a frame.
    public var frameBytes: Int { sample.bytes * channels }

    /// The number of whole frames.
    public var frames: Int64 { length / Int64(frameBytes) }

    /// The samples in these bytes of the file, each from -1 to 1. A rest that is no whole sample is left out.
    public func samples(in bytes: some Collection<UInt8>) -> [Float] {
        var samples: [Float] = []
        let size = sample.bytes
        samples.reserveCapacity(bytes.count / size)
        var bits: UInt64 = 0
        var place = 0
        for byte in bytes {
            bits = isBigEndian ? bits << 8 | UInt64(byte) : bits | UInt64(byte) << UInt64(8 * place)
            place += 1
            if place == size {
                samples.append(value(of: bits))
                (bits, place) = (0, 0)
            }
        }
        return samples
    }

    private func value(of bits: UInt64) -> Float {
        switch sample {
        case .unsigned: return Float(Int(bits) - 128) / 128
        case .integer(let bytes):
            // The sign bit becomes the highest one.
            let whole = Int32(truncatingIfNeeded: bits << UInt64(32 - 8 * bytes))
            return Float(whole) / 2_147_483_648
        case .float(let bytes):
            let number =
                bytes == 4 ? Float(bitPattern: UInt32(truncatingIfNeeded: bits)) : Float(Double(bitPattern: bits))
            return number.isNaN ? 0 : min(max(number, -1), 1)
        }
    }
}
