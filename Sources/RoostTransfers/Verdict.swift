internal import LifeCycleModel
internal import RoostCarrier

/// The parts of a request that decide how its answer is handled.
struct Question: Hashable {
    /// The method, in upper case.
    var method = "GET"
    /// The first byte that is wanted; 0 for the whole resource.
    var offset: Int64 = 0
    /// The version of the existing bytes, for `If-Range`.
    var validator: String?
    /// The length of the whole resource, if an earlier answer had it; nil if unknown.
    var expected: Int64?
    /// Whether the app itself requests a range. The answer is then the whole download.
    var hasOwnRange = false
    /// Whether the request has a body.
    var hasBody = false

    /// Whether an interrupted answer can be resumed later.
    var isResumable: Bool { method == "GET" && !hasOwnRange && !hasBody }
}

/// A body to receive.
struct ExpectedBody: Hashable {
    /// The offset in the file.
    var offset: Int64
    /// The length of the body in bytes; nil if only the end of the body shows its length.
    var length: Int64?
    /// The length of the whole resource; nil if unknown.
    var total: Int64?
    /// The validator of this version; nil if the transfer cannot be resumed.
    var validator: String?

    /// The offset of the end in the file; nil if unknown.
    var end: Int64? { length.map { offset + $0 } }
}

/// The consequence of an answer.
enum Verdict: Hashable {
    case take(ExpectedBody)
    /// The answer does not continue the existing bytes: ask for the whole resource.
    case askForWhole
    case fail(TransferProblem)
}

/// The head of an answer, and its consequence.
///
/// Two versions of a resource are never mixed. If anything in a 206 answer differs from the question, the whole
/// resource is requested again.
struct Answer: Hashable {
    let response: TransferResponse

    /// The first field with a name, which is given in lower case; nil if no field has it.
    func field(_ name: String) -> String? {
        response.fields.first { Self.isNamed($0.name.utf8, name.utf8) }?.value
    }

    private static func isNamed(_ name: String.UTF8View, _ small: String.UTF8View) -> Bool {
        // Most names differ in length already.
        guard name.count == small.count else { return false }
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return name.elementsEqual(small) { $0 == $1 || capitals ~= $0 && $0 | 0x20 == $1 }
    }

    func verdict(to question: Question, at now: Nanoseconds) -> Verdict {
        switch response.status {
        case 206 where !question.hasOwnRange: part(of: question)
        case 416 where question.offset > 0: .askForWhole
        case 429, 503: .fail(.busy(response, retryAfter: retryAfter(at: now)))
        // The server sent none of the missing bytes, so the existing bytes remain valid.
        case 408 where question.offset > 0, 500... where question.offset > 0:
            .fail(.noRest(response, retryAfter: retryAfter(at: now)))
        case ..<100: .fail(.unusableStatus(response))
        default: .take(whole(for: question))
        }
    }

    /// The reason why libcurl might understand this answer in another way than Roost; nil if there is none.
    var fault: String? {
        let codings = values("transfer-encoding")
        // libcurl would also decode compressed bodies, which may be much larger than what was received.
        if let other = codings.first(where: { !["chunked", "identity"].contains($0.lowercased()) }) {
            return "transfer coding “\(other.prefix(40))”"
        }
        let lengths = values("content-length")
        // With any coding libcurl ignores the length.
        if !codings.isEmpty, !isChunked, !lengths.isEmpty { return "a transfer coding and a Content-Length" }
        if codings.isEmpty, lengths.contains(where: { ContentRange.number($0[...]) == nil }) {
            return "invalid Content-Length"
        }
        return values("location").count > 1 ? "more than one Location" : nil
    }

    /// Whether the body shows its own end.
    var isChunked: Bool { values("transfer-encoding").contains { $0.lowercased() == "chunked" } }

    private func values(_ name: String) -> [String] {
        response.fields.filter { Self.isNamed($0.name.utf8, name.utf8) }.map(\.value)
    }

    /// The target of a redirect, which libcurl follows; nil for any other answer.
    var redirect: String? {
        guard (300..<400).contains(response.status), let location = field("location"), !location.isEmpty else {
            return nil
        }
        return location
    }

    private func whole(for question: Question) -> ExpectedBody {
        let hasNoBody = question.method == "HEAD" || response.status == 204 || response.status == 304
        let length = hasNoBody ? 0 : contentLength
        return ExpectedBody(
            offset: 0, length: length, total: length,
            validator: question.isResumable && response.status == 200 ? validator : nil)
    }

    private func part(of question: Question) -> Verdict {
        guard question.offset > 0 else { return .fail(.unaskedPart(response)) }
        guard let range = field("content-range").flatMap(ContentRange.init), range.first == question.offset,
            contentLength ?? range.count == range.count,
            let total = range.total ?? question.expected, range.last < total,
            total == question.expected ?? total, isOfVersion(question.validator)
        else { return .askForWhole }
        return .take(
            ExpectedBody(offset: range.first, length: range.count, total: total, validator: question.validator))
    }

    /// Whether the fields of this 206 answer show the version that `If-Range` named. A server without support for
    /// `If-Range` sends a part of any version. A server with support may omit `Last-Modified`; the whole resource is
    /// then sent again, which only costs time.
    private func isOfVersion(_ validator: String?) -> Bool {
        guard let validator else { return false }
        return field(Self.isStrong(validator) ? "etag" : "last-modified") == validator
    }

    private var contentLength: Int64? {
        guard field("transfer-encoding") == nil else { return nil }
        return field("content-length").flatMap { ContentRange.number($0[...]) }
    }

    /// The validator of this version: a strong `ETag`, or a strong `Last-Modified`. The latter is strong if the
    /// resource was unchanged for a second when it was sent. Nil if the version cannot be resumed.
    var validator: String? {
        if field("accept-ranges")?.lowercased() == "none" { return nil }
        if let tag = field("etag"), Self.isStrong(tag), Self.isUsable(tag) { return tag }
        guard let modified = field("last-modified"), Self.isUsable(modified), let last = HTTPDate.seconds(modified),
            let sent = field("date").flatMap(HTTPDate.seconds), last < sent
        else { return nil }
        return modified
    }

    private static func isStrong(_ tag: String) -> Bool {
        tag.utf8.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
    }

    /// Whether a validator may be in a checkpoint.
    private static func isUsable(_ validator: String) -> Bool {
        validator.utf8.count <= TransferCheckpoint.longestValidator
            && HTTPField(name: "etag", value: validator).hasGoodValue
    }

    /// The delay from `Retry-After`: seconds or a date. A date is relative to the server's own `Date`, if the answer
    /// has this field. Nil without the field.
    func retryAfter(at now: Nanoseconds) -> Nanoseconds? {
        guard let text = field("retry-after") else { return nil }
        if let seconds = ContentRange.number(text[...]) { return .seconds(min(seconds, Self.longestRetry)) }
        guard let date = HTTPDate.seconds(text) else { return nil }
        let sent = field("date").flatMap(HTTPDate.seconds) ?? now.rawValue / 1_000_000_000
        return .seconds(max(0, min(date - sent, Self.longestRetry)))
    }

    /// The longest delay in seconds, a week.
    private static let longestRetry: Int64 = 604_800
}
