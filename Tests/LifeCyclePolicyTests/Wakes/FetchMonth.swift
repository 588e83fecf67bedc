import LifeCycleModel
import LifeCyclePolicy

/// A month of thirty apps that fetch: the schedule of the brain, to compare with a timer for each app.
struct FetchMonth {
    static let length = seconds(30 * 86_400)
    static let count: Int32 = 30

    /// The intervals that the apps ask for, from 15 to 240 minutes, by the seed.
    let intervals: [Nanoseconds]
    /// The times at which fetches woke the device, since the start.
    private(set) var wakeUps: [Nanoseconds] = []
    /// The times at which each app fetched, since the start.
    private(set) var turns: [AppID: [Nanoseconds]] = [:]
    /// The time at which each app asked, since the start; no two are equal.
    private(set) var asked: [AppID: Nanoseconds] = [:]
    /// The longest wait of an app, in percent of its interval.
    private(set) var longest: Int64 = 0

    private var device = Device()
    private var now = Moment.zero.advanced(by: start)
    private var queue: [Event] = []

    init(seed: UInt64) {
        var state = seed
        intervals = (0..<Self.count).map { _ in
            // Knuth's generator gives the same numbers on every platform.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return seconds(60 * Int64(15 + (state >> 33) % 226))
        }
        for number in 1...Self.count {
            queue.append(.device(.appInstalled(app(number), .sample(Int(number), modes: [.fetch]))))
            queue.append(.device(.wakeOccurred(app(number), .backgroundFetch)))
        }
        play()
    }

    func interval(of app: AppID) -> Nanoseconds { intervals[Int(app.rawValue) - 1] }

    /// The times at which an app's own timer would have fired.
    func ownTimes(of app: AppID) -> [Nanoseconds] {
        let (first, interval) = ((asked[app] ?? .zero).rawValue, interval(of: app).rawValue)
        return stride(from: first + interval, through: Self.length.rawValue, by: Int(interval)).map { Nanoseconds($0) }
    }

    /// Runs the month. Every app answers at once and finds new data.
    private mutating func play() {
        carryOn()
        for number in 1...Self.count {
            advance(to: start + seconds(97 * Int64(number)))
            asked[app(number)] = now.wall - start
            queue.append(
                .app(launch(number), .requested(.concern(.fetch(.setMinimumInterval(interval(of: app(number))))))))
            carryOn()
        }
        advance(to: start + Self.length)
    }

    private mutating func advance(to time: Nanoseconds) {
        while let deadline = device.nextDeadline, deadline.at <= time {
            now = now.advanced(by: max(.zero, deadline.at - now.awake))
            if deadline.reason == .backgroundFetch { wakeUps.append(now.wall - start) }
            queue.append(.deadlineReached)
            carryOn()
        }
        now = now.advanced(by: time - now.wall)
    }

    private mutating func carryOn() {
        while !queue.isEmpty {
            var effects: [Effect] = []
            device.handle(queue.removeFirst(), at: now, into: &effects)
            for effect in effects { answer(effect) }
        }
    }

    private mutating func answer(_ effect: Effect) {
        switch effect {
        case .launch(let launch, .start(_)): queue += [.process(launch, .started), .app(launch, .attached(.new))]
        case .launch(let launch, .send(.callback(let id, let callback))):
            queue.append(.app(launch, .requested(.acknowledge(id, open: []))))
            if case .concern(.fetch) = callback {
                queue.append(.app(launch, .requested(.eventHandled(id, .newData))))
            }
        case .launch(let launch, .freeze(let attempt)):
            queue.append(.process(launch, .froze(attempt: attempt, footprint: 1)))
        case .decided(.concern(.fetch(.offered(let app, _)))):
            let last = turns[app]?.last ?? asked[app] ?? .zero
            let waited = (now.wall - start) - last
            longest = max(longest, waited.rawValue / (interval(of: app).rawValue / 100))
            turns[app, default: []].append(now.wall - start)
        default: break
        }
    }
}
