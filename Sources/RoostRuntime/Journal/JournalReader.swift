internal import FoundationEssentials
public import RoostPorts

/// Reads a journal, line by line.
public enum JournalReader {
    /// The entries of the journal at `path`, in order. A last line that was cut off in the middle is left out: the
    /// system was killed while it wrote it. Throws where any other line is not an entry, naming file and line.
    public static func entries(of path: String) throws(SystemError) -> [JournalEntry] {
        guard let data = FileManager.default.contents(atPath: path) else {
            let isThere = FileManager.default.fileExists(atPath: path)
            throw SystemError(
                doing: "read the journal", subject: path, errno: isThere ? 0 : 2,
                reason: isThere ? "it is no file that can be read" : "it is not there")
        }
        let decoder = JSONDecoder()
        var entries: [JournalEntry] = []
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where index < lines.count - 1 {
            do {
                entries.append(try decoder.decode(JournalEntry.self, from: Data(line)))
            } catch {
                let known = index == 0 ? "no journal of this version of Roost begins so: " : ""
                throw SystemError(
                    doing: "read the journal", subject: "\(path), line \(index + 1)", errno: 0,
                    reason: known + "\(error)")
            }
        }
        if case .start(let format, _)? = entries.first, format == JournalEntry.format { return entries }
        throw SystemError(
            doing: "read the journal", subject: path, errno: 0,
            reason: "its first line does not begin a journal of format \(JournalEntry.format)")
    }
}
