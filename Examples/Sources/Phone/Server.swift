import Foundation

/// The account at a SIP registrar, such as `sip:ada@sip.example.org:5060`.
struct Server: Hashable, Sendable {
    let user: String
    /// A name or a numeric address, without brackets.
    let host: String
    let port: UInt16

    /// The host in a URI.
    var domain: String { host.contains(":") ? "[\(host)]" : host }

    /// Parses an address; nil if it is not one of this form. The port is optional.
    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[0].lowercased() == "sip" else { return nil }
        let names = parts[1].split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        guard names.count == 2, !names[0].isEmpty, names[0].utf8.allSatisfy(SIPMessage.isToken) else { return nil }
        let pattern = /(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+))(?::([0-9]{1,5}))?/
        guard let match = names[1].wholeMatch(of: pattern), let host = match.1 ?? match.2 else { return nil }
        let port = match.3.map { UInt16($0) } ?? 5060
        guard let port, port > 0 else { return nil }
        (user, self.host, self.port) = (names[0], String(host), port)
    }

    /// Reads the first line of `server.txt` that is not a comment.
    static func named(in documents: URL) throws(Problem) -> Server {
        let place = documents.appendingPathComponent("server.txt")
        let text = (try? String(contentsOf: place, encoding: .utf8)) ?? ""
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        guard let line = lines.first(where: { !$0.isEmpty && !$0.hasPrefix("#") }) else {
            throw Problem("write the address of a server into \(place.path)")
        }
        guard let server = Server(line) else {
            throw Problem("\"\(line)\" in server.txt is no address like sip:ada@sip.example.org:5060")
        }
        return server
    }
}
