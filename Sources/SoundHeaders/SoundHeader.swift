public import LifeCycleModel

/// Reads the header of a sound file: format, duration, and where its samples are. Does not read samples.
public enum SoundHeader {
    /// The number of bytes that are read from the beginning of a file.
    public static let longest = 64 * 1024

    /// Parses the first bytes of a file of `size` bytes.
    public static func read(_ bytes: [UInt8], size: Int64) -> SoundFile {
        guard let found = find(bytes, size: size) else { return .unreadable }
        return .sound(
            found.format, length: Nanoseconds(Int64((found.frames / found.rate * 1_000_000_000).rounded())))
    }

    /// The samples of a file of `size` bytes that begins with these bytes; nil if they are compressed, begin further on
    /// in the file, or have a form that `PCMLayout` does not have.
    public static func layout(_ bytes: [UInt8], size: Int64) -> PCMLayout? { find(bytes, size: size)?.layout }

    private struct Found {
        var format: SoundFile.Format
        var frames: Double
        var rate: Double
        var layout: PCMLayout?
    }

    private static func find(_ bytes: [UInt8], size: Int64) -> Found? {
        let reader = SoundBytes(bytes: bytes)
        let found: Found? =
            switch (reader.text(0), reader.text(8)) {
            case ("RIFF", "WAVE"): wave(reader, size: size)
            case ("FORM", "AIFF"), ("FORM", "AIFC"): aiff(reader, size: size)
            case ("caff", _): caf(reader, size: size)
            default: nil
            }
        guard let found, found.rate > 0, found.frames >= 0, found.frames / found.rate < 1_000_000 else { return nil }
        return found
    }

