extension SIPMessage {
    /// Parses the start line and the fields, without the empty line after them.
    ///
    /// A line that is no field is skipped, because it may come from a caller instead of the server. Control characters
    /// become spaces, so that no copied value contains a line break.
    init(head: String) throws(Problem) {
        let lines = Self.lines(of: head)
        start = try Self.start(of: lines.first ?? "")
        for line in lines.dropFirst() {
            if line.first == " " || line.first == "\t" {
                // The rest of the field before.
                guard let field = fields.popLast() else { continue }
                fields.append(Field(name: field.name, value: "\(field.value) \(Self.plain(line))"))
            } else if let colon = line.firstIndex(of: ":") {
                let name = Self.plain(line[..<colon])
                guard name.utf8.allSatisfy(Self.isToken), !name.isEmpty else { continue }
                fields.append(Field(name: Self.usual(name), value: Self.plain(line[line.index(after: colon)...])))
            }
        }
    }

    /// Parses a start line.
    static func start(of line: String) throws(Problem) -> Start {
        let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        if words.count >= 2, words[0] == "SIP/2.0" {
            guard words[1].utf8.count == 3, let status = Int(words[1]), 100..<700 ~= status else {
                throw Problem("the server sends a response without a status")
            }
            return .response(status: status, reason: plain(words.count > 2 ? words[2] : ""))
        }
        guard words.count == 3, words[2] == "SIP/2.0", !words[0].isEmpty, !words[1].isEmpty,
            words[0].utf8.allSatisfy(isToken)
        else { throw Problem("the server does not speak SIP") }
        return .request(method: words[0], uri: plain(words[1]))
    }

    /// The length of the body. Without one correct length, the end of the message is unknown.
    func bodyLength(atMost most: Int) throws(Problem) -> Int {
        let values = Set(values(of: "Content-Length"))
        guard values.count == 1, let value = values.first, !value.isEmpty, value.utf8.allSatisfy({ 48...57 ~= $0 })
        else { throw Problem("the server sends a message without one Content-Length") }
        guard let length = Int(value), length <= most else { throw Problem("the server sends too large a message") }
        return length
    }

    /// Whether a byte may be part of a method or of a field's name.
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: "-.!%*_+`'~".utf8.contains(byte)
        }
    }

    private static let longForms = [
        "i": "Call-ID", "m": "Contact", "e": "Content-Encoding", "l": "Content-Length", "c": "Content-Type",
        "f": "From", "s": "Subject", "k": "Supported", "t": "To", "v": "Via", "call-id": "Call-ID", "cseq": "CSeq",
    ]

    /// The usual form of a field's name.
    private static func usual(_ name: String) -> String {
        let name = name.lowercased()
        return longForms[name]
            ?? name.split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
    }

    /// The lines, which end with CR LF.
    private static func lines(of text: String) -> [String] {
        // Swift counts CR LF as one character.
        text.split(separator: "\r\n" as Character, omittingEmptySubsequences: true).map(String.init)
    }

    private static func plain(_ text: some StringProtocol) -> String {
        let scalars = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view).trimming
    }
}

extension String {
    /// The same without spaces at both ends.
    var trimming: String {
        guard let first = firstIndex(where: { $0 != " " }), let last = lastIndex(where: { $0 != " " }) else {
            return ""
        }
        return String(self[first...last])
    }
}
