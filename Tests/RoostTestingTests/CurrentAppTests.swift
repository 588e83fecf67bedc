import RoostKit
import Testing

@testable import RoostTesting

/// Records the application object in each of its callbacks, and in the work that they begin.
private final class Rememberer: NSObject, UIApplicationDelegate {
    @MainActor static var met: [String: Set<ObjectIdentifier>] = [:]

    func note(_ place: String) { Self.met[place, default: []].insert(ObjectIdentifier(UIApplication.shared)) }

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        note("launch")
        #expect(UIApplication.shared === application && application.delegate === self)
        Task {
            note("task")
            await Task.yield()
            note("task after a suspension")
            Task { note("task of a task") }
        }
        return true
    }
}

@Suite(.serialized) @MainActor struct CurrentAppTests {
    @Test func eachAppHasItsOwnApplication() async throws {
        Rememberer.met = [:]
        try await withVirtualDevice { device in
            let first = try device.install("First", delegate: Rememberer.self)
            let second = try device.install("Second", delegate: Rememberer.self)
            await device.launch(first)
            await device.launch(second)
            #expect(first.state == .suspended && second.state == .active)
            for place in ["launch", "task", "task after a suspension", "task of a task"] {
                #expect(Rememberer.met[place]?.count == 2, "\(place)")
            }
        }
    }

    @Test func aQueueBelongsToTheOnlyApp() async throws {
        try await withVirtualDevice { device in
            let app = try device.install {
                let task = UIApplication.shared.beginBackgroundTask(withName: "upload")
                DispatchQueue.global().async {
                    DispatchQueue.main.async {
                        MainActor.assumeIsolated { UIApplication.shared.endBackgroundTask(task) }
                    }
                }
            }
            await device.launch(app)
            await device.home()
            #expect(app.state == .suspended)
            // The task was begun without a handler, which is worth a line.
            device.expectLog(of: app, containing: "without an expiration handler")
        }
    }

    @Test func aQueueAmongTwoAppsStopsTheTest() async {
        await #expect(processExitsWith: .failure) {
            await Task { @MainActor in
                await withVirtualDevice { device in
                    _ = try? device.install("First") {}
                    let second = try? device.install("Second") {
                        Task.detached { await MainActor.run { _ = UIApplication.shared } }
                    }
                    for app in device.apps { await device.launch(app) }
                    _ = second
                }
            }.value
        }
    }

    @Test func aNewLaunchHasANewApplicationAndANewDelegate() async throws {
        Rememberer.met = [:]
        try await withVirtualDevice { device in
            let app = try device.install(delegate: Rememberer.self)
            await device.launch(app)
            await device.kill(app)
            #expect(app.state == .notRunning)
            await device.launch(app)
            #expect(app.state == .active && app.terminations.count == 1)
            #expect(app.callbacks.filter { $0 == .didFinishLaunching(.user) }.count == 2)
        }
    }
}