    /// RIFF/WAVE: little-endian numbers.
    private static func wave(_ bytes: SoundBytes, size: Int64) -> Found? {
        var place = 12
        var format: (kind: SoundFile.Format, bytesPerSecond: Double, rate: Double, body: Int)?
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
                format = (kind, Double(perSecond), Double(rate), body)
            } else if id == "data" {
                guard let format, format.bytesPerSecond > 0 else { return nil }
                // While a file is being written, the length may be 0 or the maximum value.
                let real = min(length, max(0, size - Int64(body)))
                return Found(
                    format: format.kind, frames: Double(real) / format.bytesPerSecond * format.rate, rate: format.rate,
                    layout: layout(ofWave: bytes, format.body, Int64(body), real))
            }
            place = body + Int(length) + Int(length & 1)
        }
        return nil
    }

    /// The layout by the body of the chunk `fmt `.
    private static func layout(
        ofWave bytes: SoundBytes, _ format: Int, _ offset: Int64, _ length: Int64
    ) -> PCMLayout? {
        guard let tag = bytes.low(format, 2), let channels = bytes.low(format + 2, 2), channels > 0,
            let rate = bytes.low(format + 4, 4), let frame = bytes.low(format + 12, 2), frame % channels == 0
        else { return nil }
        let size = Int(frame / channels)
        let sample: PCMLayout.Sample
        switch tag == 0xfffe ? bytes.low(format + 24, 2) : tag {
        case 1: sample = size == 1 ? .unsigned : .integer(bytes: size)
        case 3: sample = .float(bytes: size)
        default: return nil
        }
        return PCMLayout(
            sample, isBigEndian: false, channels: channels, rate: Double(rate), offset: offset, length: length)
    }

    /// AIFF and AIFF-C: big-endian numbers, and the sample rate as an 80-bit float. The samples may come before them.
    private static func aiff(_ bytes: SoundBytes, size: Int64) -> Found? {
        var place = 12
        var common: (found: Found, kind: String?, body: Int)?
        var samples: (offset: Int64, length: Int64)?
        while common == nil || samples == nil, let id = bytes.text(place), let length = bytes.high(place + 4, 4) {
            let body = place + 8
            if id == "COMM" {
                guard let frames = bytes.high(body + 2, 4), let rate = bytes.extended(body + 8) else { return nil }
                let name = length >= 22 ? bytes.text(body + 18) : "NONE"
                let kind: SoundFile.Format =
                    switch name {
                    case "NONE", "twos", "sowt", "in24", "in32", "fl32", "FL32", "fl64", "FL64": .linearPCM
                    case "ima4": .ima4
                    case "ulaw", "ULAW": .uLaw
                    case "alaw", "ALAW": .aLaw
                    default: .other
                    }
                // For IMA4, the frame count is in packets of 64 samples.
                let found = Found(format: kind, frames: Double(frames) * (kind == .ima4 ? 64 : 1), rate: rate)
                common = (found, name, body)
            } else if id == "SSND", let skipped = bytes.high(body, 4) {
                let offset = Int64(body) + 8 + skipped
                samples = (offset, max(0, min(length - 8 - skipped, size - offset)))
            }
            place = body + Int(length) + Int(length & 1)
        }
        guard let (found, kind, body) = common, let samples else { return common?.found }
        var whole = found
        whole.layout = layout(ofAIFF: bytes, kind, body, found, samples)
        return whole
    }

    /// The layout by the body of the chunk `COMM`.
    private static func layout(
        ofAIFF bytes: SoundBytes, _ kind: String?, _ common: Int, _ found: Found,
        _ samples: (offset: Int64, length: Int64)
    ) -> PCMLayout? {
        guard let channels = bytes.high(common, 2), let bits = bytes.high(common + 6, 2) else { return nil }
        let sample: PCMLayout.Sample
        switch kind {
        case "NONE", "twos", "sowt", "in24", "in32": sample = .integer(bytes: Int(bits + 7) / 8)
        case "fl32", "FL32": sample = .float(bytes: 4)
        case "fl64", "FL64": sample = .float(bytes: 8)
        default: return nil
        }
        return PCMLayout(
            sample, isBigEndian: kind != "sowt", channels: channels, rate: found.rate, offset: samples.offset,
            length: samples.length)
    }

    /// Core Audio (CAF): big-endian numbers, and 64-bit lengths.
    private static func caf(_ bytes: SoundBytes, size: Int64) -> Found? {
        var place = 8
        var format: (kind: SoundFile.Format, rate: Double, packetBytes: Double, packetFrames: Double, body: Int)?
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
                format = (kind, rate.isFinite ? rate : 0, Double(packetBytes), Double(packetFrames), body)
            } else if id == "pakt" {
                valid = bytes.high(body + 8, 8).map(Double.init)
            } else if id == "data" {
                guard let format else { return nil }
                // -1 means up to the end of the file. The first four bytes are an edit count.
                let all = max(0, size - Int64(body))
                let data = max(0, (length < 0 ? all : min(length, all)) - 4)
                let layout = layout(ofCAF: bytes, format.body, format.rate, Int64(body) + 4, data)
                guard valid != nil || format.packetBytes > 0 else {
                    return format.kind == .other ? Found(format: .other, frames: 0, rate: 1) : nil
                }
                return Found(
                    format: format.kind, frames: valid ?? Double(data) / format.packetBytes * format.packetFrames,
                    rate: format.rate, layout: layout)
            }
            guard length >= 0, length <= Int64(Int32.max) else { return nil }
            place = body + Int(length)
        }
        return nil
    }

    /// The layout by the body of the chunk `desc`.
    private static func layout(
        ofCAF bytes: SoundBytes, _ description: Int, _ rate: Double, _ offset: Int64, _ length: Int64
    ) -> PCMLayout? {
        guard bytes.text(description + 8) == "lpcm", let flags = bytes.high(description + 12, 4),
            let packet = bytes.high(description + 16, 4), bytes.high(description + 20, 4) == 1,
            let channels = bytes.high(description + 24, 4), channels > 0, packet % channels == 0
        else { return nil }
        // kCAFLinearPCMFormatFlagIsFloat and kCAFLinearPCMFormatFlagIsLittleEndian.
        let size = Int(packet / channels)
        return PCMLayout(
            flags & 1 != 0 ? .float(bytes: size) : .integer(bytes: size), isBigEndian: flags & 2 == 0,
            channels: channels, rate: rate, offset: offset, length: length)
    }
}
