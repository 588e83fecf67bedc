import LifeCycleModel
import Testing

@testable import AppCore

/// The app's own view of its kept sockets and its keep-alive handler.
@Suite struct SocketMirrorTests {
    /// Whether a keep-alive handler is set, and the requests for that.
    private struct Outcome: Equatable {
        let isSet: Bool
        let requests: [SocketRequest]

        init(_ isSet: Bool, _ requests: [SocketRequest] = []) { (self.isSet, self.requests) = (isSet, requests) }
    }

    private var app = Scripted(.user, keepAliveFloor: .seconds(600))

    private func requests(_ steps: [Step]) -> [SocketRequest] {
        steps.compactMap { if case .send(.concern(.socket(let request))) = $0 { request } else { nil } }
    }

    private mutating func asks(_ change: (inout AppCore, inout [Step]) -> Void) -> [SocketRequest] {
        var steps: [Step] = []
        change(&app.core, &steps)
        return requests(steps)
    }

    private mutating func keep(_ socket: KeptSocket, as number: Int64) -> [SocketRequest] {
        asks { $0.keepSocket(socket, as: SocketReportID(number), into: &$1) }
    }

    private mutating func drop(_ id: Int64) -> [SocketRequest] {
        asks { $0.dropSocket(SocketID(rawValue: id), into: &$1) }
    }

    private mutating func setKeepAlive(_ interval: Nanoseconds?) -> Outcome {
        var isSet = false
        let requests = asks { isSet = $0.setKeepAlive(interval, into: &$1) }
        return Outcome(isSet, requests)
    }

    private mutating func answered(_ socket: KeptSocket, _ failure: SocketFailure? = nil) -> [SocketDelivery] {
        _ = app.receive(.concern(.socket(.kept(socket.id, failure))))
        return deliveries()
    }

    /// The requests that are repeated after a reconnection.
    private mutating func repeats() -> [SocketRequest] {
        app.core.repeats().compactMap { if case .concern(.socket(let request)) = $0 { request } else { nil } }
    }

    private mutating func deliveries() -> [SocketDelivery] {
        var all: [SocketDelivery] = []
        while let delivery = app.core.nextSocketDelivery() { all.append(delivery) }
        return all
    }

    private func socket(_ id: Int64, at descriptor: Int32 = 5) -> KeptSocket {
        KeptSocket(id: SocketID(rawValue: id), descriptor: descriptor)
    }

    private func kept(_ number: Int64, _ failure: SocketFailure? = nil) -> SocketDelivery {
        .kept(SocketReportID(number), failure)
    }

    // MARK: Sockets

    @Test mutating func r167ARequestIsAnswered() {
        let socket = socket(1)
        #expect(repeats().isEmpty)
        #expect(keep(socket, as: 7) == [.keep(socket)])
        #expect(app.core.socketDeliveryCount == 0)
        #expect(answered(socket) == [kept(7)])
        #expect(answered(socket).isEmpty, "the system answers the repetition after a reconnection")
    }

    @Test(arguments: SocketFailure.allCases) mutating func r167ARefusedSocketIsForgotten(_ failure: SocketFailure) {
        let socket = socket(1)
        _ = keep(socket, as: 1)
        #expect(answered(socket, failure) == [kept(1, failure)])
        #expect(repeats().isEmpty)
        #expect(drop(1).isEmpty)
        #expect(keep(socket, as: 2) == [.keep(socket)])
        #expect(answered(socket) == [kept(2)])
    }

    /// The system knows better than the app whether it still watches the socket.
    @Test mutating func theSystemAnswersForAKeptSocketToo() {
        let socket = socket(1)
        _ = keep(socket, as: 1)
        _ = answered(socket)
        #expect(keep(socket, as: 2) == [.keep(socket)])
        #expect(answered(socket) == [kept(2)])
        #expect(keep(socket, as: 3) == [.keep(socket)])
        #expect(answered(socket, .notConnected) == [kept(3, .notConnected)], "the app has its answer")
        #expect(repeats().isEmpty)
    }

    @Test mutating func oneAnswerIsForAllRequests() {
        let socket = socket(1)
        #expect(keep(socket, as: 1) == [.keep(socket)])
        #expect(keep(socket, as: 2).isEmpty)
        #expect(answered(socket) == [kept(1), kept(2)])
    }

    @Test mutating func requestsForSeveralSocketsAreAnsweredEach() {
        let (first, second) = (socket(1, at: 5), socket(2, at: 6))
        _ = keep(first, as: 1)
        _ = keep(second, as: 2)
        #expect(answered(second, .tooMany) == [kept(2, .tooMany)])
        #expect(answered(first) == [kept(1)])
        #expect(repeats() == [.keep(first)])
    }

    @Test mutating func keptAndAskedSocketsAreRepeated() {
        let (first, second) = (socket(1, at: 5), socket(2, at: 6))
        _ = keep(first, as: 1)
        _ = answered(first)
        _ = keep(second, as: 2)
        #expect(repeats() == [.keep(first), .keep(second)])
        #expect(answered(first).isEmpty)
        #expect(answered(second) == [kept(2)])
    }

