internal import NIOCore

/// The single timer for all attempts on an event loop. When it fires, each attempt checks its own times. A timer per
/// attempt would be set and canceled again for each short file.
///
/// All state belongs to the event loop, and each entry point checks that it runs there; therefore `@unchecked`.
final class Watch: @unchecked Sendable {
    private let loop: any EventLoop
    private var attempts: [ObjectIdentifier: Attempt] = [:]
    private var timer: (at: NIODeadline, scheduled: Scheduled<Void>)?

    init(on loop: any EventLoop) { self.loop = loop }

    /// Has the attempt checked at this time, or earlier.
    func expect(_ attempt: Attempt, by deadline: NIODeadline) {
        loop.preconditionInEventLoop()
        attempts[ObjectIdentifier(attempt)] = attempt
        set(for: deadline)
    }

    /// Removes an attempt. The timer is not changed: if it fires early for the others, nothing happens.
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
        // Attempts that end in this loop call `forget`, so it iterates over a copy.
        guard let next = Array(attempts.values).compactMap({ $0.timePasses(now) }).min() else { return }
        set(for: next)
    }
}
