import AppCore
import LifeCycleModel
import Testing

/// Finite-length tasks, on the app's side.
@Suite struct TaskTests {
    @Test(arguments: AppPhase.allCases) func tasksAreReportedOnlyInTheBackground(_ phase: AppPhase) {
        var app = Scripted.at(phase)
        let (id, begun) = app.begin("task")
        #expect(id == TaskID(1))
        #expect(begun == (phase == .background ? [.send(.beginTask(task(1)))] : []))
        #expect(app.end(1) == (phase == .background ? [.send(.endTask(TaskID(1)))] : []))
        #expect(app.core.openTasks.isEmpty)
    }

    @Test func dormantTasksAreReportedOnEnteringTheBackground() {
        var app = Scripted.at(.falling)
        _ = app.begin("a")
        _ = app.begin("b")
        let steps = app.run(.didEnterBackground, at: .seconds(100))
        #expect(
            steps == [
                .send(.beginTask(task(1, "a"))), .send(.beginTask(task(2, "b"))), .call(.didEnterBackground),
                .post(.didEnterBackground), .finish(CallbackID(4)),
                .send(.acknowledge(CallbackID(4), open: [task(1, "a"), task(2, "b")])),
            ])
        #expect(app.core.backgroundTimeRemaining(at: .seconds(110)) == .seconds(20))
    }

    @Test func aTaskInAnAcknowledgmentIsNotReportedAgain() {
        var app = Scripted.at(.active)
        _ = app.begin("a")
        #expect(app.run(.willResignActive).last == .send(.acknowledge(CallbackID(3), open: [task(1, "a")])))
        #expect(!app.run(.didEnterBackground).contains(.send(.beginTask(task(1, "a")))))
    }

    @Test func everyAcknowledgmentListsTheOpenTasks() {
        var app = Scripted.at(.background)
        _ = app.begin("a")
        _ = app.begin("b")
        _ = app.end(1)
        #expect(app.run(.willEnterForeground).last == .send(.acknowledge(CallbackID(5), open: [task(2, "b")])))
        #expect(app.end(2).isEmpty, "while rising, the next acknowledgement reports it")
        #expect(app.run(.didBecomeActive).last == .send(.acknowledge(CallbackID(6), open: [])))
    }

    @Test func identifiersAreNeverGivenTwice() {
        var app = Scripted.at(.background)
        #expect(app.begin("a").0 == TaskID(1))
        _ = app.end(1)
        #expect(app.begin("b").0 == TaskID(2))
        #expect(app.core.openTasks == [task(2, "b")])
    }

    @Test func withoutMultitaskingNoTaskCanBegin() {
        var app = Scripted(isMultitaskingSupported: false)
        app.run(.launch(.user))
        let (id, steps) = app.begin("a")
        #expect(id == nil && steps.isEmpty)
        #expect(!app.core.isMultitaskingSupported)
    }

    @Test(arguments: [AppPhase.active, .background]) func tooManyAreNotBegun(_ phase: AppPhase) {
        var app = Scripted.at(phase)
        #expect(AppCore.mostTasks == 4096)
        for _ in 0..<AppCore.mostTasks { #expect(app.begin("a").0 != nil) }
        let (id, steps) = app.begin("one more")
        #expect(id == nil)
        #expect(steps == [.log(.tooManyTasks)])
        #expect(app.core.openTasks.count == AppCore.mostTasks)
        _ = app.end(1)
        #expect(app.begin("in its place").0 == TaskID(Int64(AppCore.mostTasks) + 1))
    }

    @Test(arguments: [Int64(0), 7, -1, .max, .min]) func anUnknownEndIsLogged(_ id: Int64) {
        var app = Scripted.at(.background)
        #expect(app.end(id) == [.log(.unknownTask(TaskID(id)))])
        _ = app.begin("a")
        _ = app.end(1)
        #expect(app.end(1) == [.log(.unknownTask(TaskID(1)))])
    }

    // MARK: Expiry

    @Test func eachHandlerIsCalledOnce() {
        var app = Scripted.at(.background)
        for name in ["a", "b"] { _ = app.begin(name) }
        let id = CallbackID(5)
        #expect(app.receive(.callback(id, .expireTasks)) == [.expire(TaskID(1)), .expire(TaskID(2)), .finish(id)])
        #expect(app.takeExpiration(1) == (true, []))
        #expect(app.takeExpiration(1) == (false, []))
        #expect(app.takeExpiration(2) == (true, []))
        #expect(app.core.openTasks.count == 2, "a task stays open until its handler ends it")
        #expect(app.finish(5) == [.send(.acknowledge(id, open: [task(1, "a"), task(2, "b")]))])
        app.run(.expireTasks)
        #expect(app.takeExpiration(1) == (false, []), "no second call at a later expiry")
    }

    @Test func aTaskEndedByAnothersHandlerIsSkipped() {
        var app = Scripted.at(.background)
        for name in ["a", "b"] { _ = app.begin(name) }
        _ = app.start(.expireTasks)
        #expect(app.takeExpiration(1) == (true, []))
        #expect(app.end(2) == [.send(.endTask(TaskID(2)))])
        #expect(app.takeExpiration(2) == (false, []))
    }

    @Test func aMissingHandlerIsLogged() {
        var app = Scripted.at(.background)
        _ = app.begin("a")
        _ = app.begin("b", hasHandler: false)
        _ = app.start(.expireTasks)
        #expect(app.takeExpiration(2) == (false, [.log(.noExpirationHandler(TaskID(2)))]))
    }

    @Test func aRefusedTaskExpiresAndHoldsNothing() {
        var app = Scripted.at(.background)
        _ = app.begin("a")
        #expect(app.receive(.taskRefused(TaskID(1))) == [.expire(TaskID(1))])
        #expect(app.receive(.taskRefused(TaskID(1))).isEmpty, "repeated refusal")
        #expect(app.receive(.taskRefused(TaskID(9))).isEmpty, "unknown")
        #expect(app.core.openTasks.isEmpty)
        #expect(app.takeExpiration(1) == (true, []))
        #expect(app.end(1).isEmpty, "ending a refused task is no error, and is not sent")
        #expect(app.end(1) == [.log(.unknownTask(TaskID(1)))])
    }

    @Test func aRefusalIsForItsTaskAlone() {
        var app = Scripted.at(.background)
        for name in ["a", "b"] { _ = app.begin(name) }
        #expect(app.receive(.taskRefused(TaskID(2))) == [.expire(TaskID(2))])
        #expect(app.core.openTasks.map(\.name) == ["a"])
    }

    @Test func aRefusedTaskWithoutAHandlerEndsSilently() {
        var app = Scripted.at(.background)
        _ = app.begin("a", hasHandler: false)
        _ = app.receive(.taskRefused(TaskID(1)))
        #expect(app.takeExpiration(1) == (false, []), "a refused task without a handler is not logged")
    }

    // MARK: Background time

    @Test func inTheForegroundTimeIsUnbounded() {
        for phase in [AppPhase.starting, .rising, .active, .falling] {
            #expect(Scripted.at(phase).core.backgroundTimeRemaining(at: .zero) == nil)
        }
    }

    @Test func theSystemsValueReplacesTheEstimate() {
        var app = Scripted.at(.background)
        #expect(app.core.backgroundTimeRemaining(at: .zero) == .zero, "without a task there is no time")
        _ = app.begin("a", at: .seconds(10))
        #expect(app.core.backgroundTimeRemaining(at: .seconds(10)) == .seconds(30))
        _ = app.begin("b", at: .seconds(15))
        #expect(app.core.backgroundTimeRemaining(at: .seconds(15)) == .seconds(25), "two tasks share one clock")
        _ = app.receive(.backgroundTime(until: .seconds(20)))
        #expect(app.core.backgroundTimeRemaining(at: .seconds(15)) == .seconds(5))
        #expect(app.core.backgroundTimeRemaining(at: .seconds(21)) == .zero, "never negative")
        _ = app.receive(.backgroundTime(until: nil))
        #expect(app.core.backgroundTimeRemaining(at: .seconds(15)) == .zero)
    }

    /// The system's clock does not stop with the last task. The clock restarts only after a suspension.
    @Test func tasksThatFollowEachOtherShareOneClock() {
        var app = Scripted.at(.background)
        _ = app.begin("a", at: .seconds(10))
        _ = app.receive(.backgroundTime(until: .seconds(40)))
        _ = app.end(1)
        #expect(app.core.backgroundTimeRemaining(at: .seconds(14)) == .zero, "no task is open")
        _ = app.begin("b", at: .seconds(14))
        #expect(app.core.backgroundTimeRemaining(at: .seconds(14)) == .seconds(26))
    }

    /// The time in the background ends when `willEnterForeground` begins, and its clock does too.
    @Test func theClockIsOverAsTheForegroundIsEntered() {
        var app = Scripted.at(.background)
        _ = app.begin("a", at: .seconds(10))
        _ = app.receive(.backgroundTime(until: .seconds(40)))
        let id = app.start(.willEnterForeground)
        #expect(app.core.backgroundTimeRemaining(at: .zero) == .zero)
        _ = app.finish(id)
        #expect(app.core.backgroundTimeRemaining(at: .zero) == nil)
    }

    @Test func aClockThatRanOutWithNoTaskOpenIsOver() {
        var app = Scripted.at(.background)
        _ = app.begin("a", at: .seconds(10))
        _ = app.begin("b", at: .seconds(50))
        #expect(app.core.backgroundTimeRemaining(at: .seconds(50)) == .zero, "time is up")
        for id in 1...2 { _ = app.end(Int64(id)) }
        _ = app.begin("after a suspension", at: .seconds(100))
        #expect(app.core.backgroundTimeRemaining(at: .seconds(100)) == .seconds(30))
    }

    /// The app is suspended at 14 s and woken at 17 s. The rest of the old clock does not count for this wake.
    @Test func anEndedClockIsNotResumedByALaterWake() {
        var app = Scripted.at(.background)
        _ = app.begin("a", at: .seconds(10))
        _ = app.receive(.backgroundTime(until: .seconds(40)))
        _ = app.end(1)
        _ = app.receive(.backgroundTime(until: nil), at: .seconds(17))
        _ = app.start(.didEnterBackground)
        _ = app.begin("b", at: .seconds(17))
        #expect(app.core.backgroundTimeRemaining(at: .seconds(17)) == .seconds(30))
    }

    @Test func aRefusedTaskHasNoTime() {
        var app = Scripted.at(.background)
        _ = app.begin("a", at: .seconds(10))
        _ = app.receive(.taskRefused(TaskID(1)))
        #expect(app.core.backgroundTimeRemaining(at: .seconds(10)) == .zero)
    }

    @Test(arguments: [true, false]) func comingBackClearsTheClock(isBegunOnTheWay: Bool) {
        var app = Scripted.at(.background)
        if !isBegunOnTheWay { _ = app.begin("a", at: .zero) }
        let id = app.start(.willEnterForeground)
        if isBegunOnTheWay { _ = app.begin("a", at: .zero) }
        _ = app.finish(id)
        for callback in [Callback.didBecomeActive, .willResignActive] { app.run(callback) }
        app.run(.didEnterBackground, at: .seconds(50))
        #expect(app.core.backgroundTimeRemaining(at: .seconds(50)) == .seconds(30))
    }
}
