import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Shrunk histories: a failure is shown with few steps, and as a test.
@Suite struct ShrinkerTests {
    @Test(arguments: [[3], [0, 99], [17, 18, 19, 60], Array(0..<100), []])
    func theShrinkerKeepsTheRelevantElements(_ wanted: [Int]) {
        let found = Shrinker.smallest(Array(0..<100)) { rest in wanted.allSatisfy(rest.contains) }
        #expect(found == wanted)
    }

    /// A check that fails when an app is thawed.
    private static let thaw: CheckedDevice.OwnCheck = { _, effects in
        effects.contains { if case .launch(_, .thaw) = $0 { true } else { false } } ? "one is thawed" : nil
    }

    /// For a thaw, an app has to be opened, return from its callbacks, leave the foreground, and be needed again.
    @Test func aHistoryIsShrunkToAFewEvents() throws {
        let report = Explorer(steps: 80, policies: [.iOS26], ownCheck: Self.thaw).explore(seeds: 1...200)
        let failure = try #require(report.failure)
        #expect(failure.violation.invariant == "a check of one's own" && failure.violation.finding == "one is thawed")
        let shrunk = try #require(failure.shrunk)
        let events = try #require(shrunk.events)
        #expect(shrunk.violation.invariant == failure.violation.invariant)
        #expect(events.count <= 16 && shrunk.before >= events.count, "\(events.count) of \(shrunk.before)")
        // Without any one of the events the failure does not occur.
        for index in events.indices {
            var fewer = events
            fewer.remove(at: index)
            let device = CheckedDevice(policy: .iOS26, ownCheck: Self.thaw, fewer)
            #expect(device.violation?.invariant != failure.violation.invariant, "without \(events[index])")
        }
        let text = ExplorationReport.text(report)
        #expect(text.hasSuffix(shrunk.swiftTest), "\(text.suffix(300))")
        #expect(shrunk.swiftTest.contains("@Test func seed\(failure.seed)Of80Steps() throws {"))
        #expect(shrunk.swiftTest.contains("= Policy.iOS26\n"))
    }

    /// A failure that only the virtual world detects is shown by the steps of the history.
    @Test func worldViolationsAreShownByTheHistory() {
        let shrunk = ShrunkHistory(
            seed: 7, policy: .iOS13, historyPolicy: .iOS13, steps: 20, kept: [3, 4], events: nil, before: 90,
            violation: Violation(invariant: "liveness", finding: "app 1 is still active", at: at(0)))
        #expect(
            shrunk.swiftTest == """
                /// Seed 7, 20 steps: liveness.
                @Test func seed7Of20Steps() throws {
                    var history = History(seed: 7, policy: .iOS13)
                    history.run(steps: 20) { ![3, 4].contains($0) }
                    #expect(history.world.violation == nil)
                }
                """)
    }

    static let values: [(value: any Sendable, source: String)] = [
        (Event.device(.homePressed), ".device(.homePressed)"),
        (Event.device(.appOpened(AppID(2))), ".device(.appOpened(AppID(2)))"),
        (Event.device(.appSwitched(nil)), ".device(.appSwitched(nil))"),
        (Event.device(.appSwitched(AppID(1))), ".device(.appSwitched(AppID(1)))"),
        (
            Event.device(.wakeOccurred(AppID(1), .bluetoothCentral, restoreIdentifiers: ["a"])),
            ".device(.wakeOccurred(AppID(1), .bluetoothCentral, restoreIdentifiers: [\"a\"]))"
        ),
        (
            Event.process(launch(), .exited(.exited(code: 3))),
            ".process(LaunchID(app: AppID(1), number: 1), .exited(.exited(code: 3)))"
        ),
        (Event.process(launch(), .exited(.unknown)), ".process(LaunchID(app: AppID(1), number: 1), .exited(.unknown))"),
        (
            Event.process(launch(2, 3), .froze(attempt: 1, footprint: -5)),
            ".process(LaunchID(app: AppID(2), number: 3), .froze(attempt: 1, footprint: -5))"
        ),
        (Event.device(.settingChanged(.autoLock(nil))), ".device(.settingChanged(.autoLock(nil)))"),
        (
            Event.device(.settingChanged(.autoLock(.seconds(1)))),
            ".device(.settingChanged(.autoLock(Nanoseconds(1000000000))))"
        ),
        (
            Event.app(launch(), .requested(.beginTask(BackgroundTask(id: TaskID(1), name: "a \"b\"\n\\(c)")))),
            ".app(LaunchID(app: AppID(1), number: 1), "
                + ".requested(.beginTask(BackgroundTask(id: TaskID(1), name: \"a \\\"b\\\"\\n\\\\(c)\"))))"
        ),
        (
            manifest(),
            "AppManifest(identifier: try #require(BundleIdentifier(\"org.example.app1\")), executable: \"app\", "
                + "displayName: \"app\", backgroundModes: [.location], taskIdentifiers: nil, exitsOnSuspend: false, "
                + "usesScenes: false, principalClass: nil, isAdopted: false)"
        ),
        (Moment.zero, ".zero.advanced(by: Nanoseconds(0))"),
        (
            Moment(awake: .zero, elapsed: Nanoseconds(1), wall: Nanoseconds(2)),
            "Moment(awake: Nanoseconds(0), elapsed: Nanoseconds(1), wall: Nanoseconds(2))"
        ),
    ]

    @Test(arguments: values.indices) func valuesAsTheSwiftThatMakesThem(_ index: Int) {
        #expect(SwiftSource.expression(Self.values[index].value) == Self.values[index].source)
    }
}