    /// After its restart the system may be unable to take the socket again.
    @Test mutating func aLostSocketIsForgotten() {
        let socket = socket(1)
        _ = keep(socket, as: 1)
        _ = answered(socket)
        _ = repeats()
        _ = answered(socket)
        #expect(answered(socket, .unavailable) == [.lost(socket, .unavailable)])
        #expect(answered(socket, .unavailable).isEmpty)
        #expect(repeats().isEmpty)
    }

    // MARK: Drops

    @Test mutating func r167ADroppedSocketIsForgotten() {
        let socket = socket(1)
        _ = keep(socket, as: 1)
        _ = answered(socket)
        #expect(drop(1) == [.drop(socket.id)])
        #expect(drop(1).isEmpty)
        #expect(answered(socket, .notOpen).isEmpty)
        #expect(deliveries().isEmpty)
    }

    @Test mutating func anUnknownSocketIsNotDropped() {
        #expect(drop(1).isEmpty)
        #expect(asks { $0.dropSockets(at: 5, into: &$1) }.isEmpty)
        #expect(repeats().isEmpty)
    }

    @Test mutating func anUnansweredRequestFailsWithTheDrop() {
        let socket = socket(1)
        _ = keep(socket, as: 1)
        _ = keep(socket, as: 2)
        #expect(drop(1) == [.drop(socket.id)])
        #expect(deliveries() == [kept(1, .notOpen), kept(2, .notOpen)])
        #expect(answered(socket).isEmpty, "the answer was under way")
    }

    /// The system may have missed a drop. The drops are first: an app may have one kept socket.
    @Test mutating func theLastDropsAreRepeated() {
        for id in Int64(1)...10 {
            _ = keep(socket(id), as: id)
            _ = drop(id)
        }
        let last = socket(10)
        _ = keep(last, as: 11)
        let drops = (Int64(3)...9).map { SocketRequest.drop(SocketID(rawValue: $0)) }
        #expect(repeats() == drops + [.keep(last)])
    }

    /// The app has closed a kept socket without dropping it, and its descriptor is another socket now.
    @Test mutating func theSocketsOfADescriptorAreDropped() {
        let (old, new, other) = (socket(1, at: 5), socket(2, at: 5), socket(3, at: 6))
        for (number, socket) in [old, other].enumerated() {
            _ = keep(socket, as: Int64(number))
            _ = answered(socket)
        }
        #expect(asks { $0.dropSockets(at: 5, except: new.id, into: &$1) } == [.drop(old.id)])
        #expect(keep(new, as: 3) == [.keep(new)])
        #expect(asks { $0.dropSockets(at: 5, except: new.id, into: &$1) }.isEmpty)
        #expect(asks { $0.dropSockets(at: 5, into: &$1) } == [.drop(new.id)])
        #expect(repeats() == [.drop(old.id), .drop(new.id), .keep(other)])
    }

    /// After its restart, the system could not take the socket again. Meanwhile the app has repeated its request, which
    /// succeeds.
    @Test mutating func aLostSocketIsNotKeptBehindTheAppsBack() {
        let socket = KeptSocket(id: SocketID(rawValue: 7), descriptor: 5)
        _ = keep(socket, as: 1)
        _ = answered(socket)
        #expect(repeats() == [.keep(socket)])
        #expect(answered(socket, .unavailable) == [.lost(socket, .unavailable)])
        #expect(requests(app.receive(.concern(.socket(.kept(socket.id, nil))))) == [.drop(socket.id)])
        #expect(requests(app.receive(.concern(.socket(.kept(socket.id, nil))))).isEmpty, "once is enough")
    }

    // MARK: Keep-alive

    @Test mutating func r170AHandlerIsSetAndRepeated() {
        #expect(setKeepAlive(.seconds(600)) == Outcome(true, [.setKeepAlive(.seconds(600))]))
        #expect(repeats() == [.setKeepAlive(.seconds(600))])
        #expect(setKeepAlive(.distantFuture) == Outcome(true, [.setKeepAlive(.distantFuture)]))
        #expect(repeats() == [.setKeepAlive(.distantFuture)])
    }

    @Test mutating func r170ARemovedHandlerIsRepeated() {
        #expect(setKeepAlive(nil) == Outcome(false), "there is none")
        #expect(repeats().isEmpty)
        _ = setKeepAlive(.seconds(900))
        #expect(setKeepAlive(nil) == Outcome(false, [.setKeepAlive(nil)]))
        #expect(setKeepAlive(nil) == Outcome(false))
        #expect(repeats() == [.setKeepAlive(nil)], "the system may have missed it")
    }

    @Test mutating func r170AnEarlierHandlerStays() {
        _ = setKeepAlive(.seconds(900))
        for interval in [Nanoseconds(.min), .zero, .seconds(600) - Nanoseconds(1)] {
            #expect(setKeepAlive(interval) == Outcome(false), "\(interval)")
        }
        #expect(repeats() == [.setKeepAlive(.seconds(900))])
    }

    @Test mutating func r170WithoutTheModeThereIsNoHandler() {
        app = Scripted(.user)
        for interval in [.seconds(600), Nanoseconds.distantFuture] { #expect(setKeepAlive(interval) == Outcome(false)) }
        #expect(repeats().isEmpty)
    }

    @Test mutating func theHandlerIsACallOfTheApp() {
        let steps = app.run(.concern(.socket(.keepAlive)))
        #expect(steps.first == .call(.concern(.socket(.keepAlive), CallbackID(1))))
        #expect(requests(steps).isEmpty)
    }
}
