public import LifeCycleModel

/// Times, as traces show them.
public enum ClockText {
    /// `0:05.000`, `1:30:00.000`: hours, minutes, seconds; at least three decimals, and more if the time needs them.
    public static func text(_ time: Nanoseconds) -> String {
        let seconds = time.rawValue / 1_000_000_000
        func digits(_ value: Int64, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let minutes = digits(seconds / 60 % 60, seconds >= 3600 ? 2 : 1) + ":" + digits(seconds % 60, 2)
        var fraction = digits(time.rawValue % 1_000_000_000, 9)
        while fraction.count > 3, fraction.last == "0" { fraction.removeLast() }
        return (seconds >= 3600 ? "\(seconds / 3600):" : "") + minutes + "." + fraction
    }
}
