import Foundation

/// An episode of a show, as described by its feed.
struct Episode: Codable, Hashable, Sendable {
    /// The feed's identifier, unique among the episodes of a show.
    var guid: String
    var title: String
    var show: String
    var audio: URL
    var published: Date
    /// The file's name below `Documents/Episodes`; nil until it is downloaded.
    var file: String?
    /// The reason for the last failed download; nil if there is none.
    var problem: String?
}

/// The known shows and episodes, in a file that is rewritten completely with each change. Main thread only.
@MainActor
final class Library {
    private(set) var episodes: [Episode] = []
    private let file: URL
    /// The folder of the downloaded episodes.
    let folder: URL

    init(home: URL = URL(fileURLWithPath: NSHomeDirectory())) {
        file = home.appendingPathComponent("Library/Application Support/library.json")
        folder = home.appendingPathComponent("Documents/Episodes")
        guard let data = try? Data(contentsOf: file) else { return }
        do {
            episodes = try JSONDecoder().decode([Episode].self, from: data)
        } catch {
            // Nothing is lost: the files in the folder stay, and the feeds list the episodes again.
            print("cannot read the library, starting empty: \(error)")
        }
    }

    /// The user's feeds: `Documents/feeds.txt`, with an address per line and `#` for comments.
    func feeds() -> [URL] {
        let list = folder.deletingLastPathComponent().appendingPathComponent("feeds.txt")
        guard let text = try? String(contentsOf: list, encoding: .utf8) else {
            print("no feed yet: write their addresses into \(list.path), one a line")
            return []
        }
        return text.split(whereSeparator: \.isNewline).compactMap { line in
            let line = line.trimmingCharacters(in: .whitespaces)
            guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
            guard let url = URL(string: line), url.scheme == "http" || url.scheme == "https" else {
                print("\"\(line)\" in feeds.txt is no web address")
                return nil
            }
            return url
        }
    }

    /// Stores a feed's episodes. Returns the episodes among the show's newest `count` that are not downloaded yet.
    func update(with fresh: [Episode], keeping count: Int) -> [Episode] {
        for episode in fresh {
            if let index = index(of: episode.guid) {
                episodes[index].title = episode.title
                episodes[index].audio = episode.audio
            } else {
                episodes.append(episode)
            }
        }
        save()
        let newest = fresh.sorted { $0.published > $1.published }.prefix(count)
        return newest.compactMap { episode in index(of: episode.guid).map { episodes[$0] } }.filter { $0.file == nil }
    }

    /// Records a downloaded episode and its file name.
    func keep(_ file: String, for guid: String) {
        guard let index = index(of: guid) else { return }
        episodes[index].file = file
        episodes[index].problem = nil
        save()
    }

    func note(_ problem: String, for guid: String) {
        guard let index = index(of: guid) else { return }
        episodes[index].problem = problem
        save()
    }

    func episode(_ guid: String) -> Episode? { index(of: guid).map { episodes[$0] } }

    private func index(of guid: String) -> Int? { episodes.firstIndex { $0.guid == guid } }

    private func save() {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try JSONEncoder().encode(episodes).write(to: file, options: .atomic)
        } catch {
            print("cannot save the library: \(error)")
        }
    }
}
