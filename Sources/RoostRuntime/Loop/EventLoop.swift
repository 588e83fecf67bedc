internal import CRoost
internal import Glibc
public import LifeCycleModel
public import RoostPorts
internal import Synchronization

/// An epoll loop on the thread that calls `run`: descriptors, one deadline, signals, and mailboxes for other threads.
///
/// Each iteration, called a turn, handles all readable descriptors, then the deadline, then calls `endOfTurn`. With
/// nothing to do, the loop sleeps in the kernel and never wakes up. The loop belongs to one thread and is not
/// `Sendable`. Other threads may hold a `Mailbox`.
public final class EventLoop {
    /// The conditions that a descriptor is ready for, or that the loop waits for.
    public struct Readiness: OptionSet, Hashable, Sendable {
        /// The bits of epoll.
        public let rawValue: UInt32

        /// Wraps bits of epoll.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Data can be read, a peer can be accepted, or the process of a pidfd has exited.
        public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
        /// Data can be written.
        public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
        /// An exceptional condition: `cgroup.events` changed, or a pressure trigger fired.
        public static let priority = Readiness(rawValue: EPOLLPRI.rawValue)
        /// The other end is gone. Always reported.
        public static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
        /// The descriptor has an error. `cgroup.events` reports it together with `priority`. Always reported.
        public static let error = Readiness(rawValue: EPOLLERR.rawValue)
    }

    /// Called on the loop's thread with the readiness of its descriptor.
    public typealias Handler = (Readiness) -> Void

    private struct Entry {
        /// A number unique to each registration. The number distinguishes stale events of an earlier registration with
        /// the same descriptor number.
        let generation: UInt32
        var handler: Handler
    }

    /// The most events that one turn fetches. The remaining events follow in the next turn.
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
    /// The number of turns so far.
    public private(set) var turns: UInt64 = 0

    /// The time at which `onDeadline` is called, on CLOCK_MONOTONIC; nil for never.
    ///
    /// The deadline is cleared just before the call. The kernel's timer is set at most once per turn, and only if this
    /// value has changed.
    public var deadline: Nanoseconds?
    /// Called when `deadline` has been reached, after the handlers of readable descriptors.
    public var onDeadline: (() -> Void)?
    /// Called at the end of each turn in which anything was handled. This is the place to commit and write.
    public var endOfTurn: (() -> Void)?
    /// Called when a turn begins that has something to do.
    public var onTurn: (() -> Void)?
    /// Called with the deadline before the loop sleeps.
    public var onSleep: ((Nanoseconds?) -> Void)?
    /// Runs closures from other threads on the loop's thread.
    public let wakeUp: Mailbox<@Sendable () -> Void>

    /// Creates a loop. Fails only if descriptors have run out.
    public init() throws(SystemError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        wakeUp = try Mailbox()
        guard epoll >= 0, timer >= 0 else { throw .failed(to: "create the event loop", "epoll") }
        try add(timer, events: .readable) { [unowned self] _ in timerFired() }
        try attach(wakeUp) { work in work() }
    }

    deinit {
        if let signals { close(signals) }
        close(timer)
        close(epoll)
    }

    // MARK: Descriptors

    /// Watches a descriptor, which remains the caller's. Call `remove` before closing it.
    ///
    /// Throws `EEXIST` if the descriptor is already watched, and `EPERM` if it cannot be watched, such as a plain file.
    public func add(_ descriptor: Int32, events: Readiness, handler: @escaping Handler) throws(SystemError) {
        lastGeneration &+= 1
        try control(EPOLL_CTL_ADD, descriptor, events, generation: lastGeneration)
        entries[descriptor] = Entry(generation: lastGeneration, handler: handler)
    }

    /// Changes the events that a watched descriptor is watched for. Throws `ENOENT` if the descriptor is not watched.
    public func modify(_ descriptor: Int32, events: Readiness) throws(SystemError) {
        guard let entry = entries[descriptor] else {
            throw SystemError(
                doing: "change the watched events", subject: "descriptor \(descriptor)", errno: ENOENT,
                reason: "it is not watched")
        }
        try control(EPOLL_CTL_MOD, descriptor, events, generation: entry.generation)
    }

    /// Stops watching a descriptor. Its handler is not called again, even for an event of the current turn. Does
    /// nothing if the descriptor is not watched.
    public func remove(_ descriptor: Int32) {
        guard entries.removeValue(forKey: descriptor) != nil else { return }
        // The call fails if the descriptor was closed too early: the kernel has then removed it already.
        _ = epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
    }

    /// Whether the loop watches the descriptor; false again after `remove(_:)`.
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

    // MARK: Other threads and signals

    /// Calls `handler` on the loop's thread with each message posted to `mailbox`, in order of posting.
    public func attach<Message: Sendable>(
        _ mailbox: Mailbox<Message>, handler: @escaping (Message) -> Void
    ) throws(SystemError) {
        try add(mailbox.descriptor, events: .readable) { _ in
            for message in mailbox.takeAll() { handler(message) }
        }
    }

