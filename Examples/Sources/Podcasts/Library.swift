import Foundation

/// One episode of a show, as its feed tells of it.
struct Episode: Codable, Hashable, Sendable {
    /// What the feed calls it: no two episodes of a show have the same.
    var guid: String
    var title: String
    var show: String
    var audio: URL
    var published: Date
    /// Where its file is, below `Documents/Episodes`; nil until it is here.
    var file: String?
    /// Why it did not come, the last time it was tried.
    var problem: String?
}

/// What the app knows of shows and episodes: one file, written whole at each change. For the main thread.
@MainActor
final class Library {
    private(set) var episodes: [Episode] = []
    private let file: URL
    /// Where episodes are kept.
    let folder: URL

    init(home: URL = URL(fileURLWithPath: NSHomeDirectory())) {
        file = home.appendingPathComponent("Library/Application Support/library.json")
        folder = home.appendingPathComponent("Documents/Episodes")
        guard let data = try? Data(contentsOf: file) else { return }
        do {
            episodes = try JSONDecoder().decode([Episode].self, from: data)
        } catch {
            // Nothing is lost: whatever is in the folder stays, and the feeds tell the rest again.
            print("the library cannot be read and is begun anew: \(error)")
        }
    }

    /// The feeds a person has subscribed to: `Documents/feeds.txt`, an address a line, `#` for remarks.
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

    /// Takes up what a feed tells; gives the newest `count` of the show that are not here yet.
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

    /// An episode has come: its name and place are the person's to find.
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
            print("the library could not be kept: \(error)")
        }
    }
}
