import LifeCycleModel
import LifeCyclePolicy

@testable import LifeCycleSimulation

/// The session identifier of the name.
func named(_ name: String = "podcasts") -> SessionIdentifier {
    guard let identifier = SessionIdentifier(name) else { preconditionFailure("the name is empty or too long") }
    return identifier
}

func session(_ number: Int32 = 1, of app: Int32 = 1) -> TransferSessionID {
    TransferSessionID(app: AppID(app), number: number)
}

func transfer(_ number: Int64, of session: TransferSessionID = session()) -> TransferID {
    TransferID(session: session, number: number)
}

let response = TransferResponse(url: "https://example.org/1", status: 200, fields: [])

func checkpoint(_ received: Int64, validator: String? = "\"1\"") -> TransferCheckpoint {
    TransferCheckpoint(received: received, expected: 1000, validator: validator, boot: "b")
}

func transientProblem(_ checkpoint: TransferCheckpoint? = nil, retryAfter: Nanoseconds? = nil) -> TransferProblem {
    TransferProblem(
        code: -1005, reason: "the connection was lost", isRetryable: true, retryAfter: retryAfter,
        checkpoint: checkpoint)
}

extension Bench {
    /// Handles an event, and returns its effects.
    mutating func effects(of event: Event) -> [Effect] {
        let count = effects.count
        handle(event)
        return Array(effects[count...])
    }

    /// An app acts on a session.
    @discardableResult
    mutating func act(
        _ act: TransferAct, on name: String = "podcasts", by launch: LaunchID = launch(1)
    ) -> [Effect] {
        effects(of: .app(launch, .requested(.concern(.transfer(named(name), act)))))
    }

    @discardableResult
    mutating func open(
        _ name: String = "podcasts", by launch: LaunchID = launch(1),
        _ change: (inout TransferSessionConfiguration) -> Void = { _ in }
    ) -> [Effect] {
        var configuration = TransferSessionConfiguration()
        change(&configuration)
        return act(.open(configuration), on: name, by: launch)
    }

    /// Makes a task, and resumes it.
    @discardableResult
    mutating func download(
        _ number: Int64, url: String = "https://example.org/1", on name: String = "podcasts",
        by launch: LaunchID = launch(1)
    ) -> [Effect] {
        act(.make(NewTransfer(number: number, request: TransferRequest(url: url))), on: name, by: launch)
            + act(.resume(number), on: name, by: launch)
    }

    @discardableResult
    mutating func tell(_ report: TransferReport) -> [Effect] { effects(of: .concern(.transfer(.reported(report)))) }

    func attempt(_ id: TransferID) -> Int32 { device.transferSnapshot(of: id)?.attempt ?? 0 }
    func wait(_ id: TransferID) -> TransferWait? { device.transferSnapshot(of: id)?.wait }
    func isRunning(_ id: TransferID) -> Bool { device.transferSnapshot(of: id)?.state == .running }

    /// The engine reports that it has received all bytes, and has moved the file into the container.
    @discardableResult
    mutating func finish(_ id: TransferID, size: Int64 = 1000) -> [Effect] {
        tell(.completed(id, attempt: attempt(id), response, size: size)) + tell(.moved(id, errno: nil))
    }

    /// The engine reports that it has stopped the transfer.
    @discardableResult
    mutating func engineStops(_ id: TransferID, _ checkpoint: TransferCheckpoint? = nil) -> [Effect] {
        tell(.stopped(id, attempt: attempt(id), checkpoint))
    }

    /// A bench whose first app has a session open and is in `state`.
    static func withSession(
        _ state: AppState = .active, _ policy: Policy = .iOS26,
        _ change: (inout TransferSessionConfiguration) -> Void = { _ in }
    ) -> Bench {
        var bench = Bench.with(.active, policy)
        bench.open("podcasts", by: launch(1), change)
        switch state {
        case .notRunning, .inactive, .active: break
        case .background, .suspended:
            if state == .suspended { _ = bench.plays(.device(.homePressed)) } else { bench.toBackground() }
        }
        bench.forget()
        return bench
    }

    /// A bench whose first app was woken for a download, began a second one, and has handled the events.
    static func withHandledEvents(_ policy: Policy = .iOS26) -> Bench {
        var bench = Bench.withSession(.active, policy)
        bench.download(1)
        _ = bench.plays(.device(.homePressed))
        bench.finish(transfer(1))
        _ = bench.plays()
        bench.act(.acknowledge([1]))
        bench.download(2)
        bench.act(.handled)
        _ = bench.plays()
        return bench
    }

    /// The first app enters the background with an open task.
    mutating func toBackground() {
        helpers[launch(1)]?.open = [task(1)]
        _ = plays(.device(.homePressed))
    }
}

extension Sequence where Element == Effect {
    /// The messages to apps about sessions.
    var news: [TransferNews] {
        compactMap { if case .launch(_, .send(.concern(.transfer(_, let news)))) = $0 { news } else { nil } }
    }

    var begun: [TransferID] {
        compactMap { if case .concern(.transfer(.begin(let id, _))) = $0 { id } else { nil } }
    }

    var stopped: [TransferID] {
        compactMap { if case .concern(.transfer(.stop(let id))) = $0 { id } else { nil } }
    }

    var decisions: [TransferDecision] {
        compactMap { if case .decided(.concern(.transfer(let decision))) = $0 { decision } else { nil } }
    }

    var callbacks: [Callback] {
        compactMap { if case .launch(_, .send(.callback(_, let callback))) = $0 { callback } else { nil } }
    }

    var refusals: [TransferActRefusal] {
        decisions.compactMap { if case .actIgnored(_, let refusal) = $0 { refusal } else { nil } }
    }

    /// The task numbers of the outcomes that apps received.
    var outcomes: [Int64] {
        news.compactMap { news in
            switch news {
            case .downloaded(let number, _, _, _), .failed(let number, _): number
            default: nil
            }
        }
    }

    var failures: [TransferFailure] {
        news.compactMap { if case .failed(_, let failure) = $0 { failure } else { nil } }
    }
}
