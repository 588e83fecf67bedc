import RoostWire

/// Names for background tasks.
enum TaskName {
    /// The name of a task that was begun without a name: its caller.
    static func made(function: String, file: String, line: Int) -> String {
        // Search bytes, not characters: splitting the path by characters would cost more than beginning a task.
        let slash = file.utf8.lastIndex(of: UInt8(ascii: "/"))
        let base = slash.map { file[file.utf8.index(after: $0)...] } ?? file[...]
        return shortened("Called by \(function), from \(base):\(line)")
    }

    /// A name short enough for the system: if it is too long, it is cut after a whole character.
    static func shortened(_ name: String) -> String {
        guard name.utf8.count > WireLimits.name else { return name }
        var short = ""
        var length = 0
        for character in name {
            length += character.utf8.count
            if length > WireLimits.name { break }
            short.append(character)
        }
        return short
    }
}
