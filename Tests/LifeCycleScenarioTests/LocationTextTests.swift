import LifeCycleModel
import LifeCyclePolicy
import LifeCycleText
import Testing

/// Decisions about locations as sentences.
@Suite struct LocationTextTests {
    private static let launch = LaunchID(app: AppID(1), number: 2)
    private static let app = AppID(1)

    /// Each decision with its sentence, its rule, and whether it is about a launch.
    private static let texts: [(LocationDecision, String, String, Bool)] = services + regions
    private static let services: [(LocationDecision, String, String, Bool)] = [
        (.updates(launch, nil), "ends its location updates", "R-135", true),
        (.updates(launch, StandardUpdates()), "asks for all location updates", "R-135", true),
        (
            .updates(launch, StandardUpdates(distanceFilter: 1)), "asks for a location update at every 0.01 m", "R-135",
            true
        ),
        (
            .updates(launch, StandardUpdates(distanceFilter: 1_000, allowsBackground: true)),
            "asks for a location update at every 10 m, also in the background", "R-135", true
        ),
        (
            .session(launch, true), "continues its location updates in the background: it is not suspended", "R-136",
            true
        ),
        (.session(launch, false), "is no longer kept running by its location updates", "R-136", true),
        (
            .paused(launch, true), "has its location updates paused: the position has not changed for long", "R-140",
            true
        ),
        (.paused(launch, false), "has its location updates again after the pause", "R-140", true),
        (.monitoring(launch, true), "monitors significant changes of the location", "R-141", true),
        (.monitoring(launch, false), "no longer monitors significant changes of the location", "R-141", true),
        (.asked(launch, always: false), "asks the user for the location while in use", "R-132", true),
        (.asked(launch, always: true), "asks the user for the location at all times", "R-132", true),
        (
            .askedInVain(launch, .deny),
            "asks the user for the location: ignored, because the user forbids it the location", "R-132", true
        ),
        (
            .askedInVain(launch, .whenInUse),
            "asks the user for the location: ignored, because the user allows it the location while in use", "R-132",
            true
        ),
        (.permitted(app, .ask), "the user has not decided about its location", "R-132", false),
        (.permitted(app, .deny), "the user forbids it the location", "R-132", false),
        (.permitted(app, .whenInUse), "the user allows it the location while in use", "R-132", false),
        (.permitted(app, .always), "the user always allows it the location", "R-132", false),
        (.denied(launch), "is told that it may not use the location: the user forbids it", "R-134", true),
        (
            .changed(app, by: nil), "is told the location: the first since it monitors significant changes", "R-141",
            false
        ),
        (.changed(app, by: 50_000), "is told the location: it has changed by 500 m", "R-141", false),
        (
            .held(app, .backgroundRefresh),
            "is not yet told of a significant change of the location: "
                + "Background App Refresh is off", "R-98", false
        ),
        (
            .held(app, .forceQuit),
            "is not yet told of a significant change of the location: the user swiped it away and has not opened it since",
            "R-126", false
        ),
    ]

    private static let regions: [(LocationDecision, String, String, Bool)] = [
        (
            .regionMonitored(launch, .init(identifier: "home", latitude: 0, longitude: 0, radius: 20_000)!),
            "monitors the region \"home\" with a radius of 200 m", "R-144", true
        ),
        (.regionEnded(launch, "home"), "no longer monitors the region \"home\"", "R-144", true),
        (
            .regionRefused(launch, "home"),
            "may not monitor the region \"home\": it has 20 already, or the user forbids it the location", "R-144",
            true
        ),
        (
            .crossed(app, "home", isInside: true), "is told that the device has entered the region \"home\"", "R-145",
            false
        ),
        (
            .crossed(app, String(repeating: "h", count: 81), isInside: false),
            "is told that the device has left the region \"\(String(repeating: "h", count: 80))\"", "R-145", false
        ),
        (
            .crossingHeld(app, .backgroundRefresh),
            "is not yet told that the device has entered or left a region: Background App Refresh is off", "R-98", false
        ),
    ]

    @Test(arguments: texts.indices) func aDecisionIsASentence(_ index: Int) {
        let (decision, text, rule, isOfLaunch) = Self.texts[index]
        let whole = Decision.concern(.location(decision))
        let (kind, sentence) = DecisionText.kindAndText(whole, at: .zero)
        #expect(kind == "location")
        #expect(sentence == text)
        #expect(DecisionText.rule(of: whole) == rule)
        #expect(whole.app == Self.app)
        #expect(whole.launch == (isOfLaunch ? Self.launch : nil))
    }

    /// Lengths are rounded down.
    @Test(
        arguments: [
            (0, "0 m"), (5, "0.05 m"), (99, "0.99 m"), (100, "1 m"), (205, "2.05 m"), (210, "2.1 m"),
            (49_999, "499.99 m"),
            (50_000, "500 m"), (99_999, "999.99 m"), (100_000, "1 km"), (109_999, "1 km"), (110_000, "1.1 km"),
            (199_999, "1.9 km"), (1_000_000, "10 km"), (2_000_393_100, "20003.9 km"),
        ] as [(Int64, String)])
    func lengthsAreReadable(centimetres: Int64, text: String) {
        let decision = Decision.concern(.location(.changed(Self.app, by: centimetres)))
        #expect(DecisionText.kindAndText(decision, at: .zero).text.hasSuffix(" changed by \(text)"))
    }
}
