import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Fair shares of the running transfers. Slow servers do not keep other apps out: the app with the smaller share gets
/// its turn.
@Suite struct TurnTests {
    /// A bench whose first app has taken all places with downloads that never end. The second app is in the foreground
    /// if `isFront`.
    private func taken(isFront: Bool) -> Bench {
        var bench = Bench(.iOS26, [.sample(1), .sample(2)])
        for number: Int32 in 1...2 {
            _ = bench.plays(.device(.appOpened(app(number))))
            for name in ["a", "b", "c"] { bench.open(name, by: launch(number)) }
        }
        if !isFront { _ = bench.plays(.device(.appOpened(app(1)))) }
        for name in ["a", "b", "c"] {
            for task: Int64 in 1...6 {
                bench.download(task, url: "https://drip.\(name).example/", on: name, by: launch(1))
            }
        }
        return bench
    }

    private func under(_ app: Int32, _ bench: Bench) -> [TransferID] {
        bench.device.transferSnapshots.filter { $0.id.session.app == AppID(app) && $0.state == .running }.map(\.id)
    }

    /// Reports that the engine has stopped each transfer that is to stop, with the received bytes.
    private func settle(_ bench: inout Bench) {
        while let task = bench.device.transferSnapshots.first(where: { $0.wait == .stop }) {
            bench.engineStops(task.id, checkpoint(10))
        }
    }

    /// Advances the clock, deadline by deadline.
    private func pass(_ span: Nanoseconds, _ bench: inout Bench) {
        let end = bench.now.awake + span
        while let next = bench.device.nextDeadline?.at, next <= end {
            _ = bench.passes(max(.zero, next - bench.now.awake))
            settle(&bench)
        }
        if bench.now.awake < end { _ = bench.passes(end - bench.now.awake) }
    }

    @Test func alone() {
        var bench = taken(isFront: true)
        #expect(under(1, bench).count == 16)
        let count = bench.effects.count
        pass(seconds(3600), &bench)
        #expect(bench.effects[count...].stopped.isEmpty, "no other app waits")
    }

    @Test(arguments: [true, false]) func anotherAppGetsItsTurn(isFront: Bool) {
        var bench = taken(isFront: isFront)
        let one = transfer(1, of: session(1, of: 2))
        bench.download(1, url: "https://news.example/", on: "a", by: launch(2))
        #expect(bench.wait(one) == .turn)
        let none = transfer(0)
        #expect(bench.device.nextDeadline == Deadline(at: bench.now.awake + seconds(60), reason: .transfer(none)))
        pass(seconds(59), &bench)
        #expect(!bench.isRunning(one))
        pass(seconds(1), &bench)
        #expect(bench.isRunning(one))
        let stopped = bench.effects.decisions.filter { if case .stopped = $0 { true } else { false } }
        #expect(stopped.count == 1, "only one transfer is stopped")
        #expect(bench.transfersOnDisk.values.count { $0.checkpoint == checkpoint(10) } == 1, "its checkpoint is stored")
        bench.finish(one)
        #expect(under(1, bench).count == 16)
    }

    /// A place that becomes free ends the wait, and with it its deadline.
    @Test func aFreePlaceEndsTheWait() {
        var bench = taken(isFront: false)
        for task in bench.device.transferSnapshots where task.state != .running {
            bench.act(.cancel(task.id.number, keepsPartial: false), on: "c")
        }
        bench.download(1, url: "https://news.example/", on: "a", by: launch(2))
        #expect(bench.device.nextDeadline?.reason == .transfer(transfer(0)))
        bench.finish(under(1, bench)[0])
        #expect(bench.isRunning(transfer(1, of: session(1, of: 2))))
        #expect(bench.device.nextDeadline?.reason != .transfer(transfer(0)))
    }

