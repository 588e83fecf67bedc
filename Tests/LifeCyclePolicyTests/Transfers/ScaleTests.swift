import FoundationEssentials
import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// Collections for a hundred thousand tasks. Collections with the same content are equal.
@Suite struct ScaleTests {
    @Test(arguments: 1...20) func aSortedMapIsAMap(seed: Int) throws {
        var dice = Dice(seed: seed)
        var map = SortedMap<Int, Int>()
        var plain: [Int: Int] = [:]
        for step in 0..<3000 {
            let key = step < 1500 ? dice.below(800) : dice.below(800) + (seed % 2 == 0 ? 0 : step)
            switch dice.below(step < 1500 ? 3 : 5) {
            case 0, 1:
                map.set(step, for: key)
                plain[key] = step
            default: #expect(map.remove(key) == plain.removeValue(forKey: key))
            }
            #expect(map.count == plain.count)
        }
        #expect(map.keys == plain.keys.sorted())
        for (key, value) in map { #expect(plain[key] == value && map[key] == value) }
        for probe in 0..<900 { #expect(map.first(from: probe)?.key == plain.keys.filter { $0 >= probe }.min()) }
        #expect(map.first?.key == plain.keys.min() && map.last?.key == plain.keys.max())
        var rebuilt = SortedMap<Int, Int>()
        for key in plain.keys.sorted() { rebuilt.set(plain[key] ?? 0, for: key) }
        #expect(rebuilt == map && rebuilt.hashValue == map.hashValue)
        #expect(try JSONDecoder().decode(SortedMap<Int, Int>.self, from: JSONEncoder().encode(map)) == map)
        rebuilt.set(-1, for: 5)
        #expect(rebuilt != map)
    }

    @Test func aQueueGivesTheFirstThatMayBegin() {
        var queue = TransferQueue(limit: 1)
        let lane = { TransferQueue.Lane(host: $0, need: $1) }
        let place = { TransferQueue.Place(rank: $0, number: $1) }
        queue.insert(place(-5, 9), in: lane("a", .network))
        queue.insert(place(-5, 3), in: lane("a", .wifi))
        queue.insert(place(-9, 8), in: lane("b", .discretion))
        #expect(queue.best(of: [.network, .wifi]) == 3)
        #expect(queue.best(of: TransferNeed.allCases) == 8)
        queue.began(at: "a")
        #expect(queue.best(of: [.network, .wifi]) == nil)
        queue.remove(place(-5, 3), from: lane("a", .wifi))
        queue.ended(at: "a")
        #expect(queue.best(of: [.network, .wifi]) == 9)
        #expect(queue.best(of: []) == nil)
    }

    /// A view of the tasks gets a page at a time, of one app or of all apps.
    @Test(arguments: 1...7) func tasksAreListedInPages(limit: Int) {
        var bench = Bench.with(.active)
        for (name, numbers) in [("a", 1...2 as ClosedRange<Int64>), ("b", 5...6)] {
            bench.open(name)
            for number in numbers { bench.download(number, on: name) }
        }
        _ = bench.plays(.device(.appOpened(app(2))))
        bench.open(by: launch(2))
        for number in 1...2 as ClosedRange<Int64> { bench.download(number, by: launch(2)) }
        let all = bench.device.transferSnapshots.map(\.record.id)
        #expect(all.count == 6 && all == all.sorted())
        for app in [nil, app(1), app(2), app(3)] {
            var pages: [TransferID] = []
            while true {
                let page = bench.device.transferSnapshots(of: app, after: pages.last, limit: limit)
                #expect(page.count <= limit)
                if page.isEmpty { break }
                pages += page.map(\.record.id)
            }
            #expect(pages == all.filter { app == nil || $0.session.app == app })
        }
    }

    /// Thousands of tasks of one app: sixteen run at a time, and each delivered task makes room for another.
    @Test func manyTasksOfOneApp() {
        var device = Device()
        var effects: [Effect] = []
        let now = Moment.zero.advanced(by: .seconds(1000))
        func handle(_ event: Event) {
            effects.removeAll(keepingCapacity: true)
            device.handle(event, at: now, into: &effects)
        }
        func act(_ act: TransferAct) { handle(.app(launch(1), .requested(.concern(.transfer(named(), act))))) }
        handle(.device(.appInstalled(app(1), .sample(1))))
        handle(.device(.appOpened(app(1))))
        handle(.process(launch(1), .started))
        handle(.app(launch(1), .attached(.new)))
        act(.open(TransferSessionConfiguration()))
        let count: Int64 = 5000
        for number in 1...count {
            act(.make(NewTransfer(number: number, request: TransferRequest(url: "https://h\(number % 50)/\(number)"))))
            act(.resume(number))
        }
        #expect(device.concerns.transfers.active.count == 16)
        var delivered = 0
        while let id = device.concerns.transfers.active.first, delivered < 1000 {
            guard let attempt = device.transferSnapshot(of: id)?.attempt else { break }
            handle(.concern(.transfer(.reported(.completed(id, attempt: attempt, response, size: 1)))))
            handle(.concern(.transfer(.reported(.moved(id, errno: nil)))))
            act(.acknowledge([id.number]))
            delivered += 1
        }
        #expect(delivered == 1000)
        #expect(device.transferSnapshots.count == Int(count) - delivered)
        #expect(device.concerns.transfers.active.count == 16)
    }
}
