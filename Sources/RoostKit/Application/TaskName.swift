import RoostWire

/// Names of finite-length tasks.
enum TaskName {
    /// The name of a task begun without one: who began it.
    static func made(function: String, file: String, line: Int) -> String {
        // By bytes: a begin in the foreground takes less than taking the path apart by characters would.
        let slash = file.utf8.lastIndex(of: UInt8(ascii: "/"))
        let base = slash.map { file[file.utf8.index(after: $0)...] } ?? file[...]
        return shortened("Called by \(function), from \(base):\(line)")
    }

    /// A name that the system takes: cut after a whole character where it is too long.
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
