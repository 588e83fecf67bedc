import Foundation
import Glibc
import RoostKit
import RoostTesting
import Testing

/// Keeps a connection to the test's server, and has a keep-alive handler.
@MainActor private final class Subscriber: UIResponder, UIApplicationDelegate {
    static var exchange: Exchange?

    private(set) var socket: Int32 = -1
    private(set) var isHandlerSet = false
    private(set) var calls: [String] = []

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        isHandlerSet = application.setKeepAliveTimeout(UIMinimumKeepAliveTimeout) { [weak self] in
            self?.calls.append("keep-alive")
        }
        if let exchange = Self.exchange { keep(exchange.connected()) }
        return true
    }

    func keep(_ descriptor: Int32) {
        socket = descriptor
        RoostVoIP.keep(fileDescriptor: descriptor) { [weak self] failure in
            self?.calls.append(failure.map { "\($0.code)" } ?? "kept")
        }
    }

    /// The number of bytes that have come; 0 at the end of the connection, and -1 if nothing has come.
    func read() -> Int {
        var buffer = [UInt8](repeating: 0, count: 64)
        return recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    }
}

/// Kept sockets with real connections over loopback, keep-alive handlers, and launches after an end (R-167 to R-170,
/// R-175), on the virtual device.
@Suite(.serialized) @MainActor struct SocketTests {
    private let exchange: Exchange

    init() throws {
        exchange = try Exchange()
        Subscriber.exchange = exchange
    }

