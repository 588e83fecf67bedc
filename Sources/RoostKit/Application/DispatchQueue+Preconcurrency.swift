public import Dispatch

extension DispatchQueue {
    /// `async(execute:)` as Apple's platforms have it: in Swift 5 mode a block may touch what belongs to the main
    /// actor without a warning, as life-cycle files of that time do. Linux's own declaration lacks `@preconcurrency`.
    @preconcurrency public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {
        async(group: nil, execute: work)
    }

    /// `asyncAfter(deadline:execute:)` as Apple's platforms have it; see `async(execute:)`.
    @preconcurrency public func asyncAfter(
        deadline: DispatchTime, execute work: @escaping @Sendable @convention(block) () -> Void
    ) {
        asyncAfter(deadline: deadline, qos: .unspecified, execute: work)
    }
}
