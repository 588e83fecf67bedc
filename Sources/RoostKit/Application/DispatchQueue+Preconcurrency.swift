public import Dispatch

extension DispatchQueue {
    /// `async(execute:)` as on Apple's platforms: in Swift 5 mode, a block may use main-actor state without a warning.
    /// Older life-cycle code relies on that. Linux's own declaration lacks `@preconcurrency`.
    @preconcurrency public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {
        async(group: nil, execute: work)
    }

    /// `asyncAfter(deadline:execute:)` as on Apple's platforms; see `async(execute:)`.
    @preconcurrency public func asyncAfter(
        deadline: DispatchTime, execute work: @escaping @Sendable @convention(block) () -> Void
    ) {
        asyncAfter(deadline: deadline, qos: .unspecified, execute: work)
    }
}
