import Foundation
import LifeCycleModel
import RoostWire
import Testing

@testable import RoostKit

/// What is said again on a new connection, of very many downloads.
@Suite(.timeLimit(.minutes(1))) struct RepeatTests {
    private final class Deaf: TransferListener {
        func hear(_ news: TransferNews) {}
    }

    private static let count: Int64 = 3000

    /// The app goes on after the first of them: the rest is said by the way, and it can say other things between.
    @Test func theRestIsSaidWhileTheAppGoesOn() throws {
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
        // Nobody reads yet: to say all of it here would last for ever.
        try session.introduce(callbacks: callbacks, requests: requests, token: "secret")
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
        // At once, and again after the task was made anew.
        #expect(resumedAfter.first ?? .max < Int(Self.count) && resumedAfter.last == Int(Self.count))
        session.forgetConnection()
        callbacks.close()
        requests.close()
    }
}
