// A podcast downloader. The app reads the feeds when it is opened; the newest episodes of each show are downloaded
// automatically.
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    /// The number of episodes to keep of each show.
    private static let newest = 3

    private let library = Library()
    private lazy var downloads = Downloads(library: library)
    private var reading = UIBackgroundTaskIdentifier.invalid

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        // Create the session at every launch: it receives the pending events of an earlier launch.
        _ = downloads
        let here = library.episodes.filter { $0.file != nil }.count
        print("launched; \(here) of \(library.episodes.count) episodes are here")
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        guard reading == .invalid else { return }
        // If the user leaves meanwhile, the task lets the app finish reading the feeds.
        reading = application.beginBackgroundTask(withName: "read the feeds") { [self] in endReading(application) }
        Task {
            for feed in library.feeds() { await read(feed) }
            endReading(application)
        }
    }

    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        print("woken for \(identifier)")
        guard identifier == Downloads.identifier else { return completionHandler() }
        downloads.handleEvents(completion: completionHandler)
    }

    private func read(_ feed: URL) async {
        do {
            let (data, _) = try await URLSession.shared.data(from: feed)
            guard let episodes = Feed.episodes(in: data) else { return print("\(feed) is no podcast's feed") }
            await downloads.fetch(library.update(with: episodes, keeping: Self.newest))
        } catch {
            print("cannot read \(feed): \(error)")
        }
    }

    private func endReading(_ application: UIApplication) {
        guard reading != .invalid else { return }
        application.endBackgroundTask(reading)
        reading = .invalid
    }
}
