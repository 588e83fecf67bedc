import LifeCycleModel

/// A background session that this launch has opened.
struct KnownSession: Hashable, Sendable {
    let identifier: SessionIdentifier
    var configuration: TransferSessionConfiguration

    /// The unfinished tasks, sorted by number.
    private var tasks: [KnownTransfer] = []
    /// The finished tasks. The system may not know that they are finished, and may report them again.
    private var done = NumberRanges()
    /// The number after which tasks are to be listed; nil if no list is pending.
    private var listedUpTo: Int64?
    /// Whether the app knows the tasks of earlier launches. Before that, the app cannot match outcomes to tasks.
    private var knowsTasks = true
    /// The news held back until `knowsTasks` is true.
    private var held: [TransferNews] = []
    private var invalidation: TransferAct?
    /// The number of the next task to repeat on this connection; requests about the session follow. Nil if all requests
    /// were repeated.
    private var repeatsFrom: Int64?
    /// Whether `urlSessionDidFinishEvents` was delivered, and no outcome since. A restarted system does not know of
    /// this delivery.
    private var isFinishDelivered = false

    init(_ identifier: SessionIdentifier, _ configuration: TransferSessionConfiguration) {
        self.identifier = identifier
        self.configuration = configuration
    }

    // MARK: The app's actions

    mutating func note(_ act: TransferAct) {
        switch act {
        case .open(let new): configuration = new
        case .make(let new): edit(new.number) { $0.note(act) }
        case .resume(let task), .suspend(let task), .cancel(let task, _), .setPriority(let task, _),
            .setText(let task, _), .setEarliestBegin(let task, _), .setExpectedToReceive(let task, _),
            .proceed(let task, _):
            edit(task) { $0.note(act) }
        case .list(let after):
            // The first request for a list after opening: earlier tasks are unknown until the answer.
            if tasks.isEmpty, done.isEmpty, listedUpTo == nil { knowsTasks = false }
            listedUpTo = after
        case .acknowledge(let outcomes): for task in outcomes { acknowledge(task) }
        case .finishTasksAndInvalidate: invalidation = invalidation ?? act
        case .invalidateAndCancel: invalidation = act
        case .handled: break
        }
    }

    // MARK: Repeated requests on a new connection

    /// The first repeated request.
    mutating func beginRepeats() -> TransferAct {
        // The system will report the held news again.
        held = []
        repeatsFrom = .min
        return .open(configuration)
    }

    var isRepeating: Bool { repeatsFrom != nil }

    /// The next repeated requests: all requests of at least one task, and of further tasks up to `count` requests.
    mutating func nextRepeats(_ count: Int) -> [TransferAct] {
        guard let repeatsFrom else { return [] }
        var acts: [TransferAct] = []
        var place = place(of: repeatsFrom)
        while place < tasks.count, acts.count < count {
            acts += tasks[place].acts
            place += 1
        }
        guard place == tasks.count else {
            self.repeatsFrom = tasks[place].number
            return acts
        }
        self.repeatsFrom = nil
        if let listedUpTo { acts.append(.list(after: listedUpTo)) }
        if let invalidation { acts.append(invalidation) }
        return acts
    }

    /// Whether a new request must wait for the repeated requests, because an invalidated session accepts no tasks.
    func holdsBack(_ act: TransferAct) -> Bool {
        isRepeating && (act == .finishTasksAndInvalidate || act == .invalidateAndCancel)
    }

    // MARK: News from the system

    /// Selects the news for the app and the requests that answer it at once.
    mutating func receive(_ news: TransferNews, toDeliver: inout [TransferNews], answers: inout [TransferAct]) {
        switch news {
        case .opened: toDeliver.append(news)
        case .listed(let page, let isLast): list(page, isLast: isLast, toDeliver: &toDeliver, answers: &answers)
        case .progressed, .resumed, .willBegin, .downloaded, .failed, .eventsFinished, .invalidated:
            if knowsTasks { deliver(news, toDeliver: &toDeliver, answers: &answers) } else { held.append(news) }
        }
    }

    private mutating func list(
        _ page: [TransferSummary], isLast: Bool, toDeliver: inout [TransferNews], answers: inout [TransferAct]
    ) {
        for task in page { edit(task.number) { _ in } }
        let isEnd = isLast || page.isEmpty
        toDeliver.append(.listed(page.filter { ending(of: $0.number) == .open }, isLast: isEnd))
        guard isEnd else {
            listedUpTo = page.last?.number
            if let listedUpTo { answers.append(.list(after: listedUpTo)) }
            return
        }
        listedUpTo = nil
        knowsTasks = true
        let due = held
        held = []
        for news in due { deliver(news, toDeliver: &toDeliver, answers: &answers) }
    }

    private mutating func deliver(_ news: TransferNews, toDeliver: inout [TransferNews], answers: inout [TransferAct]) {
        switch news {
        case .progressed(let number, _, _), .resumed(let number, _, _):
            if ending(of: number) == .open { toDeliver.append(news) }
        case .willBegin(let number):
            if let answer = task(number)?.answer {
                answers.append(.proceed(number, answer))
            } else if ending(of: number) == .open {
                toDeliver.append(news)
            }
        case .downloaded(let number, _, _, _), .failed(let number, _):
            switch ending(of: number) {
            case .open:
                edit(number) { $0.deliver() }
                isFinishDelivered = false
                toDeliver.append(news)
            case .delivered: break
            case .done: answers.append(.acknowledge([number]))
            }
        case .eventsFinished:
            if !isFinishDelivered { toDeliver.append(news) }
            isFinishDelivered = true
        case .opened, .listed, .invalidated: toDeliver.append(news)
        }
    }

    // MARK: Tasks

    private func task(_ number: Int64) -> KnownTransfer? {
        let place = place(of: number)
        return place < tasks.count && tasks[place].number == number ? tasks[place] : nil
    }

    private func ending(of number: Int64) -> KnownTransfer.Ending {
        task(number)?.ending ?? (done.contains(number) ? .done : .open)
    }

    /// Records that the delegate's calls have returned. From then on only the task's number is kept.
    private mutating func acknowledge(_ number: Int64) {
        let place = place(of: number)
        guard place < tasks.count, tasks[place].number == number, tasks[place].ending == .delivered else { return }
        tasks.remove(at: place)
        done.insert(number)
    }

    private mutating func edit(_ number: Int64, _ change: (inout KnownTransfer) -> Void) {
        guard !done.contains(number) else { return }
        let place = place(of: number)
        if place == tasks.count || tasks[place].number != number {
            tasks.insert(KnownTransfer(number: number), at: place)
        }
        change(&tasks[place])
    }

    /// The index of a task, or its insertion index.
    private func place(of number: Int64) -> Int {
        var (low, high) = (0, tasks.count)
        while low < high {
            let middle = (low + high) / 2
            if tasks[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
