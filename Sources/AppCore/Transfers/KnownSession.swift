import LifeCycleModel

/// A background session that this launch has open.
struct KnownSession: Hashable, Sendable {
    let identifier: SessionIdentifier
    var configuration: TransferSessionConfiguration

    /// Those that are not done, in the order of their numbers.
    private var tasks: [KnownTransfer] = []
    /// Those that are: the system may not have heard so, and tell of them again.
    private var done = NumberRanges()
    /// The number after which tasks are to be listed, while an answer is owed.
    private var listedUpTo: Int64?
    /// Whether the app knows the tasks of earlier launches: before, it could not tell whose outcome it is told.
    private var knowsTasks = true
    /// What is to be told once it does.
    private var held: [TransferNews] = []
    private var invalidation: TransferAct?
    /// From which number on tasks are still to be said again on this connection, and what comes after them; nil where all
    /// was said.
    private var repeatsFrom: Int64?
    /// `urlSessionDidFinishEvents` was told, and no outcome since: a system that was started again does not know.
    private var isFinishTold = false

    init(_ identifier: SessionIdentifier, _ configuration: TransferSessionConfiguration) {
        self.identifier = identifier
        self.configuration = configuration
    }

    // MARK: What the app does

    mutating func note(_ act: TransferAct) {
        switch act {
        case .open(let new): configuration = new
        case .make(let new): edit(new.number) { $0.note(act) }
        case .resume(let task), .suspend(let task), .cancel(let task, _), .setPriority(let task, _),
            .setText(let task, _), .setEarliestBegin(let task, _), .setExpectedToReceive(let task, _),
            .proceed(let task, _):
            edit(task) { $0.note(act) }
        case .list(let after):
            // The first thing asked after the session was opened: what is there already?
            if tasks.isEmpty, done.isEmpty, listedUpTo == nil { knowsTasks = false }
            listedUpTo = after
        case .acknowledge(let outcomes): for task in outcomes { acknowledge(task) }
        case .finishTasksAndInvalidate: invalidation = invalidation ?? act
        case .invalidateAndCancel: invalidation = act
        case .handled: break
        }
    }

    // MARK: What is said again on a new connection

    /// The first of it.
    mutating func beginRepeats() -> TransferAct {
        // What was not told yet is said again as well.
        held = []
        repeatsFrom = .min
        return .open(configuration)
    }

    var isRepeating: Bool { repeatsFrom != nil }

    /// What follows: of at least one task, and of no further one once there are so many.
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

    /// Whether something new has to wait until all else was said again: a session that ends takes no tasks.
    func holdsBack(_ act: TransferAct) -> Bool {
        isRepeating && (act == .finishTasksAndInvalidate || act == .invalidateAndCancel)
    }

    // MARK: What the system says

    /// What of the news the app is to hear, and what is to be answered at once.
    mutating func hear(_ news: TransferNews, told: inout [TransferNews], answers: inout [TransferAct]) {
        switch news {
        case .opened: told.append(news)
        case .listed(let page, let isLast): list(page, isLast: isLast, told: &told, answers: &answers)
        case .progressed, .resumed, .willBegin, .downloaded, .failed, .eventsFinished, .invalidated:
            if knowsTasks { tell(news, told: &told, answers: &answers) } else { held.append(news) }
        }
    }

    private mutating func list(
        _ page: [TransferSummary], isLast: Bool, told: inout [TransferNews], answers: inout [TransferAct]
    ) {
        for task in page { edit(task.number) { _ in } }
        let isEnd = isLast || page.isEmpty
        told.append(.listed(page.filter { ending(of: $0.number) == .open }, isLast: isEnd))
        guard isEnd else {
            listedUpTo = page.last?.number
            if let listedUpTo { answers.append(.list(after: listedUpTo)) }
            return
        }
        listedUpTo = nil
        knowsTasks = true
        let due = held
        held = []
        for news in due { tell(news, told: &told, answers: &answers) }
    }

    private mutating func tell(_ news: TransferNews, told: inout [TransferNews], answers: inout [TransferAct]) {
        switch news {
        case .progressed(let number, _, _), .resumed(let number, _, _):
            if ending(of: number) == .open { told.append(news) }
        case .willBegin(let number):
            if let answer = task(number)?.answer {
                answers.append(.proceed(number, answer))
            } else if ending(of: number) == .open {
                told.append(news)
            }
        case .downloaded(let number, _, _, _), .failed(let number, _):
            switch ending(of: number) {
            case .open:
                edit(number) { $0.tell() }
                isFinishTold = false
                told.append(news)
            case .told: break
            case .done: answers.append(.acknowledge([number]))
            }
        case .eventsFinished:
            if !isFinishTold { told.append(news) }
            isFinishTold = true
        case .opened, .listed, .invalidated: told.append(news)
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

    /// The delegate's calls have returned: of the task only that is still to be known.
    private mutating func acknowledge(_ number: Int64) {
        let place = place(of: number)
        guard place < tasks.count, tasks[place].number == number, tasks[place].ending == .told else { return }
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

    /// Where a task is, or would be.
    private func place(of number: Int64) -> Int {
        var (low, high) = (0, tasks.count)
        while low < high {
            let middle = (low + high) / 2
            if tasks[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
