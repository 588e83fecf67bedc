import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Requests for one position.
@Suite struct LocationRequestTests {
    /// A bench whose first app is active and may use the location, which is not known.
    private static func lost(_ permission: LocationPermission = .whenInUse) -> Bench {
        var bench = Bench.with(.active)
        _ = bench.permits(permission)
        return bench
    }

    private static func receiver(_ bench: Bench) -> Bool? {
        bench.effects.compactMap { if case .concern(.location(.setReceiver(let isOn))) = $0 { isOn } else { nil } }.last
    }

    @Test func r135TheKnownPositionAnswersOnce() {
        var bench = Bench.locating()
        #expect(bench.asks(.requestLocation(true)) == "· 1.1 requests\n· 1.1 located\n1.1 located 0")
        #expect(bench.moves(20) == "", "no further position")
        #expect(Self.receiver(bench) == nil, "the receiver is not needed")
        #expect(bench.asks(.requestLocation(true)) == "· 1.1 requests\n· 1.1 located\n1.1 located 20")
    }

    @Test func r135WithoutAPositionTheNextOneAnswers() {
        var bench = Self.lost()
        #expect(bench.asks(.requestLocation(true)) == "· 1.1 requests")
        #expect(Self.receiver(bench) == true)
        #expect(bench.waits(.seconds(9)) == "")
        #expect(bench.moves(20) == "· 1.1 located\n1.1 located 20")
        #expect(bench.waits(.seconds(60)) == "")
        #expect(Self.receiver(bench) == false)
    }

    @Test func r135WithoutAnyPositionTheRequestFailsAfterAWhile() {
        var bench = Self.lost()
        _ = bench.asks(.requestLocation(true))
        #expect(bench.waits(.seconds(10)) == "· 1.1 located, unknown\n1.1 located nowhere")
        #expect(bench.moves(20) == "")
    }

    /// The receiver has been off since it found the position.
    @Test func r135AnOldPositionAnswersAfterAWhile() {
        var bench = Self.lost()
        _ = bench.asks(.setUpdates(StandardUpdates()))
        _ = bench.waits(.seconds(1))
        _ = bench.moves(20)
        _ = bench.asks(.setUpdates(nil))
        _ = bench.waits(.seconds(100))
        #expect(Self.receiver(bench) == false)
        #expect(bench.asks(.requestLocation(true)) == "· 1.1 requests")
        #expect(Self.receiver(bench) == true)
        #expect(bench.waits(.seconds(10)) == "· 1.1 located\n1.1 located 20")
        // The source may also end by itself.
        _ = bench.moves(30)
        _ = bench.locates(.concern(.location(.receiverEnded("gone"))))
        #expect(bench.asks(.requestLocation(true)) == "· 1.1 requests")
        #expect(bench.moves(40) == "· 1.1 located\n1.1 located 40")
    }

    /// A clock that is set makes no position newer.
    @Test func r135ASetClockMakesNoPositionNew() {
        var bench = Self.lost()
        _ = bench.asks(.setUpdates(StandardUpdates()))
        _ = bench.waits(.seconds(1))
        _ = bench.moves(20)
        bench.now.wall += .seconds(3600)
        _ = bench.plays(.device(.clockWasSet))
        _ = bench.asks(.setUpdates(nil))
        _ = bench.waits(.seconds(100))
        #expect(Self.receiver(bench) == false)
        #expect(bench.asks(.requestLocation(true)) == "· 1.1 requests")
    }

    @Test func r135TheTimeCountsWhileTheAppMayReceiveIt() {
        var bench = Self.lost(.ask)
        _ = bench.asks(.requestLocation(true))
        #expect(bench.waits(.seconds(60)) == "")
        #expect(Self.receiver(bench) == nil)
        #expect(bench.permits(.whenInUse).hasSuffix("1.1 called for whenInUse"))
        #expect(bench.waits(.seconds(5)) == "")
        _ = bench.plays(.device(.homePressed))
        #expect(bench.waits(.seconds(60)) == "")
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.waits(.seconds(9)) == "")
        #expect(bench.waits(.seconds(1)) == "· 1.1 located, unknown\n1.1 located nowhere")
    }

    @Test func r135AnAppHasOneRequestAtATime() {
        var bench = Self.lost()
        _ = bench.asks(.requestLocation(true))
        #expect(bench.asks(.requestLocation(true)) == "")
        #expect(bench.asks(.requestLocation(false)) == "· 1.1 cancels")
        #expect(bench.asks(.requestLocation(false)) == "")
        #expect(bench.moves(20) == "")
        #expect(Self.receiver(bench) == true)
        _ = bench.waits(.seconds(2))
        #expect(Self.receiver(bench) == false)
    }

    @Test func r134ADenialFailsTheRequest() {
        var bench = Self.lost()
        _ = bench.asks(.requestLocation(true))
        #expect(
            bench.permits(.deny)
                == "· app 1 may: deny\nstore app 1: deny\n1.1 called for deny\n· 1.1 denied\n1.1 failed: denied")
        #expect(bench.asks(.requestLocation(true)) == "· 1.1 denied\n1.1 failed: denied")
        #expect(bench.waits(.seconds(60)) == "")
    }

    @Test func r135ASetClockBeginsTheTimeAgain() {
        var bench = Self.lost()
        _ = bench.asks(.requestLocation(true))
        _ = bench.waits(.seconds(9))
        bench.now.wall += .seconds(3600)
        #expect(bench.locates(.device(.clockWasSet)) == "")
        #expect(bench.waits(.seconds(9)) == "")
        #expect(bench.waits(.seconds(1)) == "· 1.1 located, unknown\n1.1 located nowhere")
    }
}
