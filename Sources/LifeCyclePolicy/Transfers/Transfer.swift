import LifeCycleModel

/// One task of a background session: its record, and how far the system is with it.
///
/// ```
///   resting ──began──▶ active ──completed──▶ moving ──moved──▶ resting, its outcome owed
///      ▲                 │  │                   │
///      │               stop │                   └─ no room: tried again later
///      │                 ▼  │
///      └──stopped──── stopping
/// ```
struct Transfer: Hashable, Sendable, Codable {
    enum State: Hashable, Sendable, Codable {
        /// Nothing is under way: it waits, or it is over.
        case resting
        /// The engine carries it.
        case active(attempt: Int32)
        /// The engine is to stop it; `partial` where the app wants what has arrived.
        case stopping(attempt: Int32, partial: Bool)
        /// Its file is brought into the app's container.
        case moving
    }

    /// Where it stands in its session's queue.
    struct Queued: Hashable, Sendable, Codable {
        let place: TransferQueue.Place
        let lane: TransferQueue.Lane
    }

    var record: TransferRecord
    var state = State.resting
    /// The host, with its port, that it takes a connection of.
    var host: String
    var hold: TransferHold?
    /// Until `earliestBegin` is reached, and the app has been asked.
    var isEarly = false
    /// The user wants it at once.
    var isForced = false
    /// It has been patient for so long that little has to be right (R-52).
    var isRelaxed = false
    /// How often it was tried since the system began, and all that came was thrown away.
    var vainTries: Int32 = 0
    /// How often in a row, since the system began, the process that carried it ended under it.
    var deaths: Int32 = 0
    var received: Int64
    var expected: Int64?
    /// Since when it waits for what it waits for, on the wall clock.
    var since: Nanoseconds
    var wait: TransferWait?
    /// What was decided that it waits for, since it was last under way.
    var toldWait: TransferWait?
    /// When its attempt began, on the steady clock.
    var begun = Nanoseconds.zero
    var queued: Queued?
    /// Whether its server is on this machine, which no link leads to.
    var isLocal: Bool { TransferURL.isLocal(host) }
    var wallTimer: Nanoseconds?
    var steadyTimer: Nanoseconds?
    var limitTimer: Nanoseconds?

    init(_ record: TransferRecord, since: Nanoseconds) {
        self.record = record
        self.since = since
        host = TransferURL.host(of: record.request.url) ?? ""
        received = record.checkpoint?.received ?? 0
        expected = record.checkpoint?.expected
        if case .downloaded(_, let size, _) = record.outcome { (received, expected) = (size, size) }
        if record.outcome == nil { hold = record.hold }
    }

    /// Whether the app is to hear of it: it has come to its end, with all that takes.
    var isOwed: Bool {
        guard record.place >= 0, state == .resting else { return false }
        switch record.outcome {
        case .downloaded(_, _, let isMoved): return isMoved
        case .failed: return true
        case nil: return false
        }
    }

    /// Whether it is delivered, and only kept for what has arrived (R-62).
    var isKept: Bool { record.place < 0 }

    /// Until when, on the steady clock; what an older system kept does not say.
    var keptUntil: Nanoseconds { record.keptUntil ?? record.made + .seconds(604_800) }

    /// What is to be kept of it now.
    var recordToKeep: TransferRecord {
        var record = record
        record.hold = hold
        // After the system's restart the app is asked again.
        if case .answer = hold { record.hold = nil }
        record.since = since
        return record
    }

    /// Whether it is still to come to its end.
    var isUnderWay: Bool { !isOwed && !isKept }

    /// Whether an attempt of its own has come as far as the server; what it was made to go on with is no such thing.
    var hasBegun: Bool { isActive || received > 0 && record.resumes == nil }

    /// Whether anything of it has been tried, as far as is kept.
    var wasTried: Bool { hasBegun || record.failures > 0 }

    var isActive: Bool {
        switch state {
        case .active, .stopping: true
        case .resting, .moving: false
        }
    }

    var attempt: Int32? {
        switch state {
        case .active(let attempt), .stopping(let attempt, _): attempt
        case .resting, .moving: nil
        }
    }

    var summary: TransferSummary {
        TransferSummary(
            number: record.id.number, request: record.request, text: record.text, priority: record.priority,
            earliestBegin: record.earliestBegin, isSuspended: record.isSuspended, received: received, expected: expected
        )
    }
}

/// What of a URL the brain looks at; what is left is the engine's to read.
enum TransferURL {
    /// Nil where the engine may try it, else the `NSURLError` code and why not (R-53).
    static func problem(of request: TransferRequest) -> TransferFailure? {
        let url = request.url
        guard url.utf8.count <= TransferRequest.longestURL else {
            return TransferFailure(
                code: -1000, reason: "its URL has \(url.utf8.count) bytes; \(TransferRequest.longestURL) are the most")
        }
        let fields = request.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard fields <= TransferRequest.longestFields else {
            return TransferFailure(
                code: -1000, reason: "its fields have \(fields) bytes; \(TransferRequest.longestFields) are the most")
        }
        guard request.fields.count <= TransferRequest.mostFields,
            request.fields.allSatisfy({ $0.hasGoodName && $0.hasGoodValue })
        else { return TransferFailure(code: -1000, reason: "one of its fields is none, or they are too many") }
        guard (request.body?.utf8.count ?? 0) <= TransferRequest.longestBody else {
            return TransferFailure(code: -1000, reason: "what is to be sent with it is too long")
        }
        do throws(WebAddress.Fault) {
            _ = try WebAddress(url)
            return nil
        } catch {
            return TransferFailure(code: error.code, reason: error.description)
        }
    }

    /// The host with its port, in small letters; nil where there is none.
    static func host(of url: String) -> String? {
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")), url.utf8[colon...].starts(with: "://".utf8)
        else { return nil }
        let authority = url.utf8[colon...].dropFirst(3).prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        var host = authority
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { host = authority[at...].dropFirst() }
        guard let first = host.first, first != UInt8(ascii: ":") else { return nil }
        return Substring(host).lowercased()
    }

    /// Whether a host, with its port, is this machine by its very name (RFC 6761) or address.
    static func isLocal(_ host: String) -> Bool {
        if host.hasPrefix("[") { return host.hasPrefix("[::1]") }
        let name = host.utf8.prefix { $0 != UInt8(ascii: ":") }
        return name.elementsEqual("localhost".utf8) || name.suffix(10).elementsEqual(".localhost".utf8)
            || name.starts(with: "127.".utf8)
                && name.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: ".") }
    }
}
