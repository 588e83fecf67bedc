import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The receiver is on only while an app needs a position.
@Suite struct LocationReceiverTests {
    /// A bench in which the app may use the location, is active, and no position is known.
    private static func bench(_ permission: LocationPermission = .whenInUse, _ policy: Policy = .iOS26) -> Bench {
        var bench = Bench(policy)
        _ = bench.permits(permission)
        _ = bench.plays(.device(.appOpened(app(1))))
        return bench
    }

    // MARK: Standard updates

    @Test func r151UpdatesInUseNeedTheReceiver() {
        var bench = Self.bench()
        #expect(bench.switches { $0.asks(.setUpdates(StandardUpdates())) } == "on for app 1")
        #expect(bench.switches { $0.moves(20) } == "")
        #expect(bench.switches { $0.asks(.setUpdates(StandardUpdates(distanceFilter: 10))) } == "")
        #expect(bench.device.nextDeadline == nil, "nothing wakes the system while the receiver is on")
        #expect(bench.switches { $0.asks(.setUpdates(nil)) } == "")
        #expect(bench.device.nextDeadline == Deadline(at: at(2), reason: .location))
        #expect(bench.switches { $0.waits(seconds(2)) } == "off, was on for app 1")
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func r151WithoutPermissionTheReceiverIsOff() {
        for permission in [LocationPermission.ask, .deny] {
            var bench = Self.bench(permission)
            #expect(bench.switches { $0.asks(.setUpdates(StandardUpdates())) } == "")
            #expect(bench.switches { $0.asks(.setChangeMonitoring(true)) } == "")
        }
        var bench = Self.bench(.ask)
        _ = bench.asks(.setUpdates(StandardUpdates()))
        #expect(bench.switches { $0.permits(.whenInUse) } == "on for app 1")
        #expect(bench.switches { $0.permits(.deny) + $0.waits(seconds(2)) } == "off, was on for app 1")
    }

    @Test func r151ABackgroundAppNeedsItOnlyWithAlwaysAndWhileItRuns() {
        var bench = Self.bench(.whenInUse)
        _ = bench.asks(.setUpdates(StandardUpdates()))
        #expect(bench.switches { $0.locates(.device(.homePressed)) + $0.waits(seconds(2)) } == "off, was on for app 1")
        #expect(bench.switches { $0.permits(.always) } == "", "the app is suspended")
        #expect(bench.switches { $0.locates(.device(.appOpened(app(1)))) } == "on for app 1")
    }

    /// The end of the app, its removal and the system's end switch the receiver off.
    @Test(arguments: [
        Event.device(.appForceQuit(app(1))), .device(.appUninstalled(app(1))),
        .process(launch(1), .exited(.exited(code: 1))),
    ]) func r151TheEndOfTheAppEndsTheNeed(_ event: Event) {
        var bench = Self.bench()
        _ = bench.asks(.setUpdates(StandardUpdates()))
        #expect(bench.switches { $0.locates(event) + $0.waits(seconds(10)) }.hasPrefix("off"))
    }

    /// gpsd closes the receiver a minute after the last client has left.
    @Test func r151ItIsSwitchedOffOnceAMinute() {
        var bench = Self.bench()
        for round in 0..<3 {
            #expect(bench.switches { $0.asks(.setUpdates(StandardUpdates())) } == (round < 2 ? "on for app 1" : ""))
            _ = bench.asks(.setUpdates(nil))
            let off = bench.switches { $0.waits(seconds(2)) }
            #expect(off == (round == 0 ? "off, was on for app 1" : ""), "\(round)")
        }
        #expect(bench.device.nextDeadline == Deadline(at: at(62), reason: .location))
        #expect(bench.switches { $0.waits(seconds(56)) } == "off, was on for app 1")
    }

    // MARK: A source that ends

    /// The waits in seconds before the next attempts at a source that always ends.
    private static func waits(_ bench: inout Bench, _ count: Int) -> [Int64] {
        var waits: [Int64] = []
        for _ in 0..<count {
            let before = bench.core.now.awake
            guard let next = bench.device.nextDeadline, next.reason == .location else { break }
            waits.append((next.at - before).rawValue / 1_000_000_000)
            #expect(bench.switches { $0.waits(next.at - before) } == "on for app 1")
            #expect(bench.locates(.concern(.location(.receiverEnded("refused")))) == "", "it is told once")
        }
        return waits
    }

    @Test func r151ASourceThatEndsIsTriedAgainMoreAndMoreSeldom() {
        var bench = Self.bench()
        _ = bench.asks(.setUpdates(StandardUpdates()))
        let news = bench.locates(.concern(.location(.receiverEnded("refused"))))
        #expect(news == "1.1 failed: unknown")
        #expect(Self.waits(&bench, 8) == [1, 2, 4, 8, 16, 32, 60, 60])
        _ = bench.waits(seconds(60))
        #expect(bench.moves(20) == "1.1 updates 20")
        #expect(bench.locates(.concern(.location(.receiverEnded("gone")))) == "", "one position is not enough")
        _ = bench.waits(seconds(60))
        _ = bench.waits(seconds(60))
        #expect(bench.moves(40) == "1.1 updates 40")
        #expect(
            bench.locates(.concern(.location(.receiverEnded("gone")))) == "1.1 failed: unknown", "it worked meanwhile")
        #expect(bench.switches { $0.waits(seconds(1)) } == "on for app 1")
    }

