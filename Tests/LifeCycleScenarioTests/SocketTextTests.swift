import LifeCycleModel
import LifeCyclePolicy
import LifeCycleText
import Testing

/// Decisions about kept sockets, keep-alive handlers and launches after an end as sentences.
@Suite struct SocketTextTests {
    private static let app = AppID(1)
    private static let launch = LaunchID(app: app, number: 2)
    private static let id = SocketID(rawValue: 7)

    /// Each decision, with its sentence and its rule.
    private static let decisions: [(SocketDecision, String, String)] = [
        (.kept(launch, id), "keeps socket 7: the system watches it while the app is suspended", "R-167"),
        (.dropped(launch, id), "no longer keeps socket 7", "R-167"),
        (.readable(launch, id, isOver: false), "data has arrived on socket 7", "R-168"),
        (.readable(launch, id, isOver: true), "the connection of socket 7 has ended", "R-168"),
        (.keepAliveSet(launch, .seconds(600)), "has a keep-alive handler, to be called every 600 s", "R-170"),
        (.keepAliveSet(launch, nil), "no longer has a keep-alive handler", "R-170"),
        (.keepAliveDue(launch), "its keep-alive handler is due", "R-170"),
        (
            .launchedAgain(app),
            "is launched again: it ended in the background, and UIBackgroundModes declares voip", "R-175"
        ),
        (.endedTooOften(app), "is not launched again yet: it has ended too often", "R-175"),
    ]

    private static let failures: [(SocketFailure, String, String)] = [
        (.modeNotDeclared, "UIBackgroundModes does not declare voip", "R-167"),
        (.tooMany, "the app, or all apps together, keep as many sockets as the policy allows", "R-168"),
        (.notOpen, "its descriptor is closed or belongs to another socket", "R-167"),
        (.notTCP, "it is no TCP socket", "R-167"), (.notConnected, "it is not connected", "R-167"),
        (.unavailable, "the system could not get a descriptor of it", "R-167"),
    ]

    private static let all: [(SocketDecision, String, String)] =
        decisions
        + failures.map { failure, text, rule in
            (SocketDecision.notKept(launch, id, failure), "does not keep socket 7: \(text)", rule)
        }

    @Test(arguments: all.indices) func aDecisionIsASentence(_ index: Int) {
        let (decision, text, rule) = Self.all[index]
        let whole = Decision.concern(.socket(decision))
        let (kind, sentence) = DecisionText.kindAndText(whole, at: .zero)
        #expect(kind == "socket" && DecisionText.kinds.contains(kind))
        #expect(sentence == text)
        #expect(DecisionText.rule(of: whole) == rule)
        #expect(whole.app == Self.app)
        switch decision {
        case .launchedAgain, .endedTooOften: #expect(whole.launch == nil)
        case .kept, .notKept, .dropped, .readable, .keepAliveSet, .keepAliveDue: #expect(whole.launch == Self.launch)
        }
    }

    @Test func everyFailureHasAText() { #expect(Self.failures.map(\.0) == SocketFailure.allCases) }

    @Test func theEndHasAText() {
        let ended = Decision.launch(Self.launch, .ended(.wokenTooOften, .signaled(9)))
        #expect(
            DecisionText.kindAndText(ended, at: .zero).text
                == "ended: traffic on its sockets woke it too often, 0xbad22222 (signal 9)")
        #expect(DecisionText.rule(of: ended) == "R-169")
        #expect(TerminationReason.wokenTooOften.word == "wokenTooOften")
        #expect(TerminationReason.words.contains("wokenTooOften"))
    }
}
