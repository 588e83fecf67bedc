internal import NIOCore

/// The one timer of an event loop's attempts: what time brings to each is looked at when the first of them has something
/// to expect. A timer for each would be set and cancelled again for every short file.
///
/// Everything here is touched on the event loop only, whose precondition each entry checks: hence unchecked.
final class Watch: @unchecked Sendable {
    private let loop: any EventLoop
    private var attempts: [ObjectIdentifier: Attempt] = [:]
    private var timer: (at: NIODeadline, scheduled: Scheduled<Void>)?

    init(on loop: any EventLoop) { self.loop = loop }

    /// The attempt wants to be looked at by then.
    func expect(_ attempt: Attempt, by deadline: NIODeadline) {
        loop.preconditionInEventLoop()
        attempts[ObjectIdentifier(attempt)] = attempt
        set(for: deadline)
    }

    /// It expects nothing any more. The timer is left: it may come too early for the others, which does nothing.
    func forget(_ attempt: Attempt) {
        loop.preconditionInEventLoop()
        attempts[ObjectIdentifier(attempt)] = nil
    }

    private func set(for deadline: NIODeadline) {
        if let timer {
            if timer.at <= deadline { return }
            timer.scheduled.cancel()
        }
        timer = (deadline, loop.scheduleTask(deadline: deadline) { self.ring() })
    }

    private func ring() {
        timer = nil
        let now = NIODeadline.now()
        // Those that end now are forgotten meanwhile.
        guard let next = Array(attempts.values).compactMap({ $0.timePasses(now) }).min() else { return }
        set(for: next)
    }
}