    @Test func r151ForSignificantChangesTheWaitsAreLonger() {
        var bench = Self.bench()
        _ = bench.asks(.setChangeMonitoring(true))
        _ = bench.locates(.concern(.location(.receiverEnded("refused"))))
        #expect(Self.waits(&bench, 12) == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600])
    }

    /// An app that waits for a position does not wait for the long pause that was enough for significant changes.
    @Test func r151ForUpdatesTheNextAttemptComesEarlier() {
        var bench = Self.bench(.always)
        _ = bench.asks(.setChangeMonitoring(true))
        _ = bench.locates(.concern(.location(.receiverEnded("refused"))))
        _ = Self.waits(&bench, 9)
        _ = bench.asks(.setUpdates(StandardUpdates()))
        #expect(Self.waits(&bench, 2) == [60, 60])
    }

    @Test func r151ALateEndIsIgnored() {
        var bench = Self.bench()
        #expect(bench.switches { $0.locates(.concern(.location(.receiverEnded("late")))) } == "")
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func r151WithoutANeedThereIsNoFurtherAttempt() {
        var bench = Self.bench()
        _ = bench.asks(.setUpdates(StandardUpdates()))
        #expect(
            bench.switches { $0.locates(.concern(.location(.receiverEnded("refused")))) } == "ended for app 1: refused")
        _ = bench.asks(.setUpdates(nil))
        #expect(bench.device.nextDeadline == nil)
        #expect(bench.switches { $0.waits(seconds(600)) } == "")
    }

    /// An app that starts and stops again and again causes no further attempts.
    @Test func r151ANewStartDoesNotTryEarlier() {
        var bench = Self.bench()
        for _ in 0..<3 {
            _ = bench.asks(.setUpdates(StandardUpdates()))
            _ = bench.waits(seconds(600))
            _ = bench.locates(.concern(.location(.receiverEnded("refused"))))
            _ = bench.asks(.setUpdates(nil))
        }
        for _ in 0..<10 {
            #expect(bench.switches { $0.asks(.setUpdates(StandardUpdates())) } == "")
            _ = bench.asks(.setUpdates(nil))
        }
        #expect(bench.switches { $0.waits(seconds(4)) } == "")
        #expect(bench.switches { $0.asks(.setUpdates(StandardUpdates())) } == "on for app 1")
    }

    /// After a long time without a need, the attempts begin with the shortest wait again.
    @Test func r151FailuresAreForgotten() {
        var bench = Self.bench()
        _ = bench.asks(.setUpdates(StandardUpdates()))
        _ = bench.locates(.concern(.location(.receiverEnded("refused"))))
        #expect(Self.waits(&bench, 4) == [1, 2, 4, 8])
        _ = bench.asks(.setUpdates(nil))
        _ = bench.waits(seconds(16 + 600))
        #expect(bench.switches { $0.asks(.setUpdates(StandardUpdates())) } == "on for app 1")
        _ = bench.locates(.concern(.location(.receiverEnded("refused"))))
        #expect(Self.waits(&bench, 1) == [1])
    }

    /// The app was removed, and the source ends before the receiver is switched off.
    @Test func r151ASourceThatEndsAfterTheAppLeavesNoDeadline() {
        var bench = Self.bench()
        _ = bench.asks(.setUpdates(StandardUpdates()))
        _ = bench.plays(.device(.appUninstalled(app(1))))
        #expect(bench.device.nextDeadline?.reason == .location)
        #expect(bench.switches { $0.locates(.concern(.location(.receiverEnded("gone")))) } == "")
        #expect(bench.device.nextDeadline == nil)
    }

    // MARK: Significant changes

