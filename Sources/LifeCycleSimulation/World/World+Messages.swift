import AppCore
import LifeCycleModel
import LifeCyclePolicy

/// Messages and reports that are late, repeated or delivered together.
///
/// Some of this can happen with the real body. The rest tests a brain that relies on nothing:
/// - A *request* is late if the event loop stalls, or if its connection breaks before the request is read. A late
///   request is then read in order: at the latest before the app's next attachment (`AppSessions.firstMessage`), its
///   exit or its freeze is reported. No request arrives after the exit of its launch: `exited` reads all requests and
///   then forgets the launch. A stream does not reorder requests, and the simulator does not either.
/// - A request is *repeated* by an app that cannot know whether the first copy arrived. RoostKit does not repeat
///   requests: it sends an attachment, which contains the tasks and the last acknowledgment. An app in another
///   language may repeat them.
/// - `froze` and `freezeFailed` are late if the kernel's notification is late. Both are also late if one iteration of
///   the event loop decides the freeze and the following thaw. A thaw ends the watching, so this delay is at most that
///   iteration. `exited` is late if the kernel is slow to end a process. `footprintMeasured` and `containerMeasured`
///   come from other threads and may be late by any time. By then the app may run again, have ended, or be in a new
///   launch.
/// - A footprint may be measured twice, the second time for an earlier suspension. No other report is repeated: the
///   first report closes its descriptor.
extension World {
    // MARK: Requests

    /// How long a request takes to arrive. A late request also delays the following requests on its stream.
    mutating func requestDelay(_ request: AppRequest, of launch: LaunchID, _ profile: BehaviorProfile) -> Nanoseconds {
        if profile.repeats > 0, random.chance(profile.repeats, in: 100) {
            faultObserver?(.repeatedRequest)
            plan(.requestIsMade(launch, request), in: Nanoseconds(1 + random.span(upTo: 20_000_000_000)))
        }
        guard goesWrong(1, in: 300) else { return latency() }
        faultObserver?(.lateRequest)
        return latency() + Nanoseconds(random.span(upTo: 20_000_000_000))
    }

    /// A connection broke. In half of the cases the connection's unread requests are lost; otherwise they are read
    /// later.
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

    /// Passes a launch's requests to the brain. False if the system dies during them; the remaining requests are then
    /// lost.
    mutating func readAll(_ requests: [AppRequest], of launch: LaunchID) -> Bool {
        let present = restarts
        for request in requests where restarts == present { handle(.app(launch, .requested(request))) }
        return restarts == present
    }

    // MARK: Reports

    /// Delivers a report of the kernel or the file system about a launch. The report may be late or repeated.
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

    // The brain does not see forks: a launch is one thing to it, with any number of processes. `cgroup.kill` and
    // `cgroup.freeze` act on all of them. A launch is over when its first process is: `LinuxProcesses.collect` then
    // ends the remaining processes, and waits 50 ms for them. The differences are these:
    // - A cgroup is frozen when its last process is, and a process in an uninterruptible system call takes its time.
    // - The exit is reported a little later.
    // - A child that holds its parent's connection may send requests as long as it lives, even after its parent's
    //   death.

    /// Asks the kernel to freeze the launch's processes.
    mutating func askToFreeze(_ launch: LaunchID, attempt: Int32) {
        guard let index = index(of: launch) else { return plan(.kernelFroze(launch, attempt: attempt), in: latency()) }
        // Usually the kernel is done before anything else happens.
        if due != nil, random.chance(1, in: 2) { return freeze(launch, index, attempt: attempt) }
        var span = latency()
        if processes[index].children > 0, goesWrong(1, in: 4) {
            faultObserver?(.slowFreeze)
            // A process may also never leave its system call.
            if random.chance(1, in: 3) { return }
            span = span + Nanoseconds(random.span(upTo: 15_000_000_000))
        }
        plan(.kernelFroze(launch, attempt: attempt), in: span)
    }

    /// A process's unread requests remain after its end, and its children may add to them.
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

    /// How long the children of an ended process take to die.
    mutating func afterChildren(of process: Process) -> Nanoseconds {
        process.children > 0 ? Nanoseconds(random.span(upTo: 50_000_000)) : .zero
    }

    // MARK: The loop

    /// Stalls the system's event loop, as if it were stopped or the machine too busy. Events pile up until `startLoop`.
    /// One iteration then handles them, then the due deadlines, and last performs all effects, as in `Supervisor`. No
    /// event reports the stall: the brain infers it from a late deadline (`Device.noticeStall`).
    mutating func stopLoop() {
        guard violation == nil else { return }
        faultObserver?(.loopStall)
        pile = []
    }

    /// The loop resumes after `span`.
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

    /// Mixes the events as epoll may report them. The order within one app is preserved, and also the order of the
    /// events without an app.
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
    /// The launch that an event is about; nil for the device, a concern and a deadline.
    fileprivate var launch: LaunchID? {
        switch self {
        case .process(let launch, _), .app(let launch, _): launch
        case .device, .concern, .deadlineReached: nil
        }
    }
}
