import Glibc
import RoostLinux

/// Colour on a terminal; none in a pipe, nor where $NO_COLOR asks for none (no-color.org).
enum Colour: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
    /// Dark on light, or light on dark, whichever the terminal does not use.
    case reverse = "7"

    private static let isWanted: Bool = {
        let environment = LinuxProcesses.ownEnvironment
        return isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }()

    /// A text in this colour.
    func paint(_ text: String) -> String { Self.isWanted ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text }
}
