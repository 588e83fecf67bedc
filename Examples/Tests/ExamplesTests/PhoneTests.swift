import Foundation
import Glibc
import RoostTesting
import Testing

@testable import Phone

/// A registrar on loopback, in the test's process.
@MainActor private final class Registrar {
    private let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    private var connection: Int32 = -1
    private var stream = SIPStream()
    let port: UInt16

    init() throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && listen(descriptor, 4) == 0
                    ? getsockname(descriptor, address, &size) : -1
            }
        }
        try #require(code == 0)
        port = UInt16(bigEndian: address.sin_port)
    }

    isolated deinit {
        close(listener)
        hangUp()
    }

    func hangUp() {
        if connection >= 0 { close(connection) }
        (connection, stream) = (-1, SIPStream())
    }

    func send(_ text: String) throws {
        try #require(Glibc.send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL)) == text.utf8.count)
    }

    /// Waits for the next message. The app runs meanwhile, on the main queue.
    func next() async throws -> SIPMessage {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            if connection < 0 { connection = accept(listener, nil, nil) }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = connection < 0 ? 0 : recv(connection, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 { stream.receive(buffer[..<count]) }
            if let message = try stream.message() { return message }
            await Task.yield()
        }
        throw Problem("the app sends nothing")
    }

    /// Registers the phone that connects.
    func register() async throws {
        let request = try await next()
        try #require(request.method == "REGISTER")
        var response = request.response(200, tag: "r")
        response.add("Expires", "1800")
        try send(String(decoding: response.encoded, as: UTF8.self))
    }
}

/// The telephone on a virtual device, with a real connection.
@Suite(.serialized) @MainActor struct PhoneTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("phone-\(UUID())")
    private let registrar: Registrar

    init() throws {
        registrar = try Registrar()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try "sip:phone@127.0.0.1:\(registrar.port)".write(
            to: folder.appendingPathComponent("server.txt"), atomically: true, encoding: .utf8)
        AppDelegate.documents = folder
    }

    private func soon(_ isSo: () -> Bool) async {
        let end = ContinuousClock.now + .seconds(60)
        while !isSo(), ContinuousClock.now < end { await Task.yield() }
        #expect(isSo())
    }

    /// The phone, suspended and registered.
    private func suspended(_ device: VirtualDevice) async throws -> (VirtualApp, Phone) {
        let plist = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/Phone/Info.plist").standardizedFileURL.path
        let app = try device.install(infoPlist: .file(plist), delegate: AppDelegate.self)
        await device.launch(app)
        let phone = try #require((app.delegate as? AppDelegate)?.phone)
        try await registrar.register()
        await soon { phone.line.isRegistered }
        await device.home()
        await device.advance(by: .seconds(1))
        #expect(app.state == .suspended)
        return (app, phone)
    }

    /// Calls the suspended phone, and returns the tag of its response.
    private func call(_ app: VirtualApp, on device: VirtualDevice) async throws -> String {
        try registrar.send(invite())
        await device.advance(by: .zero)
        #expect(app.state == .background && app.wakes.last == .voip)
        #expect(try await registrar.next().status == 100)
        let ringing = try await registrar.next()
        #expect(ringing.status == 180)
        await device.advance(by: .zero)
        return ringing["To"].flatMap(SIPAddress.init)?.tag ?? ""
    }

    @Test func aCallIsAnswered() async throws {
        try await withVirtualDevice { device in
            let (app, phone) = try await suspended(device)
            let tag = try await call(app, on: device)
            await device.advance(by: .seconds(60))
            #expect(app.state == .background, "a call rings")
            await device.answerCall()
            #expect(try await registrar.next().status == 200)
            try registrar.send(request("ACK", 1, to: tag))
            await soon { phone.isConnected }
            await device.advance(by: .seconds(300))
            #expect(app.state == .background)
            try registrar.send(request("BYE", 2, to: tag))
            #expect(try await registrar.next().status == 200)
            await device.advance(by: .seconds(1))
            #expect(app.state == .suspended && app.wakes == [.user, .voip])
        }
    }

    @Test func aCallIsDeclined() async throws {
        try await withVirtualDevice { device in
            let (app, phone) = try await suspended(device)
            let tag = try await call(app, on: device)
            await device.advance(by: .seconds(20))
            await device.declineCall()
            #expect(try await registrar.next().status == 603)
            await device.advance(by: .seconds(1))
            #expect(app.state == .background && app.openTasks.count == 1, "it waits for the ACK")
            try registrar.send(request("ACK", 1, to: tag))
            await soon { !phone.line.isBusy }
            await device.advance(by: .seconds(1))
            #expect(app.state == .suspended && app.wakes == [.user, .voip])
        }
    }

    /// The handler registers the phone again.
    @Test func theRegistrationIsRefreshed() async throws {
        try await withVirtualDevice { device in
            let (app, phone) = try await suspended(device)
            await device.advance(by: .seconds(600))
            try await registrar.register()
            await soon { !phone.line.isBusy }
            await device.advance(by: .seconds(11))
            #expect(app.state == .suspended && app.wakes == [.user, .voip])
        }
    }

    /// The server ends the connection, or sends nonsense. The app connects again.
    @Test(arguments: [false, true]) func theConnectionIsLost(isNonsense: Bool) async throws {
        try await withVirtualDevice { device in
            let (app, phone) = try await suspended(device)
            if isNonsense { try registrar.send("GET / HTTP/1.1\r\n\r\n") } else { registrar.hangUp() }
            await device.advance(by: .zero)
            #expect(app.state == .background)
            await soon { !phone.line.isRegistered }
            registrar.hangUp()
            try await registrar.register()
            await soon { phone.line.isRegistered && !phone.line.isBusy }
            await device.advance(by: .seconds(11))
            #expect(app.state == .suspended)
            let tag = try await call(app, on: device)
            try registrar.send(request("BYE", 2, to: tag))
            #expect(try await registrar.next().status == 200)
            #expect(try await registrar.next().status == 487)
            try registrar.send(request("ACK", 1, to: tag))
            await soon { !phone.line.isBusy }
            await device.advance(by: .seconds(11))
            #expect(app.state == .suspended)
        }
    }
}
