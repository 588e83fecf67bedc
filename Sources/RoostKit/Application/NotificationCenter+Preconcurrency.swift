public import Foundation

extension NotificationCenter {
    /// `addObserver(forName:object:queue:using:)` as Apple's platforms have it: the observer may be dropped, and in
    /// Swift 5 mode a block may touch what belongs to the main actor without a warning. Linux's own declaration lacks
    /// both; this one is chosen because its name is not optional.
    @preconcurrency @discardableResult public func addObserver(
        forName name: Notification.Name, object: Any?, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        addObserver(forName: Optional(name), object: object, queue: queue, using: block)
    }
}
