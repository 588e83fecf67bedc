internal import CRoost
internal import Glibc
public import LifeCycleModel
public import RoostPorts
internal import Synchronization

/// A plain epoll loop on the thread that calls `run`: descriptors, one deadline, signals, and mailboxes for
/// other threads.
///
/// A turn handles everything that is readable, then the deadline, then calls `endOfTurn`; with nothing to do the
/// loop sleeps in the kernel and makes no wake-ups. All of it belongs to one thread, so it is not `Sendable`: what
/// other threads may hold is a `Mailbox`.
public final class EventLoop {
    /// What a descriptor is ready for, or what is waited for.
    public struct Readiness: OptionSet, Hashable, Sendable {
        /// The bits as epoll has them.
        public let rawValue: UInt32

        /// What these bits of epoll's stand for.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// There is something to read, or a peer to accept, or a pidfd's process has exited.
        public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
        /// There is room to write.
        public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
        /// Something out of the ordinary: `cgroup.events` changed, a pressure trigger fired.
        public static let priority = Readiness(rawValue: EPOLLPRI.rawValue)
        /// The other end is gone. Reported whether or not it was asked for.
        public static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
        /// The descriptor has an error; `cgroup.events` shows it together with `priority`. Reported unasked.
        public static let error = Readiness(rawValue: EPOLLERR.rawValue)
    }

    /// Called on the loop's thread with what its descriptor is ready for.
    public typealias Handler = (Readiness) -> Void

    private struct Entry {
        /// Told from every other registration, so that an event already fetched for an earlier holder of the same
        /// descriptor number is recognised.
        let generation: UInt32
        var handler: Handler
    }

    /// How many events one turn fetches at most; what is left over comes with the next turn.
    private static let batch = 64

    private let epoll: Int32
    private let timer: Int32
    private var entries: [Int32: Entry] = [:]
    private var lastGeneration: UInt32 = 0
    private var armed: Nanoseconds?
    private var isTimerDue = false
    private var isStopped = false
    private var signals: Int32?
    private var later: [() -> Void] = []
    /// How many turns have begun.
    public private(set) var turns: UInt64 = 0

    /// When `onDeadline` is to be called, as a reading of CLOCK_MONOTONIC; nil for never.
    ///
    /// Cleared just before the call. The kernel's timer is set at most once a turn, and only if this has changed.
    public var deadline: Nanoseconds?
    /// Called when `deadline` has been reached, after the turn's readable handlers.
    public var onDeadline: (() -> Void)?
    /// Called at the end of each turn in which anything was handled: the place to commit and to write.
    public var endOfTurn: (() -> Void)?
    /// Called when a turn begins that has something to do.
    public var onTurn: (() -> Void)?
    /// Called before the loop sleeps, with its deadline.
    public var onSleep: ((Nanoseconds?) -> Void)?
    /// Runs closures from other threads on the loop's thread.
    public let wakeUp: Mailbox<@Sendable () -> Void>

    /// Makes a loop. Fails only when descriptors have run out.
    public init() throws(SystemError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        wakeUp = try Mailbox()
        guard epoll >= 0, timer >= 0 else { throw .failed(to: "make the event loop", "epoll") }
        try add(timer, events: .readable) { [unowned self] _ in timerFired() }
        try attach(wakeUp) { work in work() }
    }

    deinit {
        if let signals { close(signals) }
        close(timer)
        close(epoll)
    }

    // MARK: Descriptors

    /// Watches a descriptor, which stays the caller's: `remove` it before closing it.
    ///
    /// Throws `EEXIST` if it is watched already, `EPERM` for what can't be watched, such as a plain file.
    public func add(_ descriptor: Int32, events: Readiness, handler: @escaping Handler) throws(SystemError) {
        lastGeneration &+= 1
        try control(EPOLL_CTL_ADD, descriptor, events, generation: lastGeneration)
        entries[descriptor] = Entry(generation: lastGeneration, handler: handler)
    }

    /// Changes what a watched descriptor is watched for. Throws `ENOENT` if it is not watched.
    public func modify(_ descriptor: Int32, events: Readiness) throws(SystemError) {
        guard let entry = entries[descriptor] else {
            throw SystemError(
                doing: "change what is waited for", subject: "descriptor \(descriptor)", errno: ENOENT,
                reason: "it is not watched")
        }
        try control(EPOLL_CTL_MOD, descriptor, events, generation: entry.generation)
    }

    /// Stops watching a descriptor; its handler is not called again, not even for an event of this very turn.
    /// Does nothing for one that is not watched.
    public func remove(_ descriptor: Int32) {
        guard entries.removeValue(forKey: descriptor) != nil else { return }
        // Fails where the descriptor was closed too early: the kernel has then forgotten it by itself.
        _ = epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
    }