    /// The app that the user opens gets its share at once, also if it was on the screen before.
    @Test func anAppThatIsOpenedAgainGetsItsShare() {
        let policy = Policy.iOS26.with { ($0.transfersAtOnce, $0.transferTurn) = (4, seconds(1)) }
        var bench = Bench(policy, [.sample(1), .sample(2), .sample(3)])
        for number: Int32 in [1, 3] { _ = bench.plays(.device(.appOpened(app(number)))) }
        // The second app is still starting when the user opens the third again.
        for number: Int32 in [2, 3] { _ = bench.does(.device(.appOpened(app(number)))) }
        for number: Int32 in 1...3 { bench.open(by: launch(number)) }
        for (app, task): (Int32, Int64) in [(1, 1), (1, 2), (3, 1), (2, 1), (2, 2)] {
            bench.download(task, url: "https://\(app).example/\(task)", by: launch(app))
        }
        let count = bench.effects.count
        _ = bench.passes(seconds(2))
        #expect(bench.effects[count...].stopped.isEmpty)
        #expect(bench.effects(of: .device(.appOpened(app(2)))).stopped == [transfer(1)])
    }

    /// An app's sessions share its places.
    @Test func sessionsTakeTurns() {
        var bench = Bench(Policy.iOS26.with { $0.transfersAtOnce = 3 }, [.sample(1)])
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.does(.device(.networkChanged(isConnected: false)))
        for name in ["a", "b"] {
            bench.open(name)
            for task: Int64 in 1...3 { bench.download(task, on: name) }
        }
        let begun = bench.effects(of: .device(.networkChanged(isConnected: true))).begun
        #expect(begun == [transfer(1), transfer(1, of: session(2)), transfer(2)])
    }

    /// The foreground app may have half of the places. In the background two apps share the places equally.
    @Test(arguments: [true, false]) func bothHaveTheirShare(isFront: Bool) {
        var bench = taken(isFront: isFront)
        for name in ["a", "b", "c"] {
            for task: Int64 in 1...6 {
                bench.download(task, url: "https://\(name).example/\(task)", on: name, by: launch(2))
            }
        }
        pass(seconds(3600), &bench)
        #expect(under(1, bench).count == 8 && under(2, bench).count == 8)
        let count = bench.effects.count
        pass(seconds(3600), &bench)
        #expect(bench.effects[count...].stopped.isEmpty, "the distribution is stable")
    }

    /// A transfer that would have to begin again makes way last.
    @Test func resumableTransfersArePreemptedFirst() {
        var bench = taken(isFront: false)
        for id in under(1, bench) {
            bench.tell(.progressed(id, attempt: bench.attempt(id), received: 1, expected: nil))
        }
        let lucky = transfer(3, of: session(2, of: 1))
        bench.tell(.checkpointed(lucky, attempt: bench.attempt(lucky), checkpoint(60)))
        bench.download(1, url: "https://news.example/", on: "a", by: launch(2))
        let count = bench.effects.count
        pass(seconds(60), &bench)
        #expect(bench.effects[count...].stopped == [lucky])
    }

    /// More apps than places, and transfers that never end: each app repeatedly gets its turn.
    @Test func moreAppsThanPlaces() {
        let apps: ClosedRange<Int32> = 1...5
        var bench = Bench(Policy.iOS26.with { $0.transfersAtOnce = 2 }, apps.map { .sample(Int($0)) })
        for number in apps {
            _ = bench.plays(.device(.appOpened(app(number))))
            bench.open("s", by: launch(number))
            for task: Int64 in 1...2 {
                bench.download(task, url: "https://\(number).example/\(task)", on: "s", by: launch(number))
            }
        }
        _ = bench.plays(.device(.homePressed))
        for _ in 0..<3 {
            let count = bench.effects.count
            pass(seconds(600), &bench)
            let begun = Set(bench.effects[count...].begun.map(\.session.app))
            #expect(begun == Set(apps.map { AppID($0) }))
        }
    }

    @Test func forcedTransfersAreNotPreempted() {
        var bench = taken(isFront: false)
        for id in under(1, bench) { bench.handle(.concern(.transfer(.userAction(id, .pause)))) }
        settle(&bench)
        let all = bench.device.transferSnapshots.map(\.id).filter { $0.session.app == AppID(1) }
        for id in all { bench.handle(.concern(.transfer(.userAction(id, .now)))) }
        #expect(under(1, bench).count == 18)
        bench.download(1, url: "https://news.example/", on: "a", by: launch(2))
        let count = bench.effects.count
        pass(seconds(600), &bench)
        #expect(bench.effects[count...].stopped.isEmpty)
    }
}
