import Foundation

actor ArticleStore {
    private let folder: URL

    init(folder: URL) {
        self.folder = folder
    }

    var count: Int { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).count }

    func holds(_ number: Int) -> Bool {
        FileManager.default.fileExists(atPath: file(number).path)
    }

    func save(_ text: String, as number: Int) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file(number), options: .atomic)
    }

    private func file(_ number: Int) -> URL {
        folder.appendingPathComponent("\(number).txt")
    }
}
