import Foundation
import Glibc
import RoostKit
import RoostTesting
import Testing

/// Stays connected to its server, which announces calls there.
@MainActor private final class Messenger: UIResponder, UIApplicationDelegate {
    static var server: Exchange?

    private var connection: Int32 = -1
    private(set) var log: [String] = []

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        connection = Self.server?.connected() ?? -1
        RoostVoIP.keep(fileDescriptor: connection) { [weak self] failure in
            self?.log.append(failure?.description ?? "kept")
        }
        application.setKeepAliveTimeout(UIMinimumKeepAliveTimeout) { [weak self] in self?.refresh() }
        return true
    }

    private func refresh() {
        log.append("refreshed")
        _ = Glibc.send(connection, "?", 1, Int32(MSG_NOSIGNAL))
    }

    func read() {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = recv(connection, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        log.append("read \(count)")
    }
}

/// The test of the sections about sockets in the guide "VoIP".
@Suite(.serialized) @MainActor struct SocketGuideTests {
    @Test func dataWakesTheApp() async throws {
        let server = try Exchange()
        Messenger.server = server
        try await withVirtualDevice { device in
            let app = try device.install(infoPlist: ["UIBackgroundModes": ["voip"]], delegate: Messenger.self)
            await device.launch(app)
            await device.home()
            try server.send()
            await device.advance(by: .zero)
            #expect(app.state == .background && app.wakes == [.user, .voip])
            let messenger = try #require(app.delegate as? Messenger)
            messenger.read()
            await device.advance(by: .seconds(600))
            #expect(app.state == .suspended)
            #expect(messenger.log == ["kept", "read 1", "refreshed"])
        }
    }
}
