import AppCore
import RoostKit
import Synchronization

/// An object that receives the calls for a location manager of the app's core.
protocol LocationCallReceiver: AnyObject, Sendable {
    @MainActor func tell(_ call: LocationManagerCall)
}

/// The location managers and the live updates of an app.
final class LocationCalls: ConcernListener {
    private struct Entry {
        weak var receiver: (any LocationCallReceiver)?
    }

    private let entries = Mutex<[LocationManagerID: Entry]>([:])  // ordered: looked up only

    static func of(_ app: AppSession) -> LocationCalls? {
        app.listener(of: .location) { LocationCalls() } as? LocationCalls
    }

    /// The receiver is not kept alive. Any thread.
    func add(_ receiver: any LocationCallReceiver, _ id: LocationManagerID) {
        entries.withLock { entries in
            entries = entries.filter { $0.value.receiver != nil }
            entries[id] = Entry(receiver: receiver)
        }
    }

    func deliver(from session: AppSession) {
        // A delegate may cause further calls, which come later: other code of the app runs in between.
        for _ in 0..<session.readingLocation(\.locationDeliveryCount) {
            guard let delivery = session.nextDelivery({ $0.nextLocationDelivery() }) else { return }
            entries.withLock { $0[delivery.manager]?.receiver }?.tell(delivery.call)
        }
    }
}
