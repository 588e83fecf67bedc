import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// A reader for a podcast's RSS feed.
final class Feed: NSObject, XMLParserDelegate {
    private(set) var show = ""
    private(set) var episodes: [Episode] = []

    private var path: [String] = []
    private var text = ""
    private var title = ""
    private var guid = ""
    private var published = Date.distantPast
    private var audio: URL?

    /// The episodes in `data`; nil if it is not a feed.
    static func episodes(in data: Data) -> [Episode]? {
        let feed = Feed()
        let parser = XMLParser(data: data)
        parser.delegate = feed
        guard parser.parse(), !feed.show.isEmpty else { return nil }
        return feed.episodes
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        path.append(name)
        text = ""
        switch name {
        case "item": (title, guid, published, audio) = ("", "", .distantPast, nil)
        case "enclosure": audio = attributes["url"].flatMap { URL(string: $0) }
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, foundCDATA block: Data) { text += String(decoding: block, as: UTF8.self) }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        let value = text.trimmingCharacters(in: .whitespacesAndNewlines)
        text = ""
        path.removeLast()
        switch (path.last, name) {
        case ("channel", "title"): show = value
        case ("item", "title"): title = value
        case ("item", "guid"): guid = value
        case ("item", "pubDate"): published = Self.dates.date(from: value) ?? .distantPast
        case ("channel", "item"):
            guard let audio else { return }
            episodes.append(
                Episode(
                    guid: guid.isEmpty ? audio.absoluteString : guid, title: title.isEmpty ? "Untitled" : title,
                    show: show, audio: audio, published: published))
        default: break
        }
    }

    /// RFC 822 dates, which RSS uses.
    private static let dates = {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "EEE, d MMM yyyy HH:mm:ss Z"
        return format
    }()
}
