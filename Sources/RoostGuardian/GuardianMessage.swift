import LifeCycleModel

/// The messages between supervisor and guardian: one line of text per packet.
///
/// After an upgrade the supervisor may be newer than its guardian. Therefore each side ignores messages that it does
/// not understand, and the supervisor can work without an answer.
public enum GuardianMessage: Hashable, Sendable {
    /// Supervisor: calls are answered from now on, by the system with this id.
    case ready(system: String)
    /// Supervisor: how did this process end? If `startTime` is nil, the last ended process with this pid is meant.
    case asked(pid: Int32, startTime: UInt64?)
    /// Guardian: the answer to `asked`; `nil` if no such child has ended.
    case answered(pid: Int32, ExitLedger.Entry?)
    /// Supervisor: start a helper with this number. The packet passes the helper's end of the stream.
    case startHelper(HelperProgram, Int64)
    /// Supervisor: kill the helper with this number.
    case endHelper(HelperProgram, Int64)

    /// Parses a packet; nil for an unknown message.
    public init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("ready", 2): self = .ready(system: words[1])
        case ("carry", 2), ("gps", 2):
            guard let number = Int64(words[1]) else { return nil }
            self = .startHelper(words[0] == "gps" ? .gps : .carry, number)
        case ("end-carrier", 2), ("end-gps", 2):
            guard let number = Int64(words[1]) else { return nil }
            self = .endHelper(words[0] == "end-gps" ? .gps : .carry, number)
        case ("exit?", 3):
            guard let pid = Int32(words[1]) else { return nil }
            if words[2] == "last" {
                self = .asked(pid: pid, startTime: nil)
            } else {
                guard let startTime = UInt64(words[2]) else { return nil }
                self = .asked(pid: pid, startTime: startTime)
            }
        case ("exit", 3) where words[2] == "unknown":
            guard let pid = Int32(words[1]) else { return nil }
            self = .answered(pid: pid, nil)
        case ("exit", 5):
            guard let pid = Int32(words[1]), let startTime = UInt64(words[2]), let value = Int32(words[4]) else {
                return nil
            }
            let status: ExitStatus
            switch words[3] {
            case "code": status = .exited(code: value)
            case "signal": status = .signaled(value)
            default: return nil
            }
            self = .answered(pid: pid, ExitLedger.Entry(pid: pid, startTime: startTime, status: status))
        default: return nil
        }
    }

    /// The text of the packet.
    public var text: String {
        switch self {
        case .ready(let system): return "ready \(system)"
        case .startHelper(.carry, let number): return "carry \(number)"
        case .startHelper(.gps, let number): return "gps \(number)"
        case .endHelper(.carry, let number): return "end-carrier \(number)"
        case .endHelper(.gps, let number): return "end-gps \(number)"
        case .asked(let pid, let startTime): return "exit? \(pid) \(startTime.map(String.init) ?? "last")"
        case .answered(let pid, let entry):
            guard let entry else { return "exit \(pid) unknown" }
            switch entry.status {
            case .exited(let code): return "exit \(pid) \(entry.startTime) code \(code)"
            case .signaled(let number): return "exit \(pid) \(entry.startTime) signal \(number)"
            case .unknown: return "exit \(pid) unknown"
            }
        }
    }

    /// The maximum length of a packet, in bytes.
    static let longest = 256
}
