import LifeCycleModel

/// The steps of one search, and the apps in it.
struct Alphabet: Hashable, Sendable {
    let name: String
    let manifests: [AppManifest]
    let searchSteps: [SearchStep]

    /// The life cycle with two apps, and each pair of concerns with one app.
    static let all: [Alphabet] = {
        let concerns = SimulatedConcerns.all.flatMap { $0.alphabets }
            .sorted { $0.name.lowercased() < $1.name.lowercased() }
        var alphabets = [lifeCycle]
        for (index, first) in concerns.enumerated() {
            for second in concerns[(index + 1)...] { alphabets.append(pair(first, second)) }
        }
        return alphabets
    }()

    /// All steps that need no concern. One app has scenes; the other app has no scenes.
    static let lifeCycle: Alphabet = {
        let device: [SearchStep] = [
            .home, .lock, .unlock, .interrupt, .dismiss, .accept(nil), .memoryLow, .memoryShort, .deadline, .restart,
        ]
        let searchSteps = [AppID(1), AppID(2)].flatMap { app -> [SearchStep] in
            [
                .open(app), .quit(app), .accept(app), .wake(app), .connect(app), .acknowledge(app), .beginTask(app),
                .endTask(app), .exit(app), .freeze(app), .failToFreeze(app),
            ]
        }
        return Alphabet(
            name: "life cycle",
            manifests: [
                manifest("one", modes: [.location], usesScenes: true),
                manifest("two", modes: [.location], usesScenes: false),
            ], searchSteps: device + searchSteps)
    }()

    private static func pair(_ first: ConcernAlphabet, _ second: ConcernAlphabet) -> Alphabet {
        let app = AppID(1)
        let device: [SearchStep] = [.open(app), .home, .quit(app), .deadline, .restart]
        let process: [SearchStep] = [.connect(app), .acknowledge(app), .exit(app), .freeze(app)]
        let own = first.searchSteps + second.searchSteps.filter { !first.searchSteps.contains($0) }
        return Alphabet(
            name: "\(first.name) with \(second.name)",
            manifests: [manifest("one", modes: first.modes + second.modes, usesScenes: true)],
            searchSteps: device + process + own.map { .concern(app, $0) })
    }

    private static func manifest(_ name: String, modes: [BackgroundMode], usesScenes: Bool) -> AppManifest {
        guard let identifier = BundleIdentifier("org.example.\(name)") else {
            preconditionFailure("letters and full stops only")
        }
        return AppManifest(identifier: identifier, executable: name, backgroundModes: modes, usesScenes: usesScenes)
    }
}
