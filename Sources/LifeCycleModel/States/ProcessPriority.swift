/// How much of the processor and of the disks an app is to have beside others: what is in front comes first (K178).
public enum ProcessPriority: String, Hashable, Sendable, Codable, CaseIterable {
    /// What the user is looking at.
    case foreground
    /// Everything else: it runs on what is left, and never quite stands still.
    case background
}
