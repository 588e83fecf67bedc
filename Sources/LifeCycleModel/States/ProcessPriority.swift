/// An app's share of the processor and the disks. The foreground comes first (K178, R-24).
public enum ProcessPriority: String, Hashable, Sendable, Codable, CaseIterable {
    /// In the foreground, or on its way there.
    case foreground
    /// All other apps: they get what the foreground leaves, and never stall completely.
    case background
}
