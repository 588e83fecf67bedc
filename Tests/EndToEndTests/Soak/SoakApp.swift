import Foundation
import LifeCycleModel

/// An app of the soak: a copy of an example with its own identifier.
struct SoakApp {
    let identifier: BundleIdentifier
    let example: String
    /// The scripts for its callbacks, used one at a time; empty for an app without scripts.
    let scripts: [String]
    /// Whether the app hangs in a callback, so that the watchdog may end it.
    var hangs: Bool { example == "EndlessLoop" || scripts.contains { $0.contains("block 60") } }
    /// Whether the app counts in its container while it runs.
    var counts: Bool { example == "Counter" }

    private init(_ number: Int, _ kind: (example: String, scripts: [String])) {
        identifier = .named("org.roost.soak.\(kind.example)\(number)")
        (example, scripts) = kind
    }

    private static let kinds: [(example: String, scripts: [String])] = [
        // Work that ends in time, work that its handler ends, and work that never ends.
        ("Counter", ["", "didEnterBackground begin upload 0.5\n", "didEnterBackground begin stay\n"]),
        ("Counter", ["didEnterBackground begin upload 2\nwillEnterForeground end upload\n", ""]),
        // The app sometimes crashes or exits.
        ("Counter", ["", "didBecomeActive exit 3\n", "didEnterBackground crash\n", "willResignActive exit 0\n"]),
        // The app's children outlive its callbacks.
        ("Counter", ["didBecomeActive fork\n", "", "didEnterBackground fork\ndidEnterBackground begin stay\n"]),
        // The app hangs.
        ("Counter", ["", "didEnterBackground block 60\n", "willResignActive block 60\n", "willTerminate block 60\n"]),
        ("Clock", []),
        ("Counter", ["", "didBecomeActive misbehave close\n", "didEnterBackground misbehave garbage\n"]),
        ("SceneLog", []),
        ("Notepad", []),
        ("Counter", ["didEnterBackground bare stay\n", "didEnterBackground begin upload 1\n"]),
        ("OptOut", []),
        ("Counter", ["willResignActive begin early 1\n", "didBecomeActive block 1\n"]),
        ("Overstayer", []),
        ("EndlessLoop", []),
        ("TwoTasks", []),
        ("Counter", ["expire:stay say no\ndidEnterBackground begin stay\n", ""]),
    ]

    /// This many apps, in turn of each kind whose example exists.
    static func some(_ count: Int) throws -> [SoakApp] {
        let directory = try Examples.directory()
        let found = kinds.filter { FileManager.default.fileExists(atPath: "\(directory)/\($0.example).app") }
        return (0..<count).map { SoakApp($0 + 1, found[$0 % found.count]) }
    }
}