    /// Whether a descriptor is watched.
    public func watches(_ descriptor: Int32) -> Bool { entries[descriptor] != nil }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ events: Readiness, generation: UInt32
    ) throws(SystemError) {
        var event = epoll_event()
        event.events = events.rawValue
        event.data.u64 = UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
        guard epoll_ctl(epoll, operation, descriptor, &event) == 0 else {
            throw .failed(to: "watch a descriptor", "descriptor \(descriptor)")
        }
    }

    // MARK: Other threads, and signals

    /// Calls `handler` on the loop's thread with each message posted to `mailbox`, in the order of posting.
    public func attach<Message: Sendable>(
        _ mailbox: Mailbox<Message>, handler: @escaping (Message) -> Void
    ) throws(SystemError) {
        try add(mailbox.descriptor, events: .readable) { _ in
            for message in mailbox.takeAll() { handler(message) }
        }
    }

    /// Holds signals back from the calling thread, and from those it starts from now on, until a loop watches them.
    /// Libraries start threads of their own: called first thing in a program.
    public static func holdBack(_ numbers: [Int32]) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls `handler` with the number of each of these signals instead of what they do otherwise; once per loop.
    ///
    /// They are held back from the calling thread and those it starts from now on; where threads may have been
    /// started before, `holdBack` has to be called still earlier, or a signal is delivered to one of them.
    public func watchSignals(_ numbers: [Int32], handler: @escaping (Int32) -> Void) throws(SystemError) {
        precondition(signals == nil, "a loop watches one set of signals")
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        guard pthread_sigmask(SIG_BLOCK, &set, nil) == 0 else { throw .failed(to: "hold back signals", "\(numbers)") }
        let descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else { throw .failed(to: "watch signals", "\(numbers)") }
        signals = descriptor
        try add(descriptor, events: .readable) { _ in
            var information = signalfd_siginfo()
            let size = MemoryLayout<signalfd_siginfo>.size
            while read(descriptor, &information, size) == size { handler(Int32(information.ssi_signo)) }
        }
    }

    // MARK: Running

    /// CLOCK_MONOTONIC now: what `deadline` is compared with.
    public static var now: Nanoseconds { Nanoseconds(croost_monotonic()) }

    /// Runs turns until `stop` is called.
    public func run() { run(until: { false }) }

    /// Runs turns until `isDone` says so, asked before the first turn and after each, or until `stop` is called.
    public func run(until isDone: () -> Bool) {
        isStopped = false
        let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: Self.batch)
        defer { events.deallocate() }
        while !isStopped, !isDone() { turn(events) }
    }

    /// Ends `run` after the current turn. From another thread: `wakeUp.post` something that calls it.
    public func stop() { isStopped = true }

    /// Runs `work` in the next turn, after all that is readable then. That turn waits for nothing.
    public func inNextTurn(_ work: @escaping () -> Void) { later.append(work) }

    private func turn(_ events: UnsafeMutableBufferPointer<epoll_event>) {
        arm()
        onSleep?(deadline)
        let count = epoll_wait(epoll, events.baseAddress, Int32(events.count), later.isEmpty ? -1 : 0)
        // `onTurn` makes a system call, which may change it.
        let code = errno
        onTurn?()
        turns += 1
        if count < 0 {
            // A signal handler ran, or the process was stopped and continued.
            guard code != EINTR else { return }
            // Only a loop whose own descriptors were closed by someone else gets here: a bug, and nothing can go on.
            fatalError("epoll_wait failed with errno \(code)")
        }
        for event in events.prefix(Int(count)) {
            let descriptor = Int32(bitPattern: UInt32(truncatingIfNeeded: event.data.u64))
            // A handler before this one may have removed the descriptor, or closed it and registered a new one.
            guard let entry = entries[descriptor], entry.generation == UInt32(event.data.u64 >> 32) else { continue }
            entry.handler(Readiness(rawValue: event.events))
        }
        let due = later
        later = []
        for work in due { work() }
        if isTimerDue {
            isTimerDue = false
            // A handler of this turn may have moved it.
            if let due = deadline, due <= Self.now {
                deadline = nil
                onDeadline?()
            }
        }
        endOfTurn?()
    }

    private func timerFired() {
        var expirations: UInt64 = 0
        _ = read(timer, &expirations, MemoryLayout<UInt64>.size)
        armed = nil
        isTimerDue = true
    }

    private func arm() {
        guard deadline != armed else { return }
        var setting = itimerspec()
        if let deadline {
            // All zeros would switch the timer off; a deadline that has passed is due at once.
            let at = max(deadline.rawValue, 1)
            setting.it_value = timespec(tv_sec: Int(at / 1_000_000_000), tv_nsec: Int(at % 1_000_000_000))
        }
        guard timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &setting, nil) == 0 else {
            fatalError("timerfd_settime failed with errno \(errno)")
        }
        armed = deadline
    }
}

/// What other threads leave for the loop: messages in order, and an eventfd that wakes it.
///
/// `Sendable`, and small: an organ's thread holds one and posts what happened. The handler given to
/// `EventLoop.attach` runs on the loop's thread, so it may use what belongs there.
public final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    /// The eventfd, open as long as anyone holds the mailbox: a late post never meets another's descriptor.
    let descriptor: Int32

    /// Makes an empty mailbox. Fails only when descriptors have run out.
    public init() throws(SystemError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .failed(to: "make a mailbox", "eventfd") }
    }

    deinit { close(descriptor) }

    /// Leaves a message, on any thread, and wakes the loop if the mailbox was empty. Never blocks for long.
    public func post(_ message: Message) {
        let wasEmpty = messages.withLock { list in
            list.append(message)
            return list.count == 1
        }
        if wasEmpty { eventfd_write(descriptor, 1) }
    }

    /// Takes what is there. The counter is reset first: a message posted in between wakes the loop once more for
    /// nothing, which is better than not at all.
    func takeAll() -> [Message] {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
        return messages.withLock { list in
            defer { list = [] }
            return list
        }
    }
}

extension SystemError {
    /// The failure of the call just made, from `errno`, with advice if descriptors have run out.
    fileprivate static func failed(to doing: String, _ subject: String) -> SystemError {
        let isOutOfFiles = [EMFILE, ENFILE].contains(Glibc.errno)
        return .now(doing, subject, advice: isOutOfFiles ? "raise the limit of open files (ulimit -n)" : nil)
    }
}
