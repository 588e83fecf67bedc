/// Sizes in words.
public enum SizeText {
    /// A number of bytes with the unit that reads best and one digit after the point, rounded down: `1.5 MiB`. Below one
    /// MiB there are whole KiB.
    public static func text(_ bytes: Int64) -> String {
        switch bytes {
        case (1 << 30)...: "\(tenths(bytes, of: 30)) GiB"
        case (1 << 20)...: "\(tenths(bytes, of: 20)) MiB"
        default: "\(bytes >> 10) KiB"
        }
    }

    private static func tenths(_ bytes: Int64, of shift: Int64) -> String {
        let rest = bytes & (1 << shift - 1)
        return "\(bytes >> shift).\((rest * 10) >> shift)"
    }
}
