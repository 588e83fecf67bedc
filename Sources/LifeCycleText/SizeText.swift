/// Numbers of bytes for display.
public enum SizeText {
    /// A number of bytes in the best unit, with one decimal, rounded down: `1.5 MiB`. Below 1 MiB, it is in whole KiB.
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
