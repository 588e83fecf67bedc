import Foundation
import Glibc
import LifeCycleModel
import Logging
import RoostPorts
import RoostWire
import Testing

@testable import RoostRuntime

/// A supervisor over fakes, with real sockets in a temporary directory. The supervisor's loop runs while the test waits
/// for something.
final class Bench {
    let log = CallLog()
    let processes: FakeProcesses
    let store: FakeStore
    let files: FakeFiles
    let power: FakePower
    let engine: FakeEngine
    let supervisor: Supervisor
    let directory: String

    init(
        policy: Policy = .iOS26, device: DeviceRecord = DeviceRecord(),
        kept: (apps: [AppRecord], launches: [StoredLaunch]) = ([], []),
        concerns: [ConcernRecord] = [], hasEngine: Bool = true,
        isFirstSinceBoot: Bool = false, storeFailure: SystemError? = nil, surroundings: FakeSurroundings? = nil,
        sockets: FakeSockets? = nil, aside: ((@escaping @Sendable () -> Void) -> Void)? = nil,
        handler: any LogHandler = SwiftLogNoOpLogHandler()
    ) throws {
        directory = FileManager.default.temporaryDirectory.path + "/roost-runtime-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory + "/journal", withIntermediateDirectories: true)
        processes = FakeProcesses(log: log)
        var stored = StoredState()
        (stored.device, stored.apps, stored.launches, stored.concerns) = (device, kept.apps, kept.launches, concerns)
        store = FakeStore(log: log, kept: stored)
        store.failure = storeFailure
        files = FakeFiles(log: log)
        power = FakePower(log: log)
        engine = try FakeEngine(log: log)
        var parts = Supervisor.Parts(
            processes: processes, store: store, files: files, appSocket: directory + "/apps",
            controlSocket: directory + "/control", controlCookie: "cookie", journalDirectory: directory + "/journal",
            bootID: "boot", isFirstSinceBoot: isFirstSinceBoot, systemID: "test", stateDirectory: directory)
        parts.power = power
        parts.releaseMemory = { [log] in log.releases += 1 }
        if let aside { parts.aside = aside }
        parts.transfers = hasEngine ? engine : nil
        (parts.links, parts.supplies) = (surroundings?.links, surroundings?.supplies)
        parts.sockets = sockets
        supervisor = try Supervisor(
            policy: policy, parts: parts,
            logger: Logger(label: "test", factory: { _ in handler }))
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// Runs the loop until `condition` holds; fails the test after two minutes.
    func run(until condition: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation) rethrows {
        let end = EventLoop.now + .seconds(120)
        // Wakes the loop for conditions that another end of a socket fulfills.
        while try !condition() {
            guard EventLoop.now < end else {
                Issue.record("the condition did not hold in time", sourceLocation: sourceLocation)
                return
            }
            supervisor.loop.wakeUp.post {}
            var turns = 0
            supervisor.loop.run(until: {
                turns += 1
                return turns > 1
            })
        }
    }

    /// Connects to the control socket or to the apps' socket. At the control socket it authenticates, unless the cookie
    /// is nil.
    func peer(control: Bool = false, cookie: String? = "cookie") throws -> Peer {
        let peer = try Peer(path: directory + (control ? "/control" : "/apps"), bench: self)
        if control, let cookie { peer.send(ControlCall.authenticate(cookie: cookie).encoded()) }
        return peer
    }

    /// Sends a call over the control socket, like the command line.
    func ask(_ call: ControlCall) throws -> ControlReply {
        // Meanwhile the test's process is the command line, not an app.
        let residents = processes.residents
        processes.residents = []
        defer { processes.residents = residents }
        let peer = try peer(control: true)
        peer.send(call.encoded())
        return try ControlReply(VarlinkReply(try peer.next()), to: call)
    }

    func id(_ name: String) throws -> BundleIdentifier { try #require(BundleIdentifier("org.test.\(name)")) }

    /// Installs and opens an app; returns its launch and its token.
    func launch(_ name: String) throws -> (launch: LaunchID, token: String) {
        _ = try ask(.install(path: "/\(name)", replacing: false))
        _ = try ask(.launch(id(name)))
        let (launch, variables) = try #require(files.environments.max { $0.key < $1.key })
        processes.residents.insert(launch)
        let token = try #require(variables.first { $0.hasPrefix("ROOST_TOKEN=") }).dropFirst("ROOST_TOKEN=".count)
        return (launch, String(token))
    }

    /// Connects as RoostKit does.
    func connect(
        _ token: String, _ attachment: LifeCycleModel.Attachment = .new
    ) throws -> (callbacks: Peer, requests: Peer) {
        let callbacks = try peer()
        callbacks.send(.attach(token: token, attachment))
        let requests = try peer()
        requests.send(.identify(token: token))
        _ = try requests.next()
        return (callbacks, requests)
    }

    /// Acknowledges an app's callbacks up to and including `last`.
    func answer(_ app: (callbacks: Peer, requests: Peer), until last: Callback) throws {
        while true {
            let (id, callback) = try app.callbacks.callback()
            app.requests.send(.acknowledge(id, open: []))
            if callback == last { return }
        }
    }

    /// An app's state according to the system.
    func state(_ name: String) throws -> AppState? {
        guard case .apps(let apps) = try ask(.list) else { return nil }
        let identifier = try id(name)
        return apps.first { $0.identifier == identifier }?.state
    }
}

/// The other end of a socket. Sends the bytes of an app or a client.
final class Peer {
    private let descriptor: Int32
    private let bench: Bench
    private var framer = MessageFramer(limit: WireLimits.controlReply)
    private var messages: [[UInt8]] = []
    private(set) var isClosed = false

    init(path: String, bench: Bench) throws {
        self.bench = bench
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            for (index, byte) in path.utf8.enumerated() { bytes[index] = byte }
        }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
    }

    deinit { shut() }

    func shut() {
        if !isClosed { close(descriptor) }
        isClosed = true
    }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        bench.run(until: {
            let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if sent > 0 { rest = rest.dropFirst(sent) }
            return rest.isEmpty || (sent < 0 && errno != EAGAIN)
        })
    }

