import FoundationEssentials

/// Which boot a system last ran in, kept in its state directory.
enum BootRecord {
    /// Whether this is another boot than the last time, which is noted; the first time is none.
    static func isAnotherBoot(than bootID: String, in stateDirectory: String) -> Bool {
        let path = stateDirectory + "/boot-id"
        let last = try? String(contentsOfFile: path, encoding: .utf8)
        guard last != bootID else { return false }
        // Where it can't be written, the next run will find another boot again: a flag more is forgotten, no more.
        try? bootID.write(toFile: path, atomically: true, encoding: .utf8)
        return last != nil
    }
}
