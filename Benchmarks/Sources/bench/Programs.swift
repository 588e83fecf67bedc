import Foundation

struct BenchError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Runs other programs, and reads their output.
enum Programs {
    /// CLOCK_MONOTONIC in nanoseconds, as apps print it.
    static var monotonic: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    /// Runs a program to its end and returns its output. If it fails, throws with its error output.
    @discardableResult
    static func run(_ path: String, _ arguments: [String], environment: [String: String]? = nil) throws -> String {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        if let environment { process.environment = environment }
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let name = ([path.split(separator: "/").last.map(String.init) ?? path] + arguments).joined(separator: " ")
            throw BenchError("\(name): \(complaint.trimmingCharacters(in: .whitespacesAndNewlines))")
        }
        return text
    }

    /// Starts a program in the background. The program's pid is in a file in `work`, where `scripts/bench` finds it in
    /// any case.
    static func start(
        _ path: String, _ arguments: [String], environment: [String: String]? = nil, output: String, work: String
    ) throws -> Process {
        let process = Process()
        try Data().write(to: URL(fileURLWithPath: output))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        if let environment { process.environment = environment }
        process.standardOutput = file
        process.standardError = file
        process.standardInput = FileHandle.nullDevice
        try process.run()
        try Data("\(process.processIdentifier)\n".utf8).write(
            to: URL(fileURLWithPath: "\(work)/\(process.processIdentifier).pid"))
        return process
    }

    /// Ends a program with SIGTERM, and with SIGKILL if that does not suffice.
    static func end(_ process: Process, work: String, within seconds: Double = 15) {
        guard process.isRunning else { return }
        process.terminate()
        if (try? wait("a program's end", seconds: seconds) { process.isRunning ? nil : true }) == nil {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(atPath: "\(work)/\(process.processIdentifier).pid")
    }

    /// Polls every 20 ms until `look` returns a value. Throws if that takes too long.
    static func wait<Value>(_ what: String, seconds: Double, for look: () throws -> Value?) throws -> Value {
        let end = Date.now.addingTimeInterval(seconds)
        while true {
            if let value = try look() { return value }
            guard Date.now < end else { throw BenchError("waited \(Int(seconds)) s for \(what)") }
            usleep(20_000)
        }
    }

    /// The lines of `name=number` pairs in a text.
    static func figures(in text: String) -> [[String: Double]] {
        text.split(separator: "\n").compactMap { line in
            let pairs = line.split(separator: " ").compactMap { word -> (String, Double)? in
                let parts = word.split(separator: "=", maxSplits: 1)
                return parts.count == 2 ? Double(parts[1]).map { (String(parts[0]), $0) } : nil
            }
            return pairs.isEmpty ? nil : Dictionary(pairs) { $1 }
        }
    }

    /// The rounds in these lines, from the values of two names.
    static func rounds(
        _ lines: [[String: Double]], _ measured: String, _ yardstick: String, scale: Double = 1
    ) -> [(measured: Double, yardstick: Double)] {
        lines.compactMap { line in
            guard let ours = line[measured], let theirs = line[yardstick] else { return nil }
            return (ours * scale, theirs * scale)
        }
    }
}
