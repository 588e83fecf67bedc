/// Bytes with numbers at offsets; nil beyond the end.
struct SoundBytes {
    let bytes: [UInt8]

    func text(_ place: Int) -> String? {
        place + 4 <= bytes.count ? String(decoding: bytes[place..<place + 4], as: UTF8.self) : nil
    }

    func high(_ place: Int, _ count: Int) -> Int64? {
        guard place + count <= bytes.count else { return nil }
        return bytes[place..<place + count].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }

    func low(_ place: Int, _ count: Int) -> Int64? {
        guard place + count <= bytes.count else { return nil }
        return bytes[place..<place + count].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }

    /// An 80-bit extended float of the 68881: sign and exponent, and 64 bits with an explicit leading one.
    func extended(_ place: Int) -> Double? {
        guard let head = high(place, 2), let mantissa = high(place + 2, 8), head & 0x8000 == 0 else { return nil }
        let exponent = Int(head & 0x7fff) - 16_383 - 63
        guard (-200...64).contains(exponent) else { return nil }
        return Double(sign: .plus, exponent: exponent, significand: 1) * Double(UInt64(bitPattern: mantissa))
    }
}
