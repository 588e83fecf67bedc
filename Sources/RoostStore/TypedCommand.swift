/// A command for the user to type, as a message shows it.
public enum TypedCommand {
    /// `` `roost recover --state /tmp/st` ``: the command in backquotes, ready for a shell. Without `--state` if
    /// `state` is nil, which means the default state directory.
    public static func text(_ words: String, state: String?) -> String {
        "`roost \(words)\(state.map { " --state \(quoted($0))" } ?? "")`"
    }

    /// The path as one word of a shell command.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/._-+,:=@%".utf8.contains(byte)
            }
        }
        if isPlain, !path.isEmpty { return path }
        return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
