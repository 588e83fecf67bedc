public import Foundation

extension NotificationCenter {
    /// `addObserver(forName:object:queue:using:)` as on Apple's platforms: the result may be ignored, and in Swift 5
    /// mode a block may use main-actor state without a warning. Linux's own declaration lacks both. The compiler
    /// prefers this overload because its name is not optional.
    ///
    /// If the post is made on the main queue, a block for the main queue runs before the post returns. Linux's own
    /// method checks for the main thread instead. In a test, the main actor does not run on that thread, so it would
    /// deadlock.
    ///
    /// Apps that a test hosts share the notification center. An observer that one of them adds reacts only to that app,
    /// and to nothing after the app has ended.
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
            // A post from another thread waits for the block, as on Apple's platforms.
            let received = Received(notification: notification)
            DispatchQueue.main.sync { block(received.notification) }
        }
    }
}

/// A test for the main queue, which in a process without a main run loop may run on any thread.
enum MainQueue {
    private static let key = DispatchSpecificKey<Bool>()

    private static let isMarked: Void = DispatchQueue.main.setSpecific(key: key, value: true)

    static func mark() { isMarked }

    static var isHere: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }
}
