import Foundation

/// The user's entries, stored in a file in the app's documents.
final class Journal {
    private let file: URL
    private(set) var entries: [String] = []
    private(set) var isSaved = true

    init(folder: URL) {
        file = folder.appendingPathComponent("journal.json")
    }

    func load() {
        guard let data = try? Data(contentsOf: file) else { return }
        entries = (try? JSONDecoder().decode([String].self, from: data)) ?? []
    }

    func add(_ entry: String) {
        entries.append(entry)
        isSaved = false
    }

    func save() throws {
        guard !isSaved else { return }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try JSONEncoder().encode(entries).write(to: file, options: .atomic)
        isSaved = true
    }
}
