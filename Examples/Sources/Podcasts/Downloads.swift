import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Downloads episodes in a background session. The system continues if the app is suspended, killed, or has crashed.
///
/// A task's `taskDescription` is the episode's guid, so a new process knows the purpose of each task.
@MainActor
final class Downloads: NSObject {
    static let identifier = "org.roost.example.Podcasts.episodes"

    private let library: Library
    private var session: URLSession!
    /// The completion handler of the session's events, called when all of them are handled.
    private var completion: (() -> Void)?

    init(library: Library) {
        self.library = library
        super.init()
        let configuration = URLSessionConfiguration.background(withIdentifier: Self.identifier)
        configuration.sessionSendsLaunchEvents = true
        configuration.allowsExpensiveNetworkAccess = false
        session = URLSession(configuration: configuration, delegate: self, delegateQueue: .main)
    }

    /// Downloads the episodes that have no task yet.
    func fetch(_ episodes: [Episode]) async {
        let underWay = Set(await session.allTasks.compactMap(\.taskDescription))
        for episode in episodes where !underWay.contains(episode.guid) {
            let task = session.downloadTask(with: episode.audio)
            task.taskDescription = episode.guid
            task.resume()
            print("asked for \(episode.show): \(episode.title)")
        }
    }

    /// The app was woken for the session's events.
    func handleEvents(completion: @escaping () -> Void) { self.completion = completion }

    /// A valid file name for any title of an episode.
    private static func fileName(_ title: String, of url: URL) -> String {
        let plain = String(title.map { $0.isLetter || $0.isNumber || " -_.".contains($0) ? $0 : "_" }.prefix(80))
        let ending = url.pathExtension.isEmpty ? "mp3" : url.pathExtension
        return plain.hasPrefix(".") ? "_\(plain).\(ending)" : "\(plain).\(ending)"
    }

    private func keep(_ file: URL, for guid: String) throws {
        guard let episode = library.episode(guid) else { return }
        let show = Self.fileName(episode.show, of: URL(fileURLWithPath: "/show"))
        let name = (show as NSString).deletingPathExtension + "/" + Self.fileName(episode.title, of: episode.audio)
        let place = library.folder.appendingPathComponent(name)
        let files = FileManager.default
        try files.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        if files.fileExists(atPath: place.path) { try files.removeItem(at: place) }
        try files.moveItem(at: file, to: place)
        library.keep(name, for: guid)
        print("kept \(name)")
    }
}

extension Downloads: URLSessionDownloadDelegate {
    nonisolated func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        // The file is deleted when this method returns.
        MainActor.assumeIsolated {
            guard let guid = downloadTask.taskDescription else { return }
            if let answer = downloadTask.response as? HTTPURLResponse, !(200..<300).contains(answer.statusCode) {
                library.note("the server answered \(answer.statusCode)", for: guid)
                return
            }
            do {
                try keep(location, for: guid)
            } catch {
                library.note("cannot save it: \(error)", for: guid)
            }
        }
    }

    nonisolated func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let error else { return }
        MainActor.assumeIsolated {
            guard let guid = task.taskDescription else { return }
            library.note("\(error)", for: guid)
            print("\(library.episode(guid)?.title ?? guid) did not come: \(error)")
        }
    }

    nonisolated func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        MainActor.assumeIsolated {
            completion?()
            completion = nil
        }
    }
}
