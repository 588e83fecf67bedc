import Foundation

/// A separate running system, in a directory of this run, with the command line to control it.
final class RunningSystem {
    private let roost: String
    let directory: String
    private let work: String
    private let environment: [String: String]
    /// Starts the service again with the same settings.
    private let up: () throws -> Process
    private var process: Process

    /// Starts `roost up`, and returns when it answers.
    ///
    /// `optional` settings are left out if this version does not know them.
    init(_ bench: Bench, name: String, settings: [String] = [], optional: [String] = []) throws {
        roost = "\(bench.programs)/roost"
        work = bench.work
        directory = try bench.directory(name)
        let environment = [
            "PATH": "/usr/bin:/bin", "HOME": directory, "ROOST_STATE": "\(directory)/state",
            "XDG_RUNTIME_DIR": try bench.directory("\(name)/run"),
        ]
        self.environment = environment
        let output = "\(directory)/up.log"
        let roost = roost
        let work = work
        let start: ([String]) throws -> Process = { settings in
            let arguments = ["up"] + settings.flatMap { ["--set", $0] }
            return try Programs.start(roost, arguments, environment: environment, output: output, work: work)
        }
        let answering: ([String]) throws -> Process? = { settings in
            let process = try start(settings)
            let isUp = try Programs.wait("roost up", seconds: 15) { () -> Bool? in
                if (try? Programs.run(roost, ["ps"], environment: environment)) != nil { return true }
                return process.isRunning ? nil : false
            }
            return isUp ? process : nil
        }
        var known = settings + optional
        var started = try answering(known)
        if started == nil, !optional.isEmpty {
            known = settings
            started = try answering(known)
        }
        guard let process = started else {
            throw BenchError("roost up: \((try? String(contentsOfFile: output, encoding: .utf8)) ?? "")")
        }
        self.process = process
        up = { [known] in try start(known) }
    }

    /// The processes of the service: the guardian, and its child that runs `roost`.
    var pids: [Int32] {
        let guardian = process.processIdentifier
        let supervisors = Proc.children(of: guardian).filter {
            let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/exe")
            return program?.hasSuffix("/roost") ?? false
        }
        return [guardian] + supervisors
    }

    var journal: String { "\(directory)/state/journal" }

    @discardableResult
    func command(_ arguments: String...) throws -> String {
        try Programs.run(roost, arguments, environment: environment)
    }

    /// A connection to the control socket. Unlike the command line, it starts no processes that disturb the
    /// measurement.
    func connect() throws -> UnixSocket {
        let connection = try UnixSocket(connectingTo: "\(try sockets())/control")
        try connection.tell(try UnixSocket.call("roost.Control.Authenticate", ["cookie": try cookie()]))
        return connection
    }

    /// The directory of its sockets.
    func sockets() throws -> String {
        let directory = "\(directory)/run/roost"
        guard let id = try FileManager.default.contentsOfDirectory(atPath: directory).first else {
            throw BenchError("no socket")
        }
        return "\(directory)/\(id)"
    }

    /// The cookie that a caller sends to the control socket.
    func cookie() throws -> String {
        try String(contentsOfFile: "\(try sockets())/cookie", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Opens an app through the control socket.
    func launch(_ app: String) throws {
        let connection = try connect()
        defer { connection.close() }
        try connection.tell(try UnixSocket.call("roost.Control.Launch", ["app": app]))
    }

    /// Ends the system and starts it as after a reboot of the device. Returns the time of the start, without waiting
    /// for an answer.
    func restartDevice() throws -> Double {
        end()
        try UUID().uuidString.write(toFile: "\(directory)/state/boot-id", atomically: true, encoding: .utf8)
        let begun = Programs.monotonic
        process = try up()
        return begun
    }

    /// The keys of a bundle's `Info.plist`.
    private struct InfoPlist: Encodable {
        let CFBundleIdentifier, CFBundleExecutable: String
        let UIBackgroundModes: [String]
    }

    /// Makes a bundle for `executable` and installs it. `settings` go into a file next to the executable.
    func install(
        _ name: String, executable: String, settings: [String: String] = [:], modes: [String] = [],
        sharing word: Word? = nil
    ) throws -> String {
        let identifier = "org.roost.bench.\(name)"
        let bundle = "\(directory)/\(name).app"
        let files = FileManager.default
        try files.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        try files.copyItem(atPath: executable, toPath: "\(bundle)/app")
        let plist = InfoPlist(CFBundleIdentifier: identifier, CFBundleExecutable: "app", UIBackgroundModes: modes)
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        try encoder.encode(plist).write(to: URL(fileURLWithPath: "\(bundle)/Info.plist"))
        let lines = settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)\n" }.joined()
        try Data(lines.utf8).write(to: URL(fileURLWithPath: "\(bundle)/settings"))
        try command("install", bundle)
        try files.removeItem(atPath: bundle)
        if let word {
            // A sandboxed app cannot read files of others, so each app has its own link to the file.
            let container = "\(directory)/state/containers/\(identifier)"
            try files.createDirectory(atPath: container, withIntermediateDirectories: true)
            try files.linkItem(atPath: word.path, toPath: "\(container)/word")
        }
        return identifier
    }

    /// The app's output so far.
    func output(of app: String) throws -> String { try command("log", app) }

    /// The app's output so far, read without a command.
    func log(of app: String) -> String {
        (try? String(contentsOfFile: "\(directory)/state/logs/\(app).log", encoding: .utf8)) ?? ""
    }

    /// Waits until an app has printed this line, and returns all its output.
    func output(of app: String, until line: String, seconds: Double) throws -> String {
        try Programs.wait("\(app) to print \(line)", seconds: seconds) {
            guard process.isRunning else { throw BenchError("roost up has ended") }
            let text = try output(of: app)
            return text.split(separator: "\n").contains { $0 == line } ? text : nil
        }
    }

    /// How many downloads wait.
    func waitingDownloads() throws -> Int {
        struct Download: Decodable { let state: String }
        let list = try JSONDecoder().decode([Download].self, from: Data(command("transfers", "--json").utf8))
        return list.count { $0.state == "waiting" }
    }

    /// Waits until each of these apps is in this state.
    func wait(for apps: [String], toBe state: String, seconds: Double = 30) throws {
        struct App: Decodable { let identifier, state: String }
        _ = try Programs.wait("\(apps.count) apps to be \(state)", seconds: seconds) { () -> Bool? in
            let list = try JSONDecoder().decode([App].self, from: Data(command("ps", "--json").utf8))
            return list.filter { apps.contains($0.identifier) && $0.state == state }.count == apps.count ? true : nil
        }
    }

    /// Stops `roost up`, which also ends its apps, and removes the file with its pid.
    func end() { Programs.end(process, work: work) }
}