    /// A walk at 1.4 m/s: the receiver is on for a moment at each change, and each change is 500 to 600 m from the last.
    @Test func r151AtAWalkTheReceiverRestsMostOfTheTime() {
        var bench = Self.bench(.always)
        _ = bench.asks(.setChangeMonitoring(true))
        _ = bench.moves(0)
        _ = bench.plays(.device(.homePressed))
        var (onFor, isOn, changes) = (0, true, [Int32]())
        for second in 1...Int32(7_200) {
            let news = bench.switches { $0.waits(seconds(1)) }
            isOn = news.hasPrefix("on") || isOn && !news.contains("off")
            guard isOn else { continue }
            onFor += 1
            // A receiver finds a position each second. 126 units of latitude are 1.4 m.
            let fix = LocationFix(latitude: second * 126, longitude: 0, accuracy: 500, time: start)
            let told = bench.locates(.concern(.location(.moved(fix ?? .north(0)))))
            if told.contains("changes") { changes.append(second * 140) }
        }
        let steps = zip(changes.dropFirst(), changes).map { $0 - $1 }
        #expect(changes.count >= 17)
        #expect(steps.dropFirst().allSatisfy { (50_000...60_000).contains($0) }, "\(steps)")
        // Each time gpsd leaves the receiver on for 61 s more.
        #expect(onFor + 61 * changes.count < 7_200 / 5 + 120, "\(onFor) s")
    }

    /// A device that lies on a table looks once in ten minutes.
    @Test func r151AtRestTheReceiverLooksEveryTenMinutes() {
        var bench = Self.bench(.always)
        _ = bench.asks(.setChangeMonitoring(true))
        _ = bench.moves(0)
        _ = bench.plays(.device(.homePressed))
        #expect(bench.switches { $0.waits(seconds(299)) } == "off, was on for app 1")
        #expect(bench.switches { $0.waits(seconds(1)) } == "on for app 1")
        #expect(bench.switches { $0.moves(100) + $0.waits(seconds(599)) } == "off, was on for app 1")
        #expect(bench.switches { $0.waits(seconds(1)) } == "on for app 1")
    }

    /// Without a position, the receiver rests after a minute.
    @Test func r151WithoutAPositionTheReceiverRests() {
        var bench = Self.bench(.always)
        #expect(bench.switches { $0.asks(.setChangeMonitoring(true)) } == "on for app 1")
        _ = bench.plays(.device(.homePressed))
        #expect(bench.switches { $0.waits(seconds(61)) } == "")
        #expect(bench.switches { $0.waits(seconds(1)) } == "off, was on for app 1")
        #expect(bench.switches { $0.waits(seconds(597)) } == "")
        #expect(bench.switches { $0.waits(seconds(1)) } == "on for app 1")
        #expect(bench.moves(0).contains("1.1 changes 0"))
    }

    @Test func r151AfterARestartTheReceiverLooksAtOnce() {
        var bench = Bench.monitoring()
        _ = bench.restarts()
        #expect(
            bench.switches {
                _ = $0.plays(); return $0.waits(.zero)
            } == "on for app 1")
        #expect(bench.switches { $0.locates(.device(.shutdownBegan)) + $0.waits(seconds(2)) }.contains("off"))
    }

    /// While another app needs the receiver, no rest wakes the system.
    @Test func r151AnotherAppsUpdatesCount() {
        var bench = Bench.monitoring()
        _ = bench.permits(.whenInUse, 2)
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(
            bench.switches { $0.asks(.setUpdates(StandardUpdates()), LaunchID(app: app(2), number: 1)) }
                == "on for app 2")
        #expect(bench.device.nextDeadline == nil)
        #expect(bench.switches { $0.waits(seconds(3_600)) } == "")
        #expect(bench.moves(50_000).contains("1.1 changes 50000"))
    }
}

extension Bench {
    /// The switches of the receiver because of an act, a line each. Every switch has its decision.
    mutating func switches(_ act: (inout Bench) -> String) -> String {
        let count = effects.count
        _ = act(&self)
        var (lines, switches): ([String], [Bool]) = ([], [])
        for effect in effects[count...] {
            switch effect {
            case .decided(.concern(.location(.receiverOn(let app)))): lines.append("on for \(app)")
            case .decided(.concern(.location(.receiverOff(let app)))): lines.append("off, was on for \(app)")
            case .decided(.concern(.location(.receiverEnded(let app, let reason)))):
                lines.append("ended for \(app): \(reason)")
            case .concern(.location(.setReceiver(let isOn))):
                switches.append(isOn)
                if lines.count(where: { $0.hasPrefix("o") }) < switches.count { lines.append(isOn ? "on" : "off") }
            default: break
            }
        }
        return lines.joined(separator: "\n")
    }
}
