import Foundation
import LifeCycleModel
import RoostWire
import Testing

@testable import RoostKit

/// Messages about very many downloads, which are repeated on a new connection.
@Suite(.timeLimit(.minutes(30))) struct RepeatTests {
    private final class Deaf: TransferListener {
        func receive(_ news: TransferNews) {}
    }

    private static let count: Int64 = 3000

    /// The app continues after the first messages. The rest is sent in between, and other messages are not held up.
    @Test func repeatedRequestsAreSentWhileTheAppContinues() throws {
        let system = try FakeSystem()
        let session = AppSession(
            environment: AppEnvironment(
                socket: system.path, token: "secret",
                context: LaunchContext(reason: .user, backgroundTime: .seconds(30), isMultitaskingSupported: true)))
        let name = try #require(SessionIdentifier("s"))
        _ = session.open(name, TransferSessionConfiguration(), listener: Deaf())
        for number in 1...Self.count {
            session.transfer(
                .make(NewTransfer(number: number, request: TransferRequest(url: "http://a/\(number)"))), of: name)
        }
        let callbacks = try StreamSocket(connectingTo: system.path)
        let requests = try StreamSocket(connectingTo: system.path)
        // The other end does not read yet, so sending everything here would block forever.
        let buffer = ReceiveBuffer(callbacks)
        try session.introduce(callbacks: callbacks, requests: requests, buffer: buffer, token: "secret")
        session.transfer(.resume(Self.count), of: name)
        let (_, other, _) = try system.acceptApp()
        var made: [Int64] = []
        var resumedAfter: [Int] = []
        while made.count < Int(Self.count) || resumedAfter.count < 2 {
            guard case .request(.concern(.transfer(name, let act))) = try other.call() else { continue }
            switch act {
            case .make(let new): made.append(new.number)
            case .resume(Self.count): resumedAfter.append(made.count)
            default: break
            }
        }
        #expect(made == Array(1...Self.count))
        // At once, and again after the task was repeated.
        #expect(resumedAfter.first ?? .max < Int(Self.count) && resumedAfter.last == Int(Self.count))
        session.forgetConnection()
        callbacks.close()
        requests.close()
    }
}
