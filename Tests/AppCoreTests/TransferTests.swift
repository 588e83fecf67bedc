import AppCore
import LifeCycleModel
import Testing

/// The app's side of its background sessions: messages that are repeated, and outcomes that are delivered once.
@Suite final class TransferTests {
    private static let identifier = SessionIdentifier("s")
    private let session: SessionIdentifier
    private var core = AppCore(
        context: LaunchContext(reason: .user, backgroundTime: .seconds(30), isMultitaskingSupported: true))

    init() throws { session = try #require(Self.identifier) }

    private static let id = TransferSessionID(app: AppID(1), number: 2)
    private static let configuration = TransferSessionConfiguration()
    private static let failure = TransferFailure(code: -1001, reason: "")

    private func new(_ number: Int64) -> NewTransfer {
        NewTransfer(number: number, request: TransferRequest(url: "http://a/\(number)"))
    }

    private func summary(_ number: Int64) -> TransferSummary {
        TransferSummary(
            number: number, request: TransferRequest(url: "http://a"), text: nil, priority: 500, earliestBegin: nil,
            isSuspended: false, received: 0, expected: nil)
    }

    private func downloaded(_ number: Int64) -> TransferNews {
        .downloaded(number, file: "f", TransferResponse(url: "http://a", status: 200, fields: []), size: 1)
    }

    /// Performs the app's actions, and returns those that are sent.
    @discardableResult private func say(_ acts: TransferAct...) -> [TransferAct] {
        var steps: [Step] = []
        for act in acts { core.transfer(act, of: session, into: &steps) }
        return sent(steps)
    }

    private func sent(_ steps: [Step]) -> [TransferAct] {
        steps.compactMap { if case .send(.concern(.transfer(session, let act))) = $0 { act } else { nil } }
    }

    private struct Response: Equatable {
        var delivered: [TransferNews] = []
        var answers: [TransferAct] = []
    }

    /// Receives the system's messages. Returns the news for the app, and the core's answers.
    private func deliver(_ news: TransferNews...) -> Response {
        var steps: [Step] = []
        for news in news { core.receive(.concern(.transfer(session, news)), at: .zero, into: &steps) }
        return Response(
            delivered: steps.compactMap { if case .transfer(session, let news) = $0 { news } else { nil } },
            answers: sent(steps))
    }

    private func repeats() -> [TransferAct] { sent(core.repeats().map { .send($0) }) }

    @Test func requestsAreSentAsMade() {
        let acts: [TransferAct] = [.open(Self.configuration), .make(new(1)), .resume(1), .list(after: 0), .handled]
        #expect(acts.flatMap { say($0) } == acts)
    }

    @Test func aNewConnectionRepeatsSessionsAndTaskRequests() {
        say(.open(Self.configuration), .make(new(1)), .make(new(2)), .resume(1), .setPriority(2, 900))
        say(.setText(2, "a"), .setEarliestBegin(1, .seconds(5)), .setExpectedToReceive(2, 7), .suspend(1), .resume(2))
        say(.cancel(2, keepsPartial: true), .setText(1, nil))
        let expected: [TransferAct] = [
            .open(Self.configuration), .make(new(1)), .setText(1, nil), .setEarliestBegin(1, .seconds(5)), .suspend(1),
            .make(new(2)), .setPriority(2, 900), .setText(2, "a"), .setExpectedToReceive(2, 7), .resume(2),
            .cancel(2, keepsPartial: true),
        ]
        #expect(repeats() == expected)
        #expect(repeats() == expected, "the second repetition is the same")
    }

    /// A task with a delivered outcome is not made again, because that would download it again.
    @Test func endedTasksAreNotRepeated() {
        say(.open(Self.configuration), .make(new(1)), .resume(1), .make(new(2)), .resume(2))
        let outcomes = [downloaded(1), .failed(2, Self.failure)]
        #expect(deliver(outcomes[0], outcomes[1]).delivered == outcomes)
        #expect(repeats() == [.open(Self.configuration)])
        say(.resume(1), .setPriority(2, 1))
        #expect(repeats() == [.open(Self.configuration)], "later requests for ended tasks are not repeated")
    }

    @Test func anOutcomeIsDeliveredOnceAndAcknowledgedEachTime() {
        say(.open(Self.configuration), .make(new(1)))
        #expect(deliver(downloaded(1)).delivered == [downloaded(1)])
        // The delegate is already handling the outcome.
        #expect(deliver(downloaded(1)) == Response())
        #expect(say(.acknowledge([1])) == [.acknowledge([1])])
        #expect(deliver(downloaded(1)) == Response(answers: [.acknowledge([1])]))
        #expect(deliver(.progressed(1, received: 1, expected: nil), .willBegin(1)) == Response())
    }

    /// A new launch learns its tasks from the list. Before the list, it receives no message about them.
    @Test func outcomesOfEarlierLaunchesWaitForTheList() {
        say(.open(Self.configuration), .list(after: 0))
        #expect(deliver(.opened(Self.id, lowestFree: 4)).delivered == [.opened(Self.id, lowestFree: 4)])
        #expect(deliver(downloaded(1), .failed(3, Self.failure), .eventsFinished) == Response())
        let first = deliver(.listed([summary(1), summary(2)], isLast: false))
        #expect(
            first
                == Response(
                    delivered: [.listed([summary(1), summary(2)], isLast: false)], answers: [.list(after: 2)]))
        #expect(
            deliver(.listed([summary(3)], isLast: true)).delivered
                == [.listed([summary(3)], isLast: true), downloaded(1), .failed(3, Self.failure), .eventsFinished])
        // After the list, no message is delayed, and tasks that have ended are no longer listed.
        say(.list(after: 0))
        #expect(
            deliver(.progressed(2, received: 1, expected: 2)).delivered == [.progressed(2, received: 1, expected: 2)])
        #expect(
            deliver(.listed([summary(1), summary(2)], isLast: true)).delivered == [.listed([summary(2)], isLast: true)])
    }

    /// A second list delivers nothing of what the first one delayed.
    @Test func delayedMessagesAreDeliveredOnce() {
        say(.open(Self.configuration), .list(after: 0))
        let progressed = TransferNews.progressed(1, received: 1, expected: 2)
        let listed = TransferNews.listed([summary(1)], isLast: true)
        #expect(deliver(progressed, listed).delivered == [listed, progressed])
        say(.list(after: 0))
        #expect(deliver(listed).delivered == [listed])
    }

    /// If the connection breaks during a list, the list resumes where it was. The system repeats the delayed messages.
    @Test func aBrokenListResumes() {
        say(.open(Self.configuration), .list(after: 0))
        _ = deliver(downloaded(1), .listed([summary(1)], isLast: false))
        #expect(repeats() == [.open(Self.configuration), .list(after: 1)])
        #expect(
            deliver(downloaded(1), .listed([], isLast: true)).delivered == [.listed([], isLast: true), downloaded(1)])
        #expect(repeats() == [.open(Self.configuration)])
    }

    /// A list with an empty page ends, although the page is not marked as the last.
    @Test func anEmptyPageIsTheLast() {
        say(.open(Self.configuration), .list(after: 0))
        #expect(deliver(.listed([], isLast: false)) == Response(delivered: [.listed([], isLast: true)]))
    }

    @Test func aDelayedRequestIsAnsweredOnce() {
        say(.open(Self.configuration), .make(new(1)))
        #expect(deliver(.willBegin(1)).delivered == [.willBegin(1)])
        say(.proceed(1, .cancel))
        #expect(deliver(.willBegin(1)) == Response(answers: [.proceed(1, .cancel)]))
    }

    @Test func anInvalidationIsRepeatedUntilItIsDone() {
        say(.open(Self.configuration), .finishTasksAndInvalidate)
        #expect(repeats() == [.open(Self.configuration), .finishTasksAndInvalidate])
        say(.invalidateAndCancel, .finishTasksAndInvalidate)
        #expect(repeats() == [.open(Self.configuration), .invalidateAndCancel])
        #expect(deliver(.invalidated).delivered == [.invalidated])
        #expect(repeats().isEmpty)
    }

    /// A system that was killed before it received the handler's call repeats the message.
    @Test func theEndOfTheEventsIsDeliveredOnce() {
        say(.open(Self.configuration))
        #expect(deliver(downloaded(1)).delivered == [downloaded(1)])
        say(.acknowledge([1]))
        #expect(deliver(.eventsFinished).delivered == [.eventsFinished])
        _ = repeats()
        #expect(
            deliver(.opened(Self.id, lowestFree: 2), .eventsFinished).delivered == [.opened(Self.id, lowestFree: 2)])
        #expect(deliver(downloaded(2), .eventsFinished).delivered == [downloaded(2), .eventsFinished], "new messages")
    }

    @Test func theHandlersCallIsRepeatedUntilTheNextWake() {
        var steps: [Step] = []
        core.receive(.callback(CallbackID(1), .concern(.transfer(.handleEvents(session)))), at: .zero, into: &steps)
        #expect(steps == [.call(.concern(.transfer(.handleEvents(session)), CallbackID(1))), .finish(CallbackID(1))])
        #expect(repeats().isEmpty)
        say(.handled)
        #expect(repeats() == [.handled])
        core.callbackReturned(CallbackID(1), at: .zero, into: &steps)
        core.receive(.callback(CallbackID(2), .concern(.transfer(.handleEvents(session)))), at: .zero, into: &steps)
        #expect(repeats().isEmpty)
    }

    @Test func manyOutcomesAreAcknowledgedInMessagesThatFit() {
        let many = Array(1...2500 as ClosedRange<Int64>)
        say(.open(Self.configuration))
        let said = say(.acknowledge(many))
        #expect(
            said == [.acknowledge(Array(1...1000)), .acknowledge(Array(1001...2000)), .acknowledge(Array(2001...2500))])
    }

    /// Messages of a session that the core did not open are passed on unchanged.
    @Test func aSessionThatWasNotOpenedIsPassedOn() {
        #expect(deliver(downloaded(1), downloaded(1)).delivered == [downloaded(1), downloaded(1)])
        #expect(say(.acknowledge([1])) == [.acknowledge([1])])
        #expect(repeats().isEmpty)
    }

    /// A hundred thousand downloads are repeated in pieces, so that the app can do other work between them.
    @Test func manyTasksAreRepeatedInPieces() {
        say(.open(Self.configuration))
        for number in 1...1000 as ClosedRange<Int64> { say(.make(new(number)), .resume(number)) }
        say(.list(after: 0))
        let whole = repeats()
        #expect(whole.count == 2002)
        var acts = sent(core.beginRepeats().map { .send($0) })
        #expect(acts == [.open(Self.configuration)])
        var pieces = 0
        while core.isRepeating {
            let piece = sent(core.nextRepeats(100).map { .send($0) })
            #expect(piece.count <= 110)
            acts += piece
            pieces += 1
        }
        #expect(acts == whole && pieces >= 20)
        #expect(core.nextRepeats(100).isEmpty)
    }

    /// Handled events are repeated once on a connection, after the tasks.
    @Test func handledEventsAreRepeatedOnce() {
        say(.open(Self.configuration), .make(new(1)), .handled)
        #expect(sent(core.beginRepeats().map { .send($0) }) == [.open(Self.configuration)])
        #expect(sent(core.nextRepeats(100).map { .send($0) }) == [.make(new(1)), .handled])
        #expect(!core.isRepeating)
        #expect(sent(core.nextRepeats(100).map { .send($0) }) == [])
    }

    /// New actions between the pieces are sent at once, and the later pieces repeat them. A session that ends accepts
    /// no tasks, so its end waits for the last piece.
    @Test func newRequestsBetweenRepeatsAreSentAtOnce() {
        say(.open(Self.configuration), .make(new(1)), .make(new(2)))
        _ = core.beginRepeats()
        #expect(sent(core.nextRepeats(1).map { .send($0) }) == [.make(new(1))])
        #expect(say(.resume(1), .resume(2)) == [.resume(1), .resume(2)])
        #expect(say(.finishTasksAndInvalidate) == [])
        #expect(
            sent(core.nextRepeats(100).map { .send($0) }) == [.make(new(2)), .resume(2), .finishTasksAndInvalidate])
        #expect(!core.isRepeating)
        #expect(say(.invalidateAndCancel) == [.invalidateAndCancel])
        // Another connection begins before all was repeated.
        _ = core.beginRepeats()
        _ = core.beginRepeats()
        #expect(
            sent(core.nextRepeats(100).map { .send($0) })
                == [.make(new(1)), .resume(1), .make(new(2)), .resume(2), .invalidateAndCancel])
    }
}
