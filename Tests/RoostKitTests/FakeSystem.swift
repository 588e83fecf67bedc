import Foundation
import LifeCycleModel
import RoostWire

struct TestFailure: Error, CustomStringConvertible { let description: String }

/// The system as an app sees it, reduced to a socket. Tests decide its messages.
final class FakeSystem {
    let directory: URL
    var path: String { directory.appendingPathComponent("app").path }
    private var listener: Int32 = -1

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("roostkit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try listen()
    }

    deinit {
        close(listener)
        try? FileManager.default.removeItem(at: directory)
    }

    func listen() throws {
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, Glibc.listen(listener, 8) == 0 else { throw TestFailure(description: "can't listen") }
    }

    func goAway() {
        close(listener)
        listener = -1
        unlink(path)
    }

    /// Accepts a connection.
    func accept(within seconds: Int32 = 10) throws -> FakeConnection {
        var wait = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, seconds * 1000) == 1 else { throw TestFailure(description: "no connection arrives") }
        return FakeConnection(Glibc.accept(listener, nil, nil))
    }

    /// Accepts an app's pair of connections, and its attachment.
    func acceptApp() throws -> (callbacks: FakeConnection, requests: FakeConnection, attachment: Attachment) {
        let (callbacks, requests) = (try accept(), try accept())
        let (attach, identify) = (try callbacks.call(), try requests.call())
        guard case .attach("secret", let attachment) = attach, case .identify("secret") = identify else {
            throw TestFailure(description: "\(attach), \(identify)")
        }
        requests.send(VarlinkReply.empty.encoded())
        return (callbacks, requests, attachment)
    }
}

final class FakeConnection {
    private let descriptor: Int32
    private var framer = MessageFramer()
    private var messages: [[UInt8]] = []

    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }

    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    func say(_ id: Int32, _ callback: Callback) {
        send(SystemMessage.callback(CallbackID(id), callback).encoded())
    }

    /// Whether anything is readable within this time.
    func isReadable(within milliseconds: Int32) -> Bool {
        if !messages.isEmpty { return true }
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, milliseconds) == 1
    }

    /// Whether the app has closed this connection.
    var hasEnded: Bool {
        // A hang-up is reported even without requested events.
        var wait = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&wait, 1, 0) == 1 && Int32(wait.revents) & Int32(POLLHUP) != 0
    }

    func call() throws -> AppCall {
        while messages.isEmpty {
            guard isReadable(within: 120_000) else { throw TestFailure(description: "no message arrives") }
            var buffer = [UInt8](repeating: 0, count: 65536)
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { throw TestFailure(description: "the connection ended") }
            try framer.feed(buffer[..<count], into: &messages)
        }
        return try AppCall(VarlinkCall(messages.removeFirst()))
    }

    func request() throws -> AppRequest {
        let call = try call()
        guard case .request(let request) = call else { throw TestFailure(description: "\(call)") }
        return request
    }
}

/// The test app as a process, with its log in a file.
final class FakeLaunch {
    private let process = Process()
    private let log: URL
    private let bundle: URL?

    /// - Parameters:
    ///   - system: The system that launches it; nil for none.
    ///   - reason: The reason of the launch.
    ///   - background: Its work in the background.
    ///   - app: The product to run.
    ///   - scene: Its scene session; nil for an app without scenes.
    ///   - isPrewarmed: Whether it is started early, to be launched by the callback.
    ///   - info: Its `Info.plist`, in a bundle made for it; nil for no bundle.
    init(
        _ system: FakeSystem?, reason: LaunchReason = .user, background: String = "nothing",
        app: String = "RoostKitTestApp", scene: SceneSessionID? = nil, isPrewarmed: Bool = false,
        info: [String: Any]? = nil
    ) throws {
        // The apps are built in the same folder as the tests.
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let built = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(app)
        bundle = try info.map { try Self.makeBundle(of: built, info: $0) }
        process.executableURL = bundle?.appendingPathComponent(app) ?? built
        log = FileManager.default.temporaryDirectory.appendingPathComponent("roostkit-\(UUID().uuidString).log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let handle = try FileHandle(forWritingTo: log)
        process.standardOutput = handle
        process.standardError = handle
        var environment = ProcessInfo.processInfo.environment
        environment["TEST_BACKGROUND"] = background
        if scene != nil { environment["TEST_APP"] = "scenes" }
        if let system {
            let context = LaunchContext(
                reason: reason, backgroundTime: .seconds(30), isMultitaskingSupported: true, sceneSession: scene,
                isPrewarmed: isPrewarmed)
            for variable in AppEnvironment(socket: system.path, token: "secret", context: context).variables {
                let parts = variable.split(separator: "=", maxSplits: 1).map(String.init)
                environment[parts[0]] = parts[1]
            }
        }
        process.environment = environment
        try process.run()
    }

    private static func makeBundle(of executable: URL, info: [String: Any]) throws -> URL {
        let files = FileManager.default
        let bundle = files.temporaryDirectory.appendingPathComponent("roostkit-\(UUID().uuidString).app")
        try files.createDirectory(at: bundle, withIntermediateDirectories: true)
        // Another process copies the file. If this process had it open for writing, a child of another test could
        // inherit the descriptor. While that child holds it, the file could not be executed.
        let copy = try Process.run(URL(fileURLWithPath: "/bin/cp"), arguments: [executable.path, bundle.path])
        copy.waitUntilExit()
        guard copy.terminationStatus == 0 else { throw TestFailure(description: "\(executable.path) can't be copied") }
        let data = try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
        try data.write(to: bundle.appendingPathComponent("Info.plist"))
        return bundle
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: log)
        if let bundle { try? FileManager.default.removeItem(at: bundle) }
    }

