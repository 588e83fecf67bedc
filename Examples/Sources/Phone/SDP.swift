/// Descriptions of a call's media (RFC 8866), for a phone without sound.
enum SDP {
    /// The media type of a description.
    static let type = "application/sdp"
    /// The most media that an answer accepts or refuses.
    private static let mostMedia = 16

    /// The answer to an offer. It accepts the first audio without sending or receiving, and refuses all other media.
    /// Without an offer, it is an offer itself.
    ///
    /// - Parameter address: The numeric address of this side.
    static func answer(to offer: [UInt8], from address: String) -> [UInt8] {
        let kind = address.contains(":") ? "IP6" : "IP4"
        var lines = [
            "v=0", "o=- 1 1 IN \(kind) \(address)", "s=-", "c=IN \(kind) \(address)", "t=0 0",
        ]
        var hasAudio = false
        let media = Self.media(in: offer)
        for medium in media {
            let isFirst = medium.kind == "audio" && !hasAudio
            lines.append("m=\(medium.kind) \(isFirst ? discard : 0) \(medium.transport) \(medium.format)")
            if isFirst { lines.append("a=inactive") }
            hasAudio = hasAudio || isFirst
        }
        if media.isEmpty { lines += ["m=audio \(discard) RTP/AVP 0", "a=inactive"] }
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    /// The port that receives nothing. Port 0 would refuse a medium.
    private static let discard = 9

    private static func media(in offer: [UInt8]) -> [(kind: Substring, transport: Substring, format: Substring)] {
        String(decoding: offer, as: UTF8.self).split(whereSeparator: \.isNewline).filter { $0.hasPrefix("m=") }
            .prefix(mostMedia).compactMap { line in
                let words = line.dropFirst(2).split(separator: " ")
                return words.count < 4 ? nil : (words[0], words[2], words[3])
            }
    }
}
