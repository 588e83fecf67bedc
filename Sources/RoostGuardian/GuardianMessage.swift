import LifeCycleModel

/// What supervisor and guardian say to each other: a line of text each, a packet each.
///
/// After an upgrade the supervisor may be newer than its guardian. So what is not understood is passed over, and a
/// supervisor that gets no answer goes without.
public enum GuardianMessage: Hashable, Sendable {
    /// The supervisor answers calls from now on; the id of its system.
    case ready(system: String)
    /// The supervisor asks how a process ended: the one that started then, or the last of this number.
    case asked(pid: Int32, startTime: UInt64?)
    /// The guardian's answer: `nil` for a process that has not ended as its child.
    case answered(pid: Int32, ExitLedger.Entry?)
    /// The supervisor wants a carrier of transfers, whose end of the stream to it comes along.
    case carry(Int64)
    /// The carrier with this number is to end at once.
    case endCarrier(Int64)

    /// Reads a packet; nil for what is not understood.
    public init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("ready", 2): self = .ready(system: words[1])
        case ("carry", 2):
            guard let number = Int64(words[1]) else { return nil }
            self = .carry(number)
        case ("end-carrier", 2):
            guard let number = Int64(words[1]) else { return nil }
            self = .endCarrier(number)
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

    /// The packet.
    public var text: String {
        switch self {
        case .ready(let system): return "ready \(system)"
        case .carry(let number): return "carry \(number)"
        case .endCarrier(let number): return "end-carrier \(number)"
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

    /// No packet is longer.
    static let longest = 256
}
