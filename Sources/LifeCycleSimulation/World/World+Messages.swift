import AppCore
import LifeCycleModel
import LifeCyclePolicy

/// Messages and reports that are late, or come twice, or all at once.
///
/// What the real body can do of this, and what only a brain that relies on nothing has to bear:
/// - A *request* is late where the loop stands still, and where its connection broke before it was read: it is read, in
///   its order, when the app gives its next account of itself, before that (`AppSessions.firstMessage`), or before the
///   exit or the freeze is reported. That a request arrives after its launch's exit cannot be there: `exited` reads the
///   requests to the end and forgets the launch. One stream does not reorder, here neither.
/// - A request comes *twice* where an app says again what it cannot know to have arrived. RoostKit does not, it gives an
///   account of itself instead, which tells of tasks and acknowledgements a second time; an app in another language may.
/// - `froze` and `freezeFailed` are late where the kernel's notification is, and where the freeze was decided in the
///   same turn as the thaw that follows it. A thaw ends the watching, so that one is never late by more than that turn.
///   `exited` is late where the kernel takes its time to end a process. `footprintMeasured` and
///   `containerMeasured` are measured on threads of their own, and may be late by any time: the app may run again by
///   then, or be gone, or launched anew.
/// - A footprint may be measured twice, for the suspension before as well. No other report comes twice: descriptors are
///   given up with the first.
extension World {
    // MARK: Requests

    /// How long a request takes to arrive; what one that is late holds up, on its stream, is late as well.
    mutating func requestDelay(_ request: AppRequest, of launch: LaunchID, _ temper: Temper) -> Nanoseconds {
        if temper.repeats > 0, random.chance(temper.repeats, in: 100) {
            faultObserver?(.repeatedRequest)
            plan(.requestIsRepeated(launch, request), in: Nanoseconds(1 + random.span(upTo: 20_000_000_000)))
        }
        guard goesWrong(1, in: 300) else { return latency() }
        faultObserver?(.lateRequest)
        return latency() + Nanoseconds(random.span(upTo: 20_000_000_000))
    }

    /// A connection broke: half of the time what came over it is lost with it, else it has only not been read yet.
    mutating func keepUnread(_ lost: [Happening], _ index: Int) {
        guard random.chance(1, in: 2) else { return }
        var requests: [AppRequest] = []
        for case .requestArrives(_, let request) in lost { requests.append(request) }
        if !requests.isEmpty { faultObserver?(.unreadRequests) }
        processes[index].unread += requests
    }

    mutating func readToTheEnd(_ launch: LaunchID, _ index: Int) -> Bool {
        let unread = processes[index].unread
        processes[index].unread = []
        return readAll(unread, of: launch)
    }

    /// Hands the brain what a launch has said; false where the system dies of it, and the rest is lost with it.
    mutating func readAll(_ requests: [AppRequest], of launch: LaunchID) -> Bool {
        let present = restarts
        for request in requests where restarts == present { handle(.app(launch, .requested(request))) }
        return restarts == present
    }

    // MARK: Reports

    /// The kernel, or the file system, has something to tell of a launch.
    mutating func report(_ event: Event, of launch: LaunchID) {
        let isLate = goesWrong(1, in: 100)
        if isLate {
            faultObserver?(.lateReport)
            plan(.reportArrives(launch, event), in: Nanoseconds(1 + random.span(upTo: 15_000_000_000)))
        }
        if goesWrong(1, in: 100) {
            faultObserver?(.repeatedReport)
            plan(.reportArrives(launch, event), in: Nanoseconds(1 + random.span(upTo: 60_000_000_000)))
        }
        if !isLate { handle(event) }
    }

    // MARK: Children

    // The brain sees nothing of a fork: to it a launch is one thing, be it one process or a hundred. `cgroup.kill` and
    // `cgroup.freeze` are about all of them, and a launch is over when its first process is (`LinuxProcesses.collect`
    // ends what that left behind, and waits 50 ms for it). What can differ is this: a cgroup is frozen when the last
    // of its processes is, and one in the middle of a system call that nothing interrupts takes its time; the exit is
    // told a little later; and a child that holds its parent's connection may speak on it as long as it lives, also when
    // its parent is dead.

