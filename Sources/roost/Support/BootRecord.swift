import FoundationEssentials

/// Which boot a system last ran in, kept in its state directory.
enum BootRecord {
    /// Whether this is another boot than the last time; the first time is none.
    static func isAnotherBoot(than bootID: String, in stateDirectory: String) -> Bool {
        let last = try? String(contentsOfFile: stateDirectory + "/boot-id", encoding: .utf8)
        return last.map { $0 != bootID } ?? false
    }

    /// Notes this boot: once what follows from it is stored. Where it can't be written, the next run finds another boot
    /// again, and forgets a flag more.
    static func note(_ bootID: String, in stateDirectory: String) {
        try? bootID.write(toFile: stateDirectory + "/boot-id", atomically: true, encoding: .utf8)
    }
}
