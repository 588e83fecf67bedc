import LifeCycleModel
import LifeCyclePolicy
import Testing

/// Learned facts about an app that fetches: the times of use, and the results and costs of its fetches (R-89,
///
@Suite struct FetchLearningTests {
    private static let hour = seconds(3600)
    private static let day = seconds(86_400)

    /// One app that fetches and answers at once, on a device whose clocks begin at midnight.
    private struct Days {
        var device = Device(policy: .iOS26, apps: [], launches: [])
        var now = Moment(awake: seconds(1000), elapsed: seconds(1000), wall: seconds(1_800_057_600))
        /// The wall-clock times of its fetches.
        var turns: [Nanoseconds] = []
        var record: FetchRecord?
        /// The duration and the result of each fetch.
        var answer: (time: Nanoseconds, result: BackgroundFetchResult) = (.zero, .newData)
        var decisions: [FetchDecision] = []
        private var queue: [Event] = []
        private var open: CallbackID?

        init(interval: Nanoseconds, zone: ZoneRules = .utc) {
            play(.device(.zoneChanged("here", zone)))
            play(.device(.appInstalled(app(1), .sample(1, modes: [.fetch]))))
            play(.device(.wakeOccurred(app(1), .backgroundFetch)))
            play(.app(launch(1), .requested(.concern(.fetch(.setMinimumInterval(interval))))))
        }

        mutating func play(_ event: Event) {
            queue.append(event)
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
                if case .concern(.fetch) = callback { open = id }
            case .launch(let launch, .freeze(let attempt)):
                queue.append(.process(launch, .froze(attempt: attempt, footprint: 1)))
            case .decided(.concern(.fetch(let decision))):
                decisions.append(decision)
                if case .offered = decision { turns.append(now.wall) }
            case .store(.concern(.fetch(.client(let record)))): self.record = record
            default: break
            }
        }

        private mutating func finish(_ time: Nanoseconds) {
            guard let callback = open else { return }
            open = nil
            now = now.advanced(by: time)
            play(.app(launch(1), .requested(.eventHandled(callback, answer.result))))
        }

        mutating func advance(to wall: Nanoseconds) {
            finish(answer.time)
            while let deadline = device.nextDeadline, deadline.at - now.awake <= wall - now.wall {
                now = now.advanced(by: max(.zero, deadline.at - now.awake))
                play(.deadlineReached)
                finish(answer.time)
            }
            now = now.advanced(by: max(.zero, wall - now.wall))
        }

        /// The user opens the app at this time on each of `days` days, and leaves it after a minute. Returns the age of
        /// the content at each opening.
        mutating func person(opensAt time: Nanoseconds, days: Int64) -> [Nanoseconds] {
            let midnight = Nanoseconds(
                now.wall.rawValue / FetchLearningTests.day.rawValue * FetchLearningTests.day.rawValue)
            return (0..<days).compactMap { number in
                advance(to: midnight + seconds(number * 86_400) + time)
                let age = turns.last.map { now.wall - $0 }
                play(.device(.appOpened(app(1))))
                advance(to: now.wall + seconds(60))
                play(.device(.homePressed))
                return age
            }
        }
    }

    /// After the user has opened the app three times at seven, its content is new shortly before seven.
    @Test func fetchesComeBeforeTheUsualHourOfUse() throws {
        var days = Days(interval: Self.hour)
        let ages = days.person(opensAt: seconds(7 * 3600 + 600), days: 30)
        #expect(days.record?.usage?.hours[7] == 30)
        let learned = ages.dropFirst(4)
        // The fetch is at five to seven, or at most its interval earlier.
        #expect(learned.allSatisfy { $0 <= seconds(15 * 60) + Self.hour })
        let mean = learned.map(\.rawValue).reduce(0, +) / Int64(learned.count)
        #expect(learned.count { $0 == seconds(15 * 60) } * 3 >= learned.count, "\(learned)")
        #expect(mean <= Self.hour.rawValue * 4 / 5, "\(mean)")
        for (before, after) in zip(days.turns, days.turns.dropFirst()) {
            #expect(after - before >= Self.hour)
        }
    }

    /// The hours are by the device's clocks.
    @Test func theHoursAreThoseOfItsZone() {
        let east = ZoneRules(footer: ZoneFooter(standard: 9 * 3600))
        var days = Days(interval: Self.hour, zone: east)
        _ = days.person(opensAt: seconds(3 * 3600), days: 12)
        #expect(days.record?.usage?.hours[12] == 12)
        #expect(days.turns.contains { ($0.rawValue / 1_000_000_000) % 86_400 == 3 * 3600 - 300 })
    }

    /// Several openings in one hour count once, and two openings are no habit.
    @Test func twoOpeningsAreNoHabit() {
        var usage = AppUsage()
        for hour in [Int64(7), 7, 7, 31] { usage.opened(inHour: hour) }
        #expect(usage.hours[7] == 2 && usage.habit(in: 48...71) == nil)
        usage.opened(inHour: 55)
        #expect(usage.habit(in: 56...100) == 79)
        #expect(usage.habit(in: 56...78) == nil)
        // Openings at every hour of the day are no habit.
        for hour in Int64(100)...171 { usage.opened(inHour: hour) }
        #expect(usage.habit(in: 200...300) == nil)
        #expect(usage.hours.allSatisfy { $0 <= 4 }, "older openings count less")
        // Hours before 1970 are negative.
        usage.opened(inHour: -1)
        #expect(usage.newest == -1)
    }

    /// Fetches that bring no data are reduced sooner if they take long.
    @Test(arguments: [(0, 7), (9, 7), (10, 3), (25, 2)]) func slowUnproductiveFetchesAreReducedSooner(
        time: Int64, count: Int
    ) {
        var days = Days(interval: Self.hour)
        days.answer = (seconds(time), .noData)
        var tries = 0
        while days.record?.unproductive ?? 0 < 8, tries < 20 {
            tries += 1
            days.advance(to: days.now.wall + .milliseconds(1))
            let turns = days.turns.count
            while days.turns.count == turns { days.advance(to: days.now.wall + seconds(600)) }
        }
        // The fetch that launched the app is not counted.
        #expect(tries == count)
    }

    /// An app that has used up the daily fetch time does not fetch until the day is over. The decision is recorded for
    /// the user, and the app is not notified.
    @Test func anAppThatSpentItsDailyTimeWaitsForTheNextDay() throws {
        var days = Days(interval: .zero)
        days.answer = (seconds(29), .newData)
        let begun = days.now.wall
        days.advance(to: begun + Self.day)
        let spent = days.decisions.compactMap { if case .spent(_, let until) = $0 { until } else { nil } }
        let until = try #require(spent.first)
        #expect(spent.count == 1)
        let turns = days.turns.filter { $0 < until }
        // 32 fetches of 29 s use up 15 minutes.
        #expect((31...32).contains(turns.count), "\(turns.count)")
        days.advance(to: begun + Self.day + Self.day)
        let next = try #require(days.turns.first { $0 > turns.last ?? .zero })
        #expect(next >= until && next < until + Self.hour)
    }
}
