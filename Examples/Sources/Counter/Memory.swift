/// Memory that is really used: every page was written.
enum Memory {
    /// Allocates memory without zero bytes and without equal pages, so that pages cannot be shared.
    static func mebibytes(_ count: Int) -> [UInt64] {
        (0..<UInt64(count) * 131_072).map { $0 &* 0x9E37_79B9_7F4A_7C15 | 1 }
    }
}
