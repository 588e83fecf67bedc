import LifeCycleModel
import LifeCyclePolicy
import LifeCycleText
import Testing

/// Decisions about sound as sentences.
@Suite struct AudioTextTests {
    private static let launch = LaunchID(app: AppID(1), number: 2)

    /// Each decision with its sentence and its rule.
    private static let texts: [(AudioDecision, String, String)] = [
        (.activated(launch, AudioSession()), "activates its audio session: soloAmbient", "R-153"),
        (
            .activated(launch, AudioSession(category: .ambient)),
            "activates its audio session: ambient, which mixes with the sound of others", "R-153"
        ),
        (
            .activated(launch, AudioSession(category: .playback, mixesWithOthers: true)),
            "activates its audio session: playback, which mixes with the sound of others", "R-153"
        ),
        // This category never mixes.
        (
            .activated(launch, AudioSession(category: .record, mixesWithOthers: true)),
            "activates its audio session: record", "R-153"
        ),
        (.refused(launch, .isBusy), "may not have an active audio session: it plays", "R-156"),
        (
            .refused(launch, .cannotStartPlaying),
            "may not have an active audio session: in the background it needs the mode audio, and a category that "
                + "continues there", "R-156"
        ),
        (
            .refused(launch, .cannotInterruptOthers),
            "may not have an active audio session: in the background it may not interrupt the sound of others", "R-156"
        ),
        (
            .refused(launch, .insufficientPriority),
            "may not have an active audio session: it would record, and a phone call is on", "R-157"
        ),
        (.deactivated(launch), "deactivates its audio session", "R-82"),
        (
            .stopped(launch),
            "has its audio session deactivated: it is suspended, or its sound may not continue in the background",
            "R-154"
        ),
        (.session(launch, true), "plays sound in the background: it is not suspended", "R-154"),
        (.session(launch, false), "is no longer kept running by its sound", "R-154"),
        (.interrupted(launch, by: nil), "has its audio session interrupted by a phone call", "R-157"),
        (.interrupted(launch, by: AppID(2)), "has its audio session interrupted by another app", "R-157"),
        (
            .interruptionEnded(launch, shouldResume: true),
            "is told that the interruption of its audio session has ended: it should continue to play", "R-158"
        ),
        (
            .interruptionEnded(launch, shouldResume: false),
            "is told that the interruption of its audio session has ended", "R-158"
        ),
    ]

    @Test(arguments: texts.indices) func aDecisionIsASentence(_ index: Int) {
        let (decision, text, rule) = Self.texts[index]
        let whole = Decision.concern(.audio(decision))
        let (kind, sentence) = DecisionText.kindAndText(whole, at: .zero)
        #expect(kind == "audio")
        #expect(sentence == text)
        #expect(DecisionText.rule(of: whole) == rule)
        #expect(whole.app == Self.launch.app)
        #expect(whole.launch == Self.launch)
    }

    @Test func theAssertionHasAText() { #expect(DecisionText.text(Assertion.audio) == "sound that it plays") }
}
