import AppCore
import Foundation
import LifeCycleModel
import Synchronization
import Testing

@testable import RoostKit

/// The device of a hosted app: it stores the app's requests and its log.
private final class RecordingHost: HostLink {
    private let sent = Mutex<[SocketRequest]>([])
    private let written = Mutex<[String]>([])

    var requests: [SocketRequest] { sent.withLock { $0 } }
    var lines: [String] { written.withLock { $0 } }
    var now: Nanoseconds { .zero }
    func send(_ request: AppRequest) {
        if case .concern(.socket(let request)) = request { sent.withLock { $0.append(request) } }
    }
    func log(_ line: String) { written.withLock { $0.append(line) } }
    func began(_ task: TaskID, file: String, line: Int) {}
    // App: nothing in it sleeps.
    func sleep(until deadline: Nanoseconds) async throws {}
}

/// The answers and calls that the app's code has received.
@MainActor private final class Received {
    var answers: [RoostVoIP.Failure?] = []
    var calls = 0
}

/// Kept sockets and the keep-alive handler, without a system.
@Suite @MainActor struct KeptSocketTests {
    private let host: RecordingHost
    private let session: AppSession
    private let received = Received()

    init() {
        let host = RecordingHost()
        (self.host, session) = (host, Self.session(keepAliveFloor: .seconds(600), host))
    }

    private static func session(keepAliveFloor: Nanoseconds?, _ host: RecordingHost) -> AppSession {
        AppSession(
            context: LaunchContext(
                reason: .user, backgroundTime: .seconds(30), isMultitaskingSupported: true,
                keepAliveFloor: keepAliveFloor),
            link: host)
    }

    private func keep(_ descriptor: Int32) {
        RoostVoIP.keep(descriptor, by: session) { [received] in received.answers.append($0) }
    }

    private func answer(_ socket: KeptSocket, _ failure: SocketFailure? = nil) {
        _ = session.receive(.concern(.socket(.kept(socket.id, failure))))
        session.deliver(for: .sockets)
    }

