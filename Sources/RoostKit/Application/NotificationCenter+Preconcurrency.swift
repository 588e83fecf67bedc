public import Foundation

extension NotificationCenter {
    /// `addObserver(forName:object:queue:using:)` as Apple's platforms have it: the observer may be dropped, and in
    /// Swift 5 mode a block may touch what belongs to the main actor without a warning. Linux's own declaration lacks
    /// both; this one is chosen because its name is not optional.
    ///
    /// A block for the main queue is called within the post where that is made on the main queue. Linux's own looks for
    /// the main thread instead, which a test's main actor does not run on: it would wait there for itself.
    ///
    /// Apps that a test hosts share the notification center: what one of them observes it hears of itself alone, and after
    /// its end of nothing.
    @preconcurrency @discardableResult public func addObserver(
        forName name: Notification.Name, object: Any?, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        let block = CurrentApp.onlyHere(block)
        guard let queue, queue === OperationQueue.main else {
            return addObserver(forName: Optional(name), object: object, queue: queue, using: block)
        }
        MainQueue.mark()
        return addObserver(forName: Optional(name), object: object, queue: nil) { notification in
            if MainQueue.isHere { return block(notification) }
            // Whoever posts elsewhere waits for it, as on Apple's platforms.
            let received = Received(notification: notification)
            DispatchQueue.main.sync { block(received.notification) }
        }
    }
}

/// Whether code runs on the main queue: on the main thread, or in a process without a main run loop on any other.
enum MainQueue {
    private static let key = DispatchSpecificKey<Bool>()

    private static let isMarked: Void = DispatchQueue.main.setSpecific(key: key, value: true)

    static func mark() { isMarked }

    static var isHere: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }
}
