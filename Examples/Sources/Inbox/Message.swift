import Foundation

/// A failure, described for the log.
struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A message, as its sender wrote it.
struct Message: Codable, Hashable, Sendable {
    /// The server's unique identifier for the message.
    let id: String
    let from: String
    let text: String
    var isRead = false

    /// The maximum length of an id, in characters.
    private static let longestID = 100

    /// The text for a notification and the log, always on one line.
    var line: String { Self.plain("\(from): \(text)") }

    /// Reads a message from a server or a push: an object with `id` and `text`, and usually `from`.
    static func parsed(_ value: Any) -> Result<Message, Problem> {
        guard let fields = value as? [String: Any] else { return .failure(Problem("it is no object")) }
        guard let id = fields["id"] as? String, !id.isEmpty else { return .failure(Problem("it has no id")) }
        guard id.count <= longestID, id == plain(id) else {
            return .failure(Problem("its id \"\(plain(String(id.prefix(longestID))))\" is not one short line"))
        }
        guard let text = fields["text"] as? String else { return .failure(Problem("message \(id) has no text")) }
        return .success(Message(id: id, from: fields["from"] as? String ?? "unknown sender", text: text))
    }

    /// Reads a server's response: a list of messages.
    static func list(in data: Data) throws(Problem) -> [Result<Message, Problem>] {
        guard let value = try? JSONSerialization.jsonObject(with: data) else {
            throw Problem("the answer is no JSON")
        }
        guard let list = value as? [Any] else { throw Problem("the answer is no list") }
        return list.map { parsed($0) }
    }

    /// Replaces line breaks and other control characters, which move a terminal's cursor.
    private static func plain(_ text: String) -> String {
        let isControl = { (character: Character) in
            character.isNewline || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        return String(text.map { isControl($0) ? " " : $0 })
    }
}
