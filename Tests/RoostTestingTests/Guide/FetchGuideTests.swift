import RoostKit
import RoostTesting
import Testing

// The app of the guide "Background fetch", as iOS developers write it.

/// A server that always has a new headline.
private enum Newsroom {
    static func headlines(after count: Int) async -> [String] { ["Headline \(count + 1)"] }
}

/// Shows headlines, and fetches new ones in the background.
final class NewsApp: NSObject, UIApplicationDelegate {
    private(set) var headlines: [String] = []

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.setMinimumBackgroundFetchInterval(3600)
        return true
    }

    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        Task {
            let found = await Newsroom.headlines(after: headlines.count)
            headlines += found
            completionHandler(found.isEmpty ? .noData : .newData)
        }
    }
}

@Suite(.serialized) @MainActor struct FetchGuideTests {
    @Test func headlinesAreFetchedInAdvance() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(infoPlist: ["UIBackgroundModes": ["fetch"]], delegate: NewsApp.self)
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(2 * 3600))
            #expect((app.delegate as? NewsApp)?.headlines.count == 1)
            await device.offerFetch(to: app)
            #expect((app.delegate as? NewsApp)?.headlines.count == 2 && app.state == .suspended)
        }
    }
}
