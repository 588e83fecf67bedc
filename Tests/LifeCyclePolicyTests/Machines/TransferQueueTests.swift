import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// The transfers of one session that wait for the device or for their turn.
@Suite struct TransferQueueTests {
    private static let first = TransferQueue.Place(rank: 0, number: 1)
    private static let second = TransferQueue.Place(rank: 0, number: 2)
    private static let wifi = TransferQueue.Lane(host: "a", need: .wifi)
    private static let any = TransferQueue.Lane(host: "b", need: .network)

    @Test func ofTwoTransfersTheOneThatMayBeginIsBest() {
        var queue = TransferQueue(limit: 1)
        queue.insert(Self.second, in: Self.any)
        queue.insert(Self.first, in: Self.wifi)
        #expect(queue.best(of: [.network]) == 2)
        #expect(queue.best(of: [.wifi]) == 1)
        #expect(queue.best(of: [.network, .wifi]) == 1, "the oldest")
        #expect(queue.best(of: [.nothing]) == nil)
    }

    @Test func anEmptiedQueueIsAsNew() {
        var queue = TransferQueue(limit: 1)
        queue.insert(Self.first, in: Self.any)
        queue.remove(Self.first, from: Self.any)
        queue.began(at: "b")
        #expect(queue.isFull("b"))
        queue.ended(at: "b")
        #expect(queue == TransferQueue(limit: 1))
    }
}
