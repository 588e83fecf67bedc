import RoostWire

/// Names of finite-length tasks.
enum TaskName {
    /// The name of a task begun without one: who began it.
    static func made(function: String, file: String, line: Int) -> String {
        let base = file.split(separator: "/").last.map(String.init) ?? file
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
