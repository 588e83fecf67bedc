public import Foundation

extension NotificationCenter {
    /// The notifications with a name, from the moment iteration begins. Foundation on Linux lacks this method of
    /// Apple's platforms.
    ///
    /// The iterating task resumes a little after the post. Work that must finish before suspension needs an observer,
    /// or a background task that is begun elsewhere.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - object: The object whose posts to receive; nil for those of every object.
    public func notifications(
        named name: Notification.Name, object: (any AnyObject & Sendable)? = nil
    ) -> Notifications { Notifications(center: self, name: name, object: object) }

    /// An asynchronous sequence of notifications.
    public final class Notifications: AsyncSequence, Sendable {
        /// Posts from before the iteration are not delivered.
        public typealias Element = Notification
        /// The sequence never throws.
        public typealias Failure = Never

        private let center: NotificationCenter
        private let name: Notification.Name
        private let object: (any AnyObject & Sendable)?

        init(center: NotificationCenter, name: Notification.Name, object: (any AnyObject & Sendable)?) {
            self.center = center
            self.name = name
            self.object = object
        }

        /// Starts observing, and returns the iterator.
        public func makeAsyncIterator() -> Iterator {
            let (stream, continuation) = AsyncStream.makeStream(of: Received.self)
            let observer = center.addObserver(forName: name, object: object, queue: nil) {
                continuation.yield(Received(notification: $0))
            }
            let registration = Registration(center: center, observer: observer)
            continuation.onTermination = { _ in registration.end() }
            return Iterator(iterator: stream.makeAsyncIterator())
        }

        /// An iterator over the notifications; it observes until it is released.
        public struct Iterator: AsyncIteratorProtocol {
            /// The posts since the iterator was created, in order.
            public typealias Element = Notification
            /// The iterator never throws.
            public typealias Failure = Never

            var iterator: AsyncStream<Received>.Iterator

            /// The next notification; nil once the task is canceled.
            public mutating func next() async -> Notification? { await next(isolation: nil) }

            /// The next notification, delivered on an actor; nil once the task is canceled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
                await iterator.next(isolation: actor)?.notification
            }
        }
    }
}

/// A notification in transit from its poster to an iterating task. `Notification` is a value. As on Apple's platforms,
/// the poster must make sure that the attached objects are safe to share.
struct Received: @unchecked Sendable {
    let notification: Notification
}

/// An observer token. Only its center uses it, and any thread may remove it.
private struct Registration: @unchecked Sendable {
    let center: NotificationCenter
    let observer: any NSObjectProtocol

    func end() { center.removeObserver(observer) }
}
