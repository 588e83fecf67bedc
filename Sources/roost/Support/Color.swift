import Glibc
import RoostLinux

/// Terminal colors. Output to a pipe has no colors, and neither has any output if $NO_COLOR is set (no-color.org).
enum Color: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
    /// The terminal's colors, swapped.
    case reverse = "7"

    private static let isWanted: Bool = {
        let environment = LinuxProcesses.ownEnvironment
        return isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }()

    /// Returns the text unchanged if colors are not wanted.
    func paint(_ text: String) -> String { Self.isWanted ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text }
}