    /// A TCP socket that is not connected. The caller closes it.
    private func open() throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        try #require(descriptor >= 0)
        return descriptor
    }

    // MARK: Sockets

    @Test func aSocketHasOneNumberForAllItsDescriptors() throws {
        let (first, second) = (try open(), try open())
        let copy = dup(first)
        defer { for descriptor in [first, second, copy] { close(descriptor) } }
        let kept = try KeptSocket(descriptor: first)
        #expect(kept.id.rawValue > 0 && kept.descriptor == first)
        #expect(try KeptSocket(descriptor: copy).id == kept.id)
        #expect(try KeptSocket(descriptor: second).id != kept.id)
    }

    /// The system is not asked.
    @Test func r167AWrongDescriptorFailsAtOnce() async throws {
        let file = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let wrong: [(Int32, RoostVoIP.Failure.Code)] = [(-1, .notOpen), (file, .notTCP)]
        for (descriptor, code) in wrong {
            let failure: RoostVoIP.Failure? = await withCheckedContinuation { continuation in
                RoostVoIP.keep(descriptor, by: session) { continuation.resume(returning: $0) }
            }
            #expect(failure?.code == code && failure?.fileDescriptor == descriptor)
        }
        #expect(host.requests.isEmpty)
    }

    @Test func r167AnAnswerGoesToItsCompletion() throws {
        let descriptor = try open()
        defer { close(descriptor) }
        let kept = try KeptSocket(descriptor: descriptor)
        keep(descriptor)
        #expect(host.requests == [.keep(kept)] && received.answers.isEmpty)
        answer(kept)
        #expect(received.answers == [nil])
        keep(descriptor)
        answer(kept, .notConnected)
        #expect(received.answers.map { $0?.code } == [nil, .notConnected])
        #expect(host.lines.isEmpty)
    }

    @Test func aLostSocketIsLogged() throws {
        let descriptor = try open()
        defer { close(descriptor) }
        let kept = try KeptSocket(descriptor: descriptor)
        keep(descriptor)
        answer(kept)
        answer(kept, .unavailable)
        #expect(received.answers == [nil])
        let line = try #require(host.lines.first)
        #expect(line.contains("descriptor \(descriptor) ") && line.contains("ptrace_scope"), "\(line)")
        #expect(host.lines.count == 1)
    }

    @Test func r167ASocketIsDropped() throws {
        let descriptor = try open()
        defer { close(descriptor) }
        let kept = try KeptSocket(descriptor: descriptor)
        keep(descriptor)
        RoostVoIP.drop(descriptor, by: session)
        #expect(host.requests == [.keep(kept), .drop(kept.id)])
        session.deliver(for: .sockets)
        #expect(received.answers.map { $0?.code } == [.notOpen])
        RoostVoIP.drop(descriptor, by: session)
        RoostVoIP.drop(-1, by: session)
        #expect(host.requests.count == 2)
    }

    /// The descriptor belongs to another socket by then.
    @Test func aClosedSocketIsDropped() throws {
        let (first, second) = (try open(), try open())
        defer { for descriptor in [first, second] { close(descriptor) } }
        let kept = try KeptSocket(descriptor: first)
        keep(first)
        #expect(dup2(second, first) == first)
        RoostVoIP.drop(first, by: session)
        #expect(host.requests == [.keep(kept), .drop(kept.id)])
    }

    /// The system holds a socket that the app has closed without dropping it.
    @Test func theNextSocketOfADescriptorReplacesTheLast() throws {
        let (first, second) = (try open(), try open())
        defer { for descriptor in [first, second] { close(descriptor) } }
        let old = try KeptSocket(descriptor: first)
        keep(first)
        #expect(dup2(second, first) == first)
        let new = try KeptSocket(descriptor: first)
        keep(first)
        #expect(host.requests == [.keep(old), .drop(old.id), .keep(new)])
    }

    @Test(arguments: SocketFailure.allCases) func everyFailureSaysWhatToDo(_ failure: SocketFailure) {
        let text = RoostVoIP.Failure(failure, of: 5).localizedDescription
        #expect(text.contains("descriptor 5") && text.hasSuffix("."), "\(text)")
        #expect(text.contains("Keep") || text.contains("Add") || text.contains("Drop") || text.contains("Give"))
    }

    // MARK: Keep-alive

    private func asApp(_ session: AppSession? = nil, _ run: (UIApplication) -> Void) {
        let runner = AppRunner(session: session ?? self.session, code: HostedCode(info: [:]))
        CurrentApp.$here.withValue(runner) { run(UIApplication()) }
    }

    /// Sets a handler that counts its calls.
    private func set(_ timeout: TimeInterval, in application: UIApplication, adding count: Int = 1) -> Bool {
        application.setKeepAliveTimeout(timeout) { [received] in received.calls += count }
    }

    private func call(_ application: UIApplication) {
        DelegateCaller(application: application, session: session)
            .tell(.concern(.socket(.keepAlive), CallbackID(1)))
    }

    @Test func r170TheHandlerIsCalled() {
        asApp { application in
            #expect(set(UIMinimumKeepAliveTimeout, in: application))
            call(application)
            call(application)
            #expect(received.calls == 2)
            #expect(set(1200, in: application, adding: 10))
            call(application)
            #expect(received.calls == 12)
        }
        #expect(host.requests == [.setKeepAlive(.seconds(600)), .setKeepAlive(.seconds(1200))])
    }

    @Test func r170ARemovedHandlerIsNotCalled() {
        asApp { application in
            application.clearKeepAliveTimeout()
            #expect(set(700, in: application))
            application.clearKeepAliveTimeout()
            call(application)
            #expect(set(800, in: application))
            let isSet = application.setKeepAliveTimeout(900, handler: nil)
            #expect(!isSet)
            call(application)
        }
        #expect(received.calls == 0)
        let removed = SocketRequest.setKeepAlive(nil)
        #expect(host.requests == [.setKeepAlive(.seconds(700)), removed, .setKeepAlive(.seconds(800)), removed])
    }

    @Test func r170TimeoutsOutOfRangeAreSafe() {
        let tooShort: [TimeInterval] = [.nan, -.nan, -.infinity, -.greatestFiniteMagnitude, -600, 0, 599.999]
        let tooLong: [TimeInterval] = [.infinity, .greatestFiniteMagnitude, 1e12]
        asApp { application in
            for timeout in tooShort { #expect(!set(timeout, in: application), "\(timeout)") }
            call(application)
            #expect(received.calls == 0 && host.requests.isEmpty)
            for timeout in tooLong { #expect(set(timeout, in: application), "\(timeout)") }
        }
        #expect(host.requests == [SocketRequest](repeating: .setKeepAlive(.distantFuture), count: tooLong.count))
    }

    @Test func r170WithoutTheModeThereIsNoHandler() {
        asApp(Self.session(keepAliveFloor: nil, host)) { application in
            #expect(!set(600, in: application) && !set(.infinity, in: application))
            call(application)
        }
        #expect(received.calls == 0 && host.requests.isEmpty)
    }

    @Test func r170TheSystemSetsTheLeastTimeout() {
        asApp(Self.session(keepAliveFloor: .seconds(2), host)) { application in
            #expect(!set(1.999, in: application) && set(2, in: application))
        }
        #expect(host.requests == [.setKeepAlive(.seconds(2))])
    }

    /// The constant is the limit of every preset.
    @Test func r170TheConstantIsTheLimit() {
        for policy in Policy.presets {
            #expect(policy.keepAliveFloor == .seconds(Int64(UIMinimumKeepAliveTimeout)))
        }
    }
}