    private func subscriber(_ app: VirtualApp) throws -> Subscriber { try #require(app.delegate as? Subscriber) }

    /// The answers to requests come by the main queue, which the device does not wait for.
    private func soon(_ isSo: () -> Bool) async { for _ in 0..<100_000 where !isSo() { await Task.yield() } }

    /// An app in the foreground that has asked the system to keep its socket.
    private func open(
        _ device: VirtualDevice, modes: [String] = ["voip"]
    ) async throws -> (VirtualApp, Subscriber) {
        let app = try device.install(infoPlist: ["UIBackgroundModes": modes], delegate: Subscriber.self)
        await device.launch(app)
        let subscriber = try subscriber(app)
        await soon { !subscriber.calls.isEmpty }
        return (app, subscriber)
    }

    /// A suspended app whose socket is kept.
    private func suspended(_ device: VirtualDevice) async throws -> (VirtualApp, Subscriber) {
        let (app, subscriber) = try await open(device)
        #expect(subscriber.calls == ["kept"])
        await device.home()
        #expect(app.state == .suspended)
        return (app, subscriber)
    }

    // MARK: Wakes

    @Test func dataWakesTheApp() async throws {
        try await withVirtualDevice { device in
            let (app, subscriber) = try await suspended(device)
            await device.advance(by: .seconds(60))
            #expect(app.state == .suspended)
            try exchange.send()
            await device.advance(by: .zero)
            #expect(app.state == .background && app.wakes == [.user, .voip])
            #expect(subscriber.read() == 1, "the device has read nothing")
            await device.advance(by: .seconds(10))
            #expect(app.state == .suspended)
            await device.advance(by: .seconds(60))
            #expect(app.state == .suspended && app.wakes.count == 2)
        }
    }

    /// The data came just before the app was suspended.
    @Test func dataThatIsThereAlreadyWakesTheApp() async throws {
        try await withVirtualDevice { device in
            let (app, _) = try await open(device)
            try exchange.send()
            await device.home()
            #expect(app.state == .background && app.wakes == [.user, .voip])
        }
    }

    @Test func theEndOfTheConnectionWakesTheApp() async throws {
        try await withVirtualDevice { device in
            let (app, subscriber) = try await suspended(device)
            try exchange.hangUp()
            await device.advance(by: .seconds(5))
            #expect(app.state == .background && subscriber.read() == 0)
            #expect(app.reasons.contains { $0.hasPrefix("the connection of socket") }, "\(app.reasons)")
            await device.advance(by: .seconds(60))
            #expect(app.state == .suspended && app.wakes.count == 2)
        }
    }

    @Test func dataThatIsLeftWakesTheAppThreeTimes() async throws {
        try await withVirtualDevice { device in
            let (app, subscriber) = try await suspended(device)
            try exchange.send()
            await device.advance(by: .seconds(60))
            #expect(app.state == .suspended && app.wakes == [.user, .voip, .voip, .voip])
            #expect(subscriber.read() == 1)
            try exchange.send()
            await device.advance(by: .zero)
            #expect(app.state == .background && app.wakes.count == 5)
        }
    }

    @Test func anAppThatIsWokenTooOftenIsKilled() async throws {
        try await withVirtualDevice { device in
            let (app, subscriber) = try await suspended(device)
            for _ in 1...15 {
                try exchange.send()
                await device.advance(by: .zero)
                #expect(app.state == .background && subscriber.read() == 1)
                await device.advance(by: .seconds(10))
            }
            try exchange.send()
            await device.advance(by: .zero)
            #expect(device.expectTermination(of: app)?.code == .wokenTooOften)
            #expect(app.state == .notRunning && app.wakes.count == 16)
        }
    }

    // MARK: Requests

    @Test func aSocketIsDroppedBeforeItIsClosed() async throws {
        try await withVirtualDevice { device in
            let (app, subscriber) = try await open(device)
            RoostVoIP.drop(fileDescriptor: subscriber.socket)
            await device.advance(by: .zero)
            _ = try exchange.appCloses()
            try exchange.awaitEnd()
            await device.home()
            #expect(app.state == .suspended && app.wakes == [.user])
        }
    }

    /// The device has a descriptor of its own.
    @Test func aKeptSocketKeepsItsConnection() async throws {
        try await withVirtualDevice { device in
            let (app, _) = try await open(device)
            let isOver = try exchange.appCloses()
            #expect(!isOver)
            await device.forceQuit(app)
            try exchange.awaitEnd()
        }
    }

    @Test func withoutTheModeNothingIsKept() async throws {
        try await withVirtualDevice { device in
            let (_, subscriber) = try await open(device, modes: ["audio"])
            #expect(subscriber.calls == ["modeNotDeclared"] && !subscriber.isHandlerSet)
        }
    }

    @Test func onlyConnectedTCPSocketsAreKept() async throws {
        Subscriber.exchange = nil
        let stream = Exchange.stream()
        let datagrams = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let local = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { for descriptor in [stream, datagrams, local] { close(descriptor) } }
        try await withVirtualDevice { device in
            let app = try device.install(infoPlist: ["UIBackgroundModes": ["voip"]], delegate: Subscriber.self)
            await device.launch(app)
            let subscriber = try subscriber(app)
            let wrong = [(stream, "notConnected"), (datagrams, "notTCP"), (local, "notTCP"), (-1, "notOpen")]
            for (index, (descriptor, code)) in wrong.enumerated() {
                subscriber.keep(descriptor)
                await device.advance(by: .zero)
                await soon { subscriber.calls.count > index }
                #expect(subscriber.calls.last == code)
            }
        }
    }

    // MARK: The keep-alive handler

    @Test func theKeepAliveHandlerIsCalled() async throws {
        try await withVirtualDevice { device in
            let (app, subscriber) = try await suspended(device)
            #expect(subscriber.isHandlerSet)
            await device.advance(by: .milliseconds(589_999))
            #expect(subscriber.calls == ["kept"] && app.state == .suspended)
            await device.advance(by: .milliseconds(1))
            #expect(subscriber.calls == ["kept", "keep-alive"])
            #expect(app.state == .background && app.wakes == [.user, .voip])
            #expect(app.callbacks.last?.name == "keepAliveHandler")
            UIApplication.shared.clearKeepAliveTimeout()
            await device.advance(by: .seconds(1200))
            #expect(subscriber.calls.count == 2 && app.state == .suspended)
        }
    }

    // MARK: Launches after an end

    @Test func aCrashInTheBackgroundLaunchesTheApp() async throws {
        try await withVirtualDevice { device in
            let (app, _) = try await suspended(device)
            await device.kill(app)
            #expect(app.state == .background && app.wakes == [.user, .voip])
            let subscriber = try subscriber(app)
            await soon { !subscriber.calls.isEmpty }
            #expect(subscriber.calls == ["kept"])
            await device.advance(by: .seconds(10))
            #expect(app.state == .suspended)
            try exchange.send()
            await device.advance(by: .zero)
            #expect(app.state == .background, "the new launch has connected again")
        }
    }

    @Test func anAppIsLaunchedThreeTimes() async throws {
        try await withVirtualDevice { device in
            let (app, _) = try await suspended(device)
            for _ in 1...3 {
                await device.kill(app)
                #expect(app.state == .background)
            }
            await device.kill(app)
            #expect(app.state == .notRunning)
            #expect(app.reasons.last == "is not launched again yet: it has ended too often")
            await device.advance(by: .seconds(320))
            #expect(app.state == .suspended)
        }
    }

    @Test func anAppThatTheUserSeesIsNotLaunched() async throws {
        try await withVirtualDevice { device in
            let (app, _) = try await open(device)
            await device.kill(app)
            #expect(app.state == .notRunning)
        }
    }

    /// The device closes its descriptor of the old socket, and the new launch keeps another socket.
    @Test func aRebootForgetsTheSocket() async throws {
        try await withVirtualDevice { device in
            let (app, _) = try await suspended(device)
            let isOver = try exchange.appCloses()
            #expect(!isOver)
            Subscriber.exchange = nil
            await device.reboot()
            try exchange.awaitEnd()
            let subscriber = try subscriber(app)
            #expect(subscriber.calls.isEmpty && app.wakes == [.user, .voip])
            subscriber.keep(exchange.connected())
            await device.advance(by: .zero)
            await soon { !subscriber.calls.isEmpty }
            #expect(subscriber.calls == ["kept"])
            await device.advance(by: .seconds(10))
            #expect(app.state == .suspended)
            try exchange.send()
            await device.advance(by: .zero)
            #expect(app.state == .background)
        }
    }
}
