/// The value of a field such as `From`: a name, a URI and a tag.
struct SIPAddress: Hashable, Sendable {
    /// The longest name, in characters.
    private static let longestName = 100

    /// The display name; nil if there is none.
    let name: String?
    let uri: String
    /// The parameter `tag`; nil if there is none.
    let tag: String?

    /// Parses `"Ada" <sip:ada@example.org>;tag=1`, or the same without a name and brackets. Nil without a URI.
    init?(_ value: String) {
        let parameters: Substring
        let (name, rest) = Self.splitName(value)
        if rest.first == "<" {
            guard let end = rest.firstIndex(of: ">") else { return nil }
            uri = rest[rest.index(after: rest.startIndex)..<end].trimmed
            parameters = rest[rest.index(after: end)...]
        } else {
            let end = rest.firstIndex(of: ";") ?? rest.endIndex
            uri = rest[..<end].trimmed
            parameters = rest[end...]
        }
        guard !uri.isEmpty, !uri.contains(" "), uri.contains(":") else { return nil }
        self.name = name.isEmpty ? nil : String(name.prefix(Self.longestName))
        tag = Self.tag(in: parameters)
    }

    /// The parameter `tag`. Further addresses may follow after a comma.
    private static func tag(in parameters: Substring) -> String? {
        for parameter in parameters.prefix(while: { $0 != "," }).split(separator: ";") {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0].trimmed.lowercased() == "tag" { return parts[1].trimmed }
        }
        return nil
    }

    /// The text to display: the name, or otherwise the part of the URI before the host.
    var caller: String {
        if let name { return name }
        let user = uri.split(separator: ":", maxSplits: 1).last?.prefix { $0 != "@" && $0 != ";" } ?? ""
        return String(user.prefix(Self.longestName))
    }

    /// The name without its quotes, and the text from the URI on.
    private static func splitName(_ value: String) -> (name: String, rest: Substring) {
        let text = Substring(value.trimming)
        guard text.first == "\"" else {
            guard let bracket = text.firstIndex(of: "<") else { return ("", text) }
            return (text[..<bracket].trimmed, text[bracket...])
        }
        var name = ""
        var isEscaped = false
        for index in text.indices.dropFirst() {
            switch text[index] {
            case let character where isEscaped:
                name.append(character)
                isEscaped = false
            case "\\": isEscaped = true
            case "\"": return (name.trimming, text[text.index(after: index)...].drop { $0 == " " })
            case let character: name.append(character)
            }
        }
        return (name, "")
    }
}

extension Substring {
    /// The same without spaces at both ends.
    fileprivate var trimmed: String { String(self).trimming }
}
