import FoundationEssentials

/// The boot in which a system last ran, persisted in its state directory.
enum BootRecord {
    /// Whether the boot differs from the boot of the last run; false at the first run.
    static func isAnotherBoot(than bootID: String, in stateDirectory: String) -> Bool {
        let last = try? String(contentsOfFile: stateDirectory + "/boot-id", encoding: .utf8)
        return last.map { $0 != bootID } ?? false
    }

    /// Records this boot, after its consequences are stored. After a failure, the next run detects a new boot again,
    /// and handles it once more.
    static func note(_ bootID: String, in stateDirectory: String) {
        try? bootID.write(toFile: stateDirectory + "/boot-id", atomically: true, encoding: .utf8)
    }
}