    var pid: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    func exitCode() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// The number of context switches of each thread, by the thread's id.
    func switches() throws -> [String: String] {
        var counts: [String: String] = [:]
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task") {
            // Worker threads end by themselves.
            guard let status = try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8) else {
                continue
            }
            counts[thread] = status.split(separator: "\n").filter { $0.contains("ctxt_switches") }.joined()
        }
        return counts
    }

    // MARK: Waiting for what the kernel says of it

    /// Waits until the condition holds. Polls with a pause, and assumes nothing about the duration.
    func until(_ what: String, _ condition: () throws -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: 20)
        while try !condition() {
            guard Date() < deadline else { throw TestFailure(description: "timed out after 20 s: \(what)") }
            poll(nil, 0, 2)
        }
    }

    /// Waits until the app watches for its system's socket.
    func untilWatching() throws {
        try until("the app watches for its system") {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fdinfo").contains { name in
                // The descriptor may have been closed since.
                (try? String(contentsOfFile: "/proc/\(pid)/fdinfo/\(name)", encoding: .utf8))?.contains("inotify wd:")
                    == true
            }
        }
    }

    /// Waits until a thread of the app has run more than in `before`.
    func untilSwitched(from before: [String: String]) throws {
        try until("the app has run") { try switches() != before }
    }

    /// Waits until the app is idle: all its threads sleep, and none has run between two looks.
    func untilIdle() throws {
        try until("the app is idle") {
            let before = try switches()
            poll(nil, 0, 100)
            let after = try switches()
            return try isAsleep() && before.allSatisfy { after[$0.key] == nil || after[$0.key] == $0.value }
        }
    }

    private func isAsleep() throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").allSatisfy { thread in
            let status = try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8)
            return status?.contains("State:\tS") != false
        }
    }

    /// The descriptors above 2 that a program executed by the process would inherit: their targets, sorted.
    func inherited() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fdinfo").compactMap { name in
            guard let number = Int(name), number > 2 else { return nil }
            let info = try String(contentsOfFile: "/proc/\(pid)/fdinfo/\(name)", encoding: .utf8)
            let flags = info.split(separator: "\n").first { $0.hasPrefix("flags:") }?.split(separator: "\t").last
            guard let flags = flags.flatMap({ Int32($0, radix: 8) }), flags & O_CLOEXEC == 0 else { return nil }
            return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\(name)")
        }
        .sorted()
    }

    /// Sets the process's descriptor limit, without its hard limit; returns the former limit.
    func limitDescriptors(to count: rlim_t) throws -> rlim_t {
        typealias Call =
            @convention(c) (pid_t, UInt32, UnsafePointer<rlimit>?, UnsafeMutablePointer<rlimit>?) -> Int32
        // Swift does not import it.
        guard let symbol = dlsym(nil, "prlimit") else { throw TestFailure(description: "prlimit is not found") }
        let prlimit = unsafeBitCast(symbol, to: Call.self)
        var old = rlimit()
        guard prlimit(pid, RLIMIT_NOFILE.rawValue, nil, &old) == 0 else { throw TestFailure(description: "no limit") }
        var new = rlimit(rlim_cur: count, rlim_max: old.rlim_max)
        guard prlimit(pid, RLIMIT_NOFILE.rawValue, &new, nil) == 0 else {
            throw TestFailure(description: "no new limit")
        }
        return old.rlim_cur
    }

    var lines: [String] {
        ((try? String(contentsOf: log, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }
}
