/// Memory that is really there: every page of it was written.
enum Memory {
    /// Gives the bytes, none of them zero, so that no page can stand for another.
    static func mebibytes(_ count: Int) -> [UInt64] {
        (0..<UInt64(count) * 131_072).map { $0 &* 0x9E37_79B9_7F4A_7C15 | 1 }
    }
}
