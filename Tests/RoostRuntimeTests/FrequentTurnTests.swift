import LifeCycleModel
import LifeCyclePolicy
import RoostWire
import Testing

@testable import RoostRuntime

/// Lines that are assembled by hand are equal to the encoder's.
@Suite struct FrequentTurnTests {
    private static let launch = LaunchID(app: AppID(3), number: 41)
    private static let task = BackgroundTask(id: TaskID(.max), name: "a \"name\", é 👋\n")
    private static let granted = Effect.decided(.launch(launch, .taskGranted(task)))
    private static let ended = Effect.decided(
        .launch(LaunchID(app: AppID(3), number: .max), .taskEnded(TaskID(.min), open: 7)))

    @Test(arguments: [
        (AppRequest.beginTask(task), [granted]), (.beginTask(task), []), (.beginTask(task), [granted, ended, granted]),
        (.endTask(TaskID(0)), [ended]), (.endTask(TaskID(-5)), []),
    ])
    func frequentTurnsMatchTheEncodersBytes(_ request: AppRequest, _ effects: [Effect]) throws {
        let time = Moment(awake: Nanoseconds(1), elapsed: .distantFuture, wall: Nanoseconds(-9))
        let event = Event.app(Self.launch, .requested(request))
        let expected = try LineEncoder().encode(JournalEntry.turn(at: time, event: event, effects: effects))
        #expect(FrequentTurn.line(at: time, event: event, effects: effects) == expected)
    }

    @Test func otherTurnsAreLeftToTheEncoder() {
        let turns: [(Event, [Effect])] = [
            (.device(.homePressed), []), (.app(Self.launch, .requested(.acknowledge(CallbackID(1), open: []))), []),
            (
                .app(Self.launch, .requested(.endTask(TaskID(1)))),
                [Self.ended, .launch(Self.launch, .freeze(attempt: 1))]
            ),
            (
                .app(Self.launch, .requested(.endTask(TaskID(1)))),
                [.decided(.launch(Self.launch, .unknownTaskEnded(TaskID(1))))]
            ),
        ]
        for (event, effects) in turns {
            #expect(FrequentTurn.line(at: .zero, event: event, effects: effects) == nil)
        }
    }
}
