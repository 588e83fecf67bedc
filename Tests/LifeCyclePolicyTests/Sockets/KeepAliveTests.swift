import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Keep-alive handlers: their times, calls and ends.
@Suite struct KeepAliveTests {
    private static let due = "· 1.1 keep-alive due\nthaw 1.1\n1.1 keep-alive"
    private static let ten = SocketRequest.setKeepAlive(.seconds(600))

    /// An app that is to be called every ten minutes is suspended at the start.
    private static func alive() -> Bench {
        var bench = Bench.calling(.active)
        _ = bench.wants(ten)
        _ = bench.plays(.device(.homePressed))
        return bench
    }

    /// The deadline for the next call, in seconds after the start.
    private static func deadline(_ count: Int64) -> Deadline { Deadline(at: at(count), reason: .keepAlive) }

    // MARK: Calls

    @Test func r170TheHandlerIsCalledInTime() {
        var bench = Bench.calling(.active)
        #expect(bench.wants(Self.ten) == "· 1.1 keep-alive 600 s")
        #expect(bench.socketsOnDisk == "1.1: keep-alive 600 s")
        #expect(bench.nets(.device(.homePressed)) == "freeze 1.1")
        #expect(bench.device.nextDeadline == Self.deadline(590), "ten seconds are left for the handler")
        #expect(bench.idles(.milliseconds(589_999)) == "")
        let count = bench.effects.count
        #expect(bench.idles(.milliseconds(1)) == Self.due)
        #expect(bench.effects[count...].callbacks == [.concern(.socket(.keepAlive))])
        #expect(bench.state(1) == .background && bench.assertions(1) == [.wake])
        #expect(bench.idles(.seconds(10)) == "freeze 1.1")
        #expect(bench.idles(.milliseconds(579_999)) == "")
        #expect(bench.idles(.milliseconds(1)) == Self.due, "again")
    }

    @Test func r170TheIntervalBeginsInTheBackground() {
        var bench = Bench.calling(.active)
        _ = bench.wants(Self.ten)
        #expect(bench.idles(.seconds(3600)) == "", "a foreground app is not called")
        _ = bench.plays(.device(.homePressed))
        #expect(bench.device.nextDeadline == Self.deadline(3600 + 590))
        #expect(bench.idles(.seconds(500)) == "")
        #expect(bench.nets(.device(.appOpened(app(1)))) == "thaw 1.1")
        #expect(bench.nets(.device(.homePressed)) == "freeze 1.1")
        #expect(bench.device.nextDeadline == Self.deadline(4100 + 590))
    }

    /// The shortest interval is so short here that the app's task has not expired.
    @Test func r170ARunningAppIsCalled() {
        var bench = Bench.calling(.active, .iOS26.with { $0.keepAliveFloor = .seconds(20) })
        _ = bench.wants(.setKeepAlive(.seconds(20)))
        bench.toBackground()
        #expect(bench.idles(.milliseconds(17_999)) == "")
        #expect(bench.idles(.milliseconds(1)) == "· 1.1 keep-alive due\n1.1 keep-alive", "after nine tenths")
        #expect(bench.assertions(1) == [.wake, .task(TaskID(1))])
    }

