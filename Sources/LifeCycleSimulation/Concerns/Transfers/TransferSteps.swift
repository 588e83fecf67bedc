import LifeCycleModel
import LifeCyclePolicy

/// The small world's model of an app's background session, and of the engine's transfers.
struct SmallDownloads: Hashable, Sendable, Encodable {
    struct Carried: Hashable, Sendable, Encodable {
        let id: TransferID
        let attempt: Int32
    }

    /// The launch that has the session open.
    var launch: LaunchID?
    /// The number of the next download; nil until the system has opened the session.
    var next: Int64?
    /// The downloads that it was notified of and has not acknowledged.
    var received: [Int64] = []
    /// Whether the launch was called for the session's events and has not handled them.
    var isHandledPending = false
    /// The engine's current attempts.
    var carried: [Carried] = []

    /// A restart of the system closes the app's session and drops the current attempts.
    mutating func systemRestarted() { self = SmallDownloads() }

    mutating func receive(_ news: TransferNews, by launch: LaunchID) {
        guard launch == self.launch else { return }
        switch news {
        case .opened(_, let lowestFree): next = lowestFree
        case .downloaded(let number, _, _, _), .failed(let number, _): received.append(number)
        case .invalidated: (self.launch, next, received) = (nil, nil, [])
        case .listed, .progressed, .resumed, .willBegin, .eventsFinished: break
        }
    }
}

/// The app has one session, Newsstand's if it declares that mode, and one download at a time.
extension ConcernStep {
    static let openSession = code("open session") { world, index in
        let launch = world.processes[index].launch
        guard world.downloads.launch != launch else { return false }
        (world.downloads.launch, world.downloads.next, world.downloads.received) = (launch, nil, [])
        return world.say(.open(TransferSessionConfiguration()), index)
    }
    static let download = code("download") { world, index in
        guard world.downloads.launch == world.processes[index].launch, let number = world.downloads.next,
            world.core.device.transferIDs.isEmpty
        else { return false }
        world.downloads.next = number + 1
        return world.say(.make(NewTransfer(number: number, request: TransferRequest(url: url))), index)
            && world.say(.resume(number), index)
    }
    /// The app acknowledges the downloads that have arrived.
    static let take = code("take") { world, index in
        let received = world.downloads.received
        guard world.downloads.launch == world.processes[index].launch, !received.isEmpty else { return false }
        world.downloads.received = []
        return world.say(.acknowledge(received), index)
    }
    /// The app has handled the session's events.
    static let handled = code("handled") { world, index in
        guard world.downloads.isHandledPending else { return false }
        world.downloads.isHandledPending = false
        return world.say(.handled, index)
    }
    /// The current attempt completes; below, it fails.
    static let arrive = carried("arrive") {
        .completed($0.id, attempt: $0.attempt, TransferResponse(url: url, status: 200, fields: []), size: 1)
    }
    static let fail = carried("fail") {
        let problem = TransferProblem(code: -1202, reason: "bad certificate", isRetryable: false)
        return .failed($0.id, attempt: $0.attempt, problem)
    }

    private static let url = "http://one.example.org/file"

    private static func carried(
        _ name: String, _ report: @escaping @Sendable (SmallDownloads.Carried) -> TransferReport
    ) -> ConcernStep {
        ConcernStep(name) { world, _ in
            guard let carried = world.downloads.carried.first else { return false }
            world.downloads.carried.removeFirst()
            world.report(report(carried))
            return true
        }
    }
}

extension SmallWorld {
    fileprivate mutating func say(_ act: TransferAct, _ index: Int) -> Bool {
        let manifest = core.device.snapshot(of: processes[index].launch.app)?.record.manifest
        let isNewsstand = manifest?.backgroundModes.contains(.newsstandContent) ?? false
        guard let session = isNewsstand ? .newsstand : SessionIdentifier("session") else { return false }
        return request(.concern(.transfer(session, act)), index)
    }

    mutating func report(_ report: TransferReport) {
        handle(.concern(.transfer(.reported(report))))
    }
}