    /// Blocks signals in the calling thread, and in threads that it starts later, until a loop watches them. Call this
    /// first in a program, because libraries start their own threads.
    public static func holdBack(_ numbers: [Int32]) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls `handler` with the number of each of these signals, instead of their default action. Call this once per
    /// loop.
    ///
    /// The signals are blocked in the calling thread and in threads that it starts later. If other threads may be
    /// running already, call `holdBack` earlier. Otherwise a signal may be delivered to one of these threads.
    public func watchSignals(_ numbers: [Int32], handler: @escaping (Int32) -> Void) throws(SystemError) {
        precondition(signals == nil, "a loop watches one set of signals")
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        guard pthread_sigmask(SIG_BLOCK, &set, nil) == 0 else { throw .failed(to: "block signals", "\(numbers)") }
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

    /// The current time on CLOCK_MONOTONIC, the clock of `deadline`.
    public static var now: Nanoseconds { Nanoseconds(croost_monotonic()) }

    /// Runs turns until `stop` is called.
    public func run() { run(until: { false }) }

    /// Runs turns until `isDone` returns true or `stop` is called. `isDone` is called before the first turn and after
    /// each turn.
    public func run(until isDone: () -> Bool) {
        isStopped = false
        let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: Self.batch)
        defer { events.deallocate() }
        while !isStopped, !isDone() { turn(events) }
    }

    /// Ends `run` after the current turn. To call it from another thread, post it to `wakeUp`.
    public func stop() { isStopped = true }

    /// Runs `work` in the next turn, after the handlers of readable descriptors. The loop does not sleep before that
    /// turn.
    public func inNextTurn(_ work: @escaping () -> Void) { later.append(work) }

    private func turn(_ events: UnsafeMutableBufferPointer<epoll_event>) {
        arm()
        onSleep?(deadline)
        let count = epoll_wait(epoll, events.baseAddress, Int32(events.count), later.isEmpty ? -1 : 0)
        // `onTurn` makes a system call, which may change `errno`.
        let code = errno
        onTurn?()
        turns += 1
        if count < 0 {
            // A signal handler ran, or the process was stopped and continued.
            guard code != EINTR else { return }
            // The call fails only if other code has closed the loop's own descriptors, a bug from which the loop cannot
            // recover.
            fatalError("epoll_wait failed with errno \(code)")
        }
        for event in events.prefix(Int(count)) {
            let descriptor = Int32(bitPattern: UInt32(truncatingIfNeeded: event.data.u64))
            // An earlier handler may have removed the descriptor, or closed it and registered a new one.
            guard let entry = entries[descriptor], entry.generation == UInt32(event.data.u64 >> 32) else { continue }
            entry.handler(Readiness(rawValue: event.events))
        }
        let due = later
        later = []
        for work in due { work() }
        if isTimerDue {
            isTimerDue = false
            // A handler of this turn may have moved the deadline.
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
            // All zeros would disarm the timer. A deadline in the past is due at once.
            let at = max(deadline.rawValue, 1)
            setting.it_value = timespec(tv_sec: Int(at / 1_000_000_000), tv_nsec: Int(at % 1_000_000_000))
        }
        guard timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &setting, nil) == 0 else {
            fatalError("timerfd_settime failed with errno \(errno)")
        }
        armed = deadline
    }
}

/// Messages from other threads to the loop, in order, with an eventfd that wakes the loop.
///
/// An adapter's thread holds a mailbox and posts events. The handler given to `EventLoop.attach` runs on the loop's
/// thread, so it may use the loop's objects.
public final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    /// The eventfd, open as long as the mailbox exists, so that a late post cannot write to another descriptor.
    let descriptor: Int32

    /// Creates an empty mailbox. Fails only if descriptors have run out.
    public init() throws(SystemError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .failed(to: "create a mailbox", "eventfd") }
    }

    deinit { close(descriptor) }

    /// Posts a message from any thread, and wakes the loop if the mailbox was empty. Blocks only briefly.
    public func post(_ message: Message) {
        let wasEmpty = messages.withLock { list in
            list.append(message)
            return list.count == 1
        }
        if wasEmpty { eventfd_write(descriptor, 1) }
    }

    /// Takes all messages. The counter is reset first. A message posted in between causes a spurious wake-up, which is
    /// better than a lost one.
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
    /// The failure of the last system call, from `errno`, with advice if descriptors have run out.
    fileprivate static func failed(to doing: String, _ subject: String) -> SystemError {
        let isOutOfFiles = [EMFILE, ENFILE].contains(Glibc.errno)
        return .now(doing, subject, advice: isOutOfFiles ? "raise the limit of open files (ulimit -n)" : nil)
    }
}
