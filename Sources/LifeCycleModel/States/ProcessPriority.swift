/// How much of the processor and of the disks an app gets beside others: the foreground goes first (K178, R-24).
public enum ProcessPriority: String, Hashable, Sendable, Codable, CaseIterable {
    /// In front, or on its way there.
    case foreground
    /// Everything else: it runs on what is left, and never quite stands still.
    case background
}