    /// The second app follows the first one after `gap` seconds. Nine tenths of its interval may be over by then.
    @Test(arguments: [(50, true), (51, false)]) func r170HandlersAreCalledTogether(gap: Int64, areTogether: Bool) {
        var bench = Bench(.iOS26, [.sample(1, modes: [.voip]), .sample(2, modes: [.voip])])
        for number in Int32(1)...2 {
            _ = bench.plays(.device(.appOpened(app(number))))
            _ = bench.wants(Self.ten, launch(number))
            _ = bench.plays(.device(.homePressed))
            if number == 1 { #expect(bench.idles(.seconds(gap)) == "") }
        }
        #expect(bench.idles(.milliseconds((590 - gap) * 1000 - 1)) == "")
        let other = "\n· 2.1 keep-alive due\nthaw 2.1\n2.1 keep-alive"
        #expect(bench.idles(.milliseconds(1)) == Self.due + (areTogether ? other : ""))
        let frozen = bench.idles(.seconds(10)).split(separator: "\n").sorted()
        #expect(frozen == (areTogether ? ["freeze 1.1", "freeze 2.1"] : ["freeze 1.1"]))
        #expect(bench.device.nextDeadline == Self.deadline(areTogether ? 1180 : 590 + gap))
    }

    @Test func r124ARefusedCallIsSkipped() {
        var bench = Self.alive()
        _ = bench.plays(.device(.settingChanged(.passcode(true))))
        _ = bench.plays(.device(.deviceStarted))
        for _ in 1...2 { #expect(bench.idles(.seconds(590)) == "· app 1 no voip: notUnlockedSinceStart") }
        #expect(bench.nets(.device(.deviceUnlocked)) == "")
        #expect(bench.idles(.milliseconds(589_999)) == "")
        #expect(bench.idles(.milliseconds(1)) == Self.due)
    }

    // MARK: Requests

    @Test func r170AShortIntervalIsRefused() {
        var bench = Bench.calling(.active)
        #expect(bench.wants(.setKeepAlive(.milliseconds(599_999))) == "· 1.1 ignored, late")
        #expect(bench.wants(.setKeepAlive(.zero)) == "· 1.1 ignored, late")
        #expect(bench.socketsOnDisk == "")
        bench = .calling(.active, .iOS26.with { $0.keepAliveFloor = .seconds(300) })
        #expect(bench.wants(.setKeepAlive(.seconds(300))) == "· 1.1 keep-alive 300 s")
    }

    @Test func r170WithoutTheModeThereIsNoHandler() {
        var bench = Bench.calling(.active, modes: [.audio])
        #expect(bench.wants(Self.ten) == "· 1.1 ignored, late")
        #expect(bench.socketsOnDisk == "")
    }

    @Test func r170ANewHandlerReplacesTheOldOne() {
        var bench = Bench.calling(.active)
        _ = bench.wants(Self.ten)
        #expect(bench.wants(.setKeepAlive(.seconds(1200))) == "· 1.1 keep-alive 1200 s")
        #expect(bench.socketsOnDisk == "1.1: keep-alive 1200 s")
        _ = bench.plays(.device(.homePressed))
        #expect(bench.device.nextDeadline == Self.deadline(1190))
    }

    /// A request that is refused leaves the handler as it is.
    @Test func r170ARefusedRequestReplacesNoHandler() {
        var bench = Bench.calling(.active)
        _ = bench.wants(Self.ten)
        #expect(bench.wants(.setKeepAlive(.seconds(1))) == "· 1.1 ignored, late")
        _ = bench.plays(.device(.homePressed))
        #expect(bench.device.nextDeadline == Self.deadline(590))
    }

    @Test func r170TheSameHandlerBeginsANewInterval() {
        var bench = Self.alive()
        #expect(bench.idles(.seconds(100)) == "")
        _ = bench.plays(.device(.wakeOccurred(app(1), .voip)))
        #expect(bench.wants(Self.ten) == "")
        #expect(bench.idles(.seconds(10)) == "freeze 1.1")
        #expect(bench.device.nextDeadline == Self.deadline(100 + 590))
    }

    @Test func r170TheHandlerIsCleared() {
        var bench = Bench.calling(.active)
        #expect(bench.wants(.setKeepAlive(nil)) == "", "there is none")
        _ = bench.wants(Self.ten)
        #expect(bench.wants(.setKeepAlive(nil)) == "· 1.1 keep-alive off")
        #expect(bench.socketsOnDisk == "")
        _ = bench.plays(.device(.homePressed))
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func r170AHandlerAndASocketAreIndependent() {
        var bench = Bench.keeping(.active)
        _ = bench.wants(Self.ten)
        #expect(bench.socketsOnDisk == "1.1: 7 keep-alive 600 s")
        _ = bench.wants(.drop(.a))
        #expect(bench.socketsOnDisk == "1.1: keep-alive 600 s")
        bench.keeps()
        _ = bench.wants(.setKeepAlive(nil))
        #expect(bench.socketsOnDisk == "1.1: 7")
    }

    // MARK: Ends and restarts

    @Test func r170TheHandlerIsGoneWithTheProcess() {
        var bench = Self.alive()
        #expect(bench.ends(.signaled(11)) == "· app 1 again\nstart 1.2 for voip")
        #expect(bench.socketsOnDisk == "")
        #expect(bench.idles(.seconds(10)) == "freeze 1.2")
        #expect(bench.idles(.seconds(3600)) == "")
    }

    @Test func r170TheHandlerOutlivesTheSystem() {
        var bench = Self.alive()
        #expect(bench.idles(.seconds(100)) == "")
        #expect(bench.resumes() == "")
        #expect(bench.device.nextDeadline == Self.deadline(100 + 590), "a new interval begins")
        #expect(bench.idles(.seconds(590)) == Self.due)
        #expect(bench.wants(Self.ten) == "", "the app repeats its request")
        #expect(bench.socketsOnDisk == "1.1: keep-alive 600 s")
        #expect(bench.idles(.seconds(10)) == "freeze 1.1")
    }
}
