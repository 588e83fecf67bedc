public import Foundation

extension NotificationCenter {
    /// The notifications of a name, from the moment somebody begins to iterate: as Apple's platforms have it, and Linux's
    /// Foundation does not.
    ///
    /// Whoever iterates goes on a little after the post. What has to be done before the app is suspended needs an
    /// observer, or a background task that is begun elsewhere.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - object: Only what this object posts; nil for anybody's.
    public func notifications(
        named name: Notification.Name, object: (any AnyObject & Sendable)? = nil
    ) -> Notifications { Notifications(center: self, name: name, object: object) }

    /// Notifications one after the other.
    public final class Notifications: AsyncSequence, Sendable {
        /// What is received.
        public typealias Element = Notification
        /// None is thrown.
        public typealias Failure = Never

        private let center: NotificationCenter
        private let name: Notification.Name
        private let object: (any AnyObject & Sendable)?

        init(center: NotificationCenter, name: Notification.Name, object: (any AnyObject & Sendable)?) {
            self.center = center
            self.name = name
            self.object = object
        }

        /// Begins to listen.
        public func makeAsyncIterator() -> Iterator {
            let (stream, continuation) = AsyncStream.makeStream(of: Received.self)
            let observer = center.addObserver(forName: name, object: object, queue: nil) {
                continuation.yield(Received(notification: $0))
            }
            let registration = Registration(center: center, observer: observer)
            continuation.onTermination = { _ in registration.end() }
            return Iterator(iterator: stream.makeAsyncIterator())
        }

        /// Waits for one notification after the other, and listens for as long as it is kept.
        public struct Iterator: AsyncIteratorProtocol {
            /// What is received.
            public typealias Element = Notification
            /// None is thrown.
            public typealias Failure = Never

            var iterator: AsyncStream<Received>.Iterator

            /// The next one; nil once the task is cancelled.
            public mutating func next() async -> Notification? { await next(isolation: nil) }

            /// The next one, to an actor; nil once the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
                await iterator.next(isolation: actor)?.notification
            }
        }
    }
}

/// A notification on its way from who posts it to who waits for it. It is a value; what it carries besides is the poster's
/// to answer for, as on Apple's platforms.
struct Received: @unchecked Sendable {
    let notification: Notification
}

/// An observer, which only its center uses, and that may be removed from any thread.
private struct Registration: @unchecked Sendable {
    let center: NotificationCenter
    let observer: any NSObjectProtocol

    func end() { center.removeObserver(observer) }
}