    /// Sends without running the loop, from within an iteration.
    func sendAtOnce(_ request: AppRequest) {
        let bytes = AppCall.request(request).encoded()
        _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Sends as much as the socket accepts without the loop; returns the number of bytes.
    func sendAtOnce(_ bytes: [UInt8]) -> Int {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { break }
            rest = rest.dropFirst(sent)
        }
        return bytes.count - rest.count
    }

    func send(_ call: AppCall) { send(call.encoded()) }
    func send(_ request: AppRequest) { send(.request(request)) }

    /// Waits for the next message.
    func next() throws -> [UInt8] {
        try bench.run(until: {
            try receive()
            return !messages.isEmpty || isClosed
        })
        return try #require(messages.isEmpty ? nil : messages.removeFirst())
    }

    /// The next callback; notices are skipped.
    func callback() throws -> (id: CallbackID, callback: Callback) {
        while true {
            if case .callback(let id, let callback) = try SystemMessage(VarlinkReply(next())) { return (id, callback) }
        }
    }

    /// Whether a message has come that was not taken yet.
    func hasMessage() throws -> Bool {
        try receive()
        return !messages.isEmpty
    }

    /// Waits until the system has closed the connection; returns its last messages.
    func lastWords() throws -> [VarlinkReply] {
        try bench.run(until: {
            try receive()
            return isClosed
        })
        return try messages.map { try VarlinkReply($0) }
    }

    private func receive() throws {
        guard !isClosed else { return }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { try framer.feed(buffer[..<count], into: &messages) }
        if count == 0 || (count < 0 && errno != EAGAIN) { shut() }
    }
}

extension ControlReply {
    /// The status in the reply; nil for any other reply.
    var status: SystemStatus? { if case .status(let status) = self { status } else { nil } }
    /// The page of transfers in the reply; nil for any other reply.
    var transfers: TransferPage? { if case .transfers(let page) = self { page } else { nil } }
    /// The apps in the reply; nil for any other reply.
    var apps: [AppSummary]? { if case .apps(let apps) = self { apps } else { nil } }
}