    /// The launch's processes are to be frozen.
    mutating func askToFreeze(_ launch: LaunchID, attempt: Int32) {
        guard let index = index(of: launch) else { return plan(.kernelFroze(launch, attempt: attempt), in: latency()) }
        // Mostly the kernel is done before anything else is.
        if due != nil, random.chance(1, in: 2) { return freeze(launch, index, attempt: attempt) }
        var span = latency()
        if processes[index].children > 0, goesWrong(1, in: 4) {
            faultObserver?(.slowFreeze)
            // One may also never come out of its system call.
            if random.chance(1, in: 3) { return }
            span = span + Nanoseconds(random.span(upTo: 15_000_000_000))
        }
        plan(.kernelFroze(launch, attempt: attempt), in: span)
    }

    /// What a process has said and nobody has read is there after its end, and its children may add to it.
    mutating func leaveLastWords(_ process: Process) {
        let launch = process.app.launch
        var words = process.unread
        if process.children > 0, process.isConnected, areFaultsOn, random.chance(1, in: 2) {
            faultObserver?(.orphans)
            let next = CallbackID(process.app.core.lastCallback.rawValue + 1)
            words += [.acknowledge(next, open: []), .beginTask(BackgroundTask(id: TaskID(77), name: "child"))]
        }
        for word in words {
            core.agenda.plan(.requestArrives(launch, word), at: max(process.lastRequestAt, now.awake))
        }
    }

    /// How long those take to die that a process leaves behind.
    mutating func afterChildren(of process: Process) -> Nanoseconds {
        process.children > 0 ? Nanoseconds(random.span(upTo: 50_000_000)) : .zero
    }

    // MARK: The loop

    /// The system's loop stands still, because it is stopped or the machine is too busy: what happens until `startLoop` piles
    /// up and is handled in one turn, then what was due; last come the effects of all of it, as in `Supervisor`. There is no word of it: that a deadline is met late tells (`Device.noticeGap`).
    mutating func stopLoop() {
        guard violation == nil else { return }
        faultObserver?(.standstill)
        pile = []
    }

    /// The loop goes on after `span`.
    mutating func startLoop(after span: Nanoseconds) {
        guard pile != nil else { return }
        let end = now.awake + span
        while let time = core.agenda.nextTime, time <= end, let (_, happening) = core.agenda.takeNext() {
            core.move(to: time)
            happen(happening)
        }
        core.move(to: end)
        let events = pile ?? []
        pile = nil
        turn(mixed(events))
    }

    /// Epoll tells of descriptors in no order that matters; of one app, and of the rest, the order is kept.
    private mutating func mixed(_ events: [Event]) -> [Event] {
        var queues: [(app: AppID?, events: ArraySlice<Event>)] = []
        for event in events {
            let app = event.launch?.app
            if let place = queues.firstIndex(where: { $0.app == app }) {
                queues[place].events.append(event)
            } else {
                queues.append((app, [event]))
            }
        }
        var mixed: [Event] = []
        while !queues.isEmpty {
            let place = random.below(queues.count)
            let count = 1 + random.below(queues[place].events.count)
            mixed += queues[place].events.prefix(count)
            queues[place].events.removeFirst(count)
            if queues[place].events.isEmpty { queues.remove(at: place) }
        }
        return mixed
    }

    private mutating func turn(_ events: [Event]) {
        due = []
        for event in events { handle(event) }
        if let deadline = device.nextDeadlineTime, deadline <= now.awake { handle(.deadlineReached) }
        if diesNext {
            diesNext = false
            let effects = due ?? []
            due = nil
            return die(among: effects)
        }
        var next = 0
        while violation == nil, let effect = due?.dropFirst(next).first {
            next += 1
            perform(effect)
        }
        due = nil
    }
}

extension Event {
    /// The launch of which something is told; nil where somebody wants something.
    fileprivate var launch: LaunchID? {
        switch self {
        case .process(let launch, _), .app(let launch, _): launch
        case .device, .concern, .deadlineReached: nil
        }
    }
}
