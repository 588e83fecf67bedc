public import LifeCycleModel

/// Reads format and duration from the header of a sound file. Does not read samples.
public enum SoundHeader {
    /// The number of bytes that are read from the beginning of a file.
    public static let longest = 64 * 1024

    /// Parses the first bytes of a file of `size` bytes.
    public static func read(_ bytes: [UInt8], size: Int64) -> SoundFile {
        let reader = SoundBytes(bytes: bytes)
        let found: (format: SoundFile.Format, frames: Double, rate: Double)? =
            switch (reader.text(0), reader.text(8)) {
            case ("RIFF", "WAVE"): wave(reader, size: size)
            case ("FORM", "AIFF"), ("FORM", "AIFC"): aiff(reader)
            case ("caff", _): caf(reader, size: size)
            default: nil
            }
        guard let found, found.rate > 0, found.frames >= 0, found.frames / found.rate < 1_000_000 else {
            return .unreadable
        }
        return .sound(found.format, length: Nanoseconds(Int64((found.frames / found.rate * 1_000_000_000).rounded())))
    }

    private typealias Found = (format: SoundFile.Format, frames: Double, rate: Double)

    /// RIFF/WAVE: little-endian numbers.
    private static func wave(_ bytes: SoundBytes, size: Int64) -> Found? {
        var place = 12
        var format: (kind: SoundFile.Format, bytesPerSecond: Double, rate: Double)?
        while let id = bytes.text(place), let length = bytes.low(place + 4, 4) {
            let body = place + 8
            if id == "fmt " {
                guard let tag = bytes.low(body, 2), let rate = bytes.low(body + 4, 4),
                    let perSecond = bytes.low(body + 8, 4)
                else { return nil }
                // The extensible format has its tag further on.
                let real = tag == 0xfffe ? bytes.low(body + 24, 2) ?? tag : tag
                let kind: SoundFile.Format =
                    switch real {
                    // Integers, or floating-point numbers.
                    case 1, 3: .linearPCM
                    case 6: .aLaw
                    case 7: .uLaw
                    case 0x11: .ima4
                    default: .other
                    }
                format = (kind, Double(perSecond), Double(rate))
            } else if id == "data" {
                guard let format, format.bytesPerSecond > 0 else { return nil }
                // While a file is being written, the length may be 0 or the maximum value.
                let real = min(length, max(0, size - Int64(body)))
                return (format.kind, Double(real) / format.bytesPerSecond * format.rate, format.rate)
            }
            place = body + Int(length) + Int(length & 1)
        }
        return nil
    }

    /// AIFF and AIFF-C: big-endian numbers, and the sample rate as an 80-bit float.
    private static func aiff(_ bytes: SoundBytes) -> Found? {
        var place = 12
        while let id = bytes.text(place), let length = bytes.high(place + 4, 4) {
            let body = place + 8
            if id == "COMM" {
                guard let frames = bytes.high(body + 2, 4), let rate = bytes.extended(body + 8) else { return nil }
                let kind: SoundFile.Format =
                    switch length >= 22 ? bytes.text(body + 18) : "NONE" {
                    case "NONE", "twos", "sowt", "in24", "in32", "fl32", "FL32", "fl64", "FL64": .linearPCM
                    case "ima4": .ima4
                    case "ulaw", "ULAW": .uLaw
                    case "alaw", "ALAW": .aLaw
                    default: .other
                    }
                // For IMA4, the frame count is in packets of 64 samples.
                return (kind, Double(frames) * (kind == .ima4 ? 64 : 1), rate)
            }
            place = body + Int(length) + Int(length & 1)
        }
        return nil
    }

    /// Core Audio (CAF): big-endian numbers, and 64-bit lengths.
    private static func caf(_ bytes: SoundBytes, size: Int64) -> Found? {
        var place = 8
        var format: (kind: SoundFile.Format, rate: Double, packetBytes: Double, packetFrames: Double)?
        var valid: Double?
        while let id = bytes.text(place), let length = bytes.high(place + 4, 8) {
            let body = place + 12
            if id == "desc" {
                guard let bits = bytes.high(body, 8), let packetBytes = bytes.high(body + 16, 4),
                    let packetFrames = bytes.high(body + 20, 4)
                else { return nil }
                let kind: SoundFile.Format =
                    switch bytes.text(body + 8) {
                    case "lpcm": .linearPCM
                    case "ima4": .ima4
                    case "ulaw": .uLaw
                    case "alaw": .aLaw
                    default: .other
                    }
                let rate = Double(bitPattern: UInt64(bitPattern: bits))
                format = (kind, rate.isFinite ? rate : 0, Double(packetBytes), Double(packetFrames))
            } else if id == "pakt" {
                valid = bytes.high(body + 8, 8).map(Double.init)
            } else if id == "data" {
                guard let format else { return nil }
                if let valid { return (format.kind, valid, format.rate) }
                guard format.packetBytes > 0 else { return format.kind == .other ? (.other, 0, 1) : nil }
                // -1 means up to the end of the file. The first four bytes are an edit count.
                let all = max(0, size - Int64(body))
                let data = max(0, (length < 0 ? all : min(length, all)) - 4)
                return (format.kind, Double(data) / format.packetBytes * format.packetFrames, format.rate)
            }
            guard length >= 0, length <= Int64(Int32.max) else { return nil }
            place = body + Int(length)
        }
        return nil
    }
}
