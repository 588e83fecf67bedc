import Foundation

/// The messages, in a file that is rewritten completely with each change. Main thread only.
@MainActor
final class Mailbox {
    private(set) var messages: [Message] = []
    /// The reason why writing is forbidden; nil if it is allowed. It protects a file that cannot be read.
    private var obstacle: Problem?
    private let documents: URL
    private var file: URL { documents.appendingPathComponent("messages.json") }

    init(home: URL = URL(fileURLWithPath: NSHomeDirectory())) {
        documents = home.appendingPathComponent("Documents")
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        do {
            messages = try JSONDecoder().decode([Message].self, from: try Data(contentsOf: file))
        } catch {
            setAside(error)
        }
    }

    /// The unread messages, the oldest first.
    var unread: [Message] { messages.filter { !$0.isRead } }

    /// The server's address: the first line of `Documents/server.txt` that is not a comment.
    func server() throws(Problem) -> URL {
        let place = documents.appendingPathComponent("server.txt")
        let text = (try? String(contentsOf: place, encoding: .utf8)) ?? ""
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        guard let line = lines.first(where: { !$0.isEmpty && !$0.hasPrefix("#") }) else {
            throw Problem("write the address of a server into \(place.path)")
        }
        guard let url = URL(string: line), url.scheme == "http" || url.scheme == "https", url.host != nil else {
            throw Problem("\"\(line)\" in server.txt is no web address")
        }
        return url
    }

    /// Adds the messages that are not known yet, and returns them. If they cannot be stored, adds no message.
    func add(_ fresh: [Message]) throws -> [Message] {
        var known = Set(messages.map(\.id))
        let new = fresh.filter { known.insert($0.id).inserted }
        if !new.isEmpty { try change { $0 += new } }
        return new
    }

    /// Marks a message as read and returns it; nil if there is no message with this id.
    func read(_ id: String) throws -> Message? {
        guard let index = messages.firstIndex(where: { $0.id == id }) else { return nil }
        if !messages[index].isRead { try change { $0[index].isRead = true } }
        return messages[index]
    }

    private func change(_ change: (inout [Message]) -> Void) throws {
        if let obstacle { throw obstacle }
        var changed = messages
        change(&changed)
        try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
        try JSONEncoder().encode(changed).write(to: file, options: .atomic)
        messages = changed
    }

    /// Keeps an unreadable file under another name, and starts a new file.
    private func setAside(_ problem: any Error) {
        let name = "messages-\(Int(Date().timeIntervalSince1970)).unreadable"
        let place = documents.appendingPathComponent(name)
        do {
            try FileManager.default.moveItem(at: file, to: place)
            print("cannot read the messages, starting with none; the old file is \(name): \(problem)")
        } catch {
            let obstacle = Problem("\(file.path) can be neither read nor moved away: \(error)")
            print(obstacle)
            self.obstacle = obstacle
        }
    }
}
