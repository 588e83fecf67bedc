internal import LifeCycleModel

/// What was asked of a server.
struct Question: Hashable {
    /// The method in capitals.
    var method = "GET"
    /// From which byte on; 0 asks for the whole.
    var offset: Int64 = 0
    /// The version the bytes so far are of, as `If-Range` has it.
    var validator: String?
    /// The whole length, where an earlier answer told it.
    var expected: Int64?
    /// The app asks for a part, by a field of its own: what comes is the whole of what it wants.
    var hasOwnRange = false
    /// Something is sent with it.
    var hasBody = false

    /// Whether an interrupted answer may be gone on with later.
    var isResumable: Bool { method == "GET" && !hasOwnRange && !hasBody }
}

/// A body that is worth taking.
struct ExpectedBody: Hashable {
    /// Where in the file it begins.
    var offset: Int64
    /// How many bytes it has; nil where only its end tells.
    var length: Int64?
    /// The length of the whole resource, where it is known.
    var total: Int64?
    /// What the version is known by afterwards; nil where it can't be resumed.
    var validator: String?

    /// Where in the file it ends.
    var end: Int64? { length.map { offset + $0 } }
}

/// What to do with an answer.
enum Verdict: Hashable {
    case take(ExpectedBody)
    /// It is not the rest of what is there: ask for the whole.
    case askAnew
    case fail(TransferProblem)
}

/// An answer's head, and what follows from it.
///
/// Two versions of a resource are never put together: where anything about a 206 differs from what was asked for, the
/// whole is asked for again.
struct Answer: Hashable {
    let response: TransferResponse

    /// The value of the first field of this name, in small letters.
    func field(_ name: String) -> String? {
        response.fields.first { Self.isNamed($0.name.utf8, name.utf8) }?.value
    }

    private static func isNamed(_ name: String.UTF8View, _ small: String.UTF8View) -> Bool {
        name.elementsEqual(small) { $0 == $1 || (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= $0 && $0 | 0x20 == $1 }
    }

    func verdict(to question: Question, at now: Nanoseconds) -> Verdict {
        switch response.status {
        case 206 where !question.hasOwnRange: part(of: question)
        case 416 where question.offset > 0: .askAnew
        case 429, 503: .fail(.busy(response, retryAfter: retryAfter(at: now)))
        // Nothing of the rest came: what is there is as good as before.
        case 408 where question.offset > 0, 500... where question.offset > 0:
            .fail(.noRest(response, retryAfter: retryAfter(at: now)))
        // Those to HTTP have been followed.
        case 301, 302, 303, 307, 308: strayRedirect.map { .fail($0) } ?? .take(whole(for: question))
        default: .take(whole(for: question))
        }
    }

    private var strayRedirect: TransferProblem? {
        field("location").map { .strayRedirect(response, to: $0) }
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
        else { return .askAnew }
        return .take(
            ExpectedBody(offset: range.first, length: range.count, total: total, validator: question.validator))
    }

    /// Whether this 206 is of the version `If-Range` named, by what is in it: a server that knows no `If-Range` sends a
    /// part of whatever it has. One that does may leave `Last-Modified` out: then the whole comes again, which is no loss
    /// but of time.
    private func isOfVersion(_ validator: String?) -> Bool {
        guard let validator else { return false }
        return field(Self.isStrong(validator) ? "etag" : "last-modified") == validator
    }

    private var contentLength: Int64? {
        guard field("transfer-encoding") == nil else { return nil }
        return field("content-length").flatMap { ContentRange.number($0[...]) }
    }

    /// What this version is known by: a strong `ETag`, or a `Last-Modified` that is strong since the resource had rested
    /// for a second when it was sent. Nil where it can't be resumed.
    var validator: String? {
        if field("accept-ranges")?.lowercased() == "none" { return nil }
        if let tag = field("etag"), Self.isStrong(tag) { return tag }
        guard let modified = field("last-modified"), let last = HTTPDate.seconds(modified),
            let sent = field("date").flatMap(HTTPDate.seconds), last < sent
        else { return nil }
        return modified
    }

    private static func isStrong(_ tag: String) -> Bool {
        tag.utf8.count >= 2 && tag.utf8.count <= 1024 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
    }

    /// `Retry-After`: seconds, or a date, which is taken by the server's own clock where it shows it.
    func retryAfter(at now: Nanoseconds) -> Nanoseconds? {
        guard let text = field("retry-after") else { return nil }
        if let seconds = ContentRange.number(text[...]) { return .seconds(min(seconds, Self.longestRetry)) }
        guard let date = HTTPDate.seconds(text) else { return nil }
        let sent = field("date").flatMap(HTTPDate.seconds) ?? now.rawValue / 1_000_000_000
        return .seconds(max(0, min(date - sent, Self.longestRetry)))
    }

    /// A week, in seconds: nothing waits longer.
    private static let longestRetry: Int64 = 604_800
}
