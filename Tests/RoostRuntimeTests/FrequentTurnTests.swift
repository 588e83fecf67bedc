import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import RoostRuntime

/// Lines put together by hand are those that the encoder gives.
@Suite struct FrequentTurnTests {
    private static let launch = LaunchID(app: AppID(3), number: 41)
    private static let task = BackgroundTask(id: TaskID(.max), name: "a \"name\", é 👋\n")
    private static let granted = Effect.decided(.taskGranted(launch, task))
    private static let ended = Effect.decided(.taskEnded(LaunchID(app: AppID(3), number: .max), TaskID(.min), open: 7))

    @Test(arguments: [
        (AppRequest.beginTask(task), [granted]), (.beginTask(task), []), (.beginTask(task), [granted, ended, granted]),
        (.endTask(TaskID(0)), [ended]), (.endTask(TaskID(-5)), []),
    ])
    func theyAreTheEncodersBytes(_ request: AppRequest, _ effects: [Effect]) throws {
        let time = Moment(awake: Nanoseconds(1), elapsed: .distantFuture, wall: Nanoseconds(-9))
        let event = Event.appRequested(Self.launch, request)
        let expected = try LineEncoder().encode(JournalEntry.turn(at: time, event: event, effects: effects))
        #expect(FrequentTurn.line(at: time, event: event, effects: effects) == expected)
    }

    @Test func othersAreTheEncoders() {
        let turns: [(Event, [Effect])] = [
            (.homePressed, []), (.appRequested(Self.launch, .acknowledge(CallbackID(1), open: [])), []),
            (.appRequested(Self.launch, .endTask(TaskID(1))), [Self.ended, .freeze(Self.launch, attempt: 1)]),
            (.appRequested(Self.launch, .endTask(TaskID(1))), [.decided(.unknownTaskEnded(Self.launch, TaskID(1)))]),
        ]
        for (event, effects) in turns {
            #expect(FrequentTurn.line(at: .zero, event: event, effects: effects) == nil)
        }
    }
}
