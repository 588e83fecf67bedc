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

    /// Its place in the queue, its timers, and what it waits for of its own.
    struct Places: Hashable, Sendable, Codable {
        var queued: Queued?
        var wallTimer: Nanoseconds?
        var steadyTimer: Nanoseconds?
        var limitTimer: Nanoseconds?
        var wait: TransferWait?
    }

    /// The part of it that its session counts.
    struct Tally: Equatable {
        let number: Int64
        let isUnderWay: Bool
        let isFromBackground: Bool
        /// The place of its outcome; nil unless the outcome is owed.
        let place: Int64?
        /// The end of its time; nil unless it is kept.
        let keptUntil: Nanoseconds?
        /// The size of its record's strings, in bytes.
        let weight: Int64
    }

    @Boxed var record: TransferRecord
    var state = State.resting
    /// The host, with its port, that it takes a connection of.
    var host: String { didSet { isLocal = TransferURL.isLocal(host) } }
    /// Whether its server is on this machine, which no link leads to.
    private(set) var isLocal: Bool
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
    /// What was decided that it waits for, since it was last under way.
    var toldWait: TransferWait?
    /// When its attempt began, on the steady clock.
    var begun = Nanoseconds.zero
    var places = Places()

    init(_ record: TransferRecord, since: Nanoseconds) {
        _record = Boxed(wrappedValue: record)
        self.since = since
        host = TransferURL.host(of: record.request.url) ?? ""
        isLocal = TransferURL.isLocal(host)
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

    var tally: Tally {
        let isOwed = isOwed
        return Tally(
            number: record.id.number, isUnderWay: !isOwed && !isKept, isFromBackground: record.isFromBackground,
            place: isOwed ? record.place : nil, keptUntil: isKept ? keptUntil : nil, weight: record.weight)
    }

    /// Until when, on the steady clock; what an older system kept does not say.
    var keptUntil: Nanoseconds { record.keptUntil ?? record.made + .seconds(604_800) }

    /// Updates its record and returns it.
    mutating func keep() -> TransferRecord {
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

extension Transfer {
    /// The need of the transfer that the device has to meet before the transfer may begin (R-51, R-52).
    func need(by terms: TransferSession.Terms) -> TransferNeed {
        if isLocal { return .nothing }
        if terms.isDiscretionary || record.isFromBackground { return isRelaxed ? .relaxed : .discretion }
        return TransferNeed(terms.networks.and(record.request.networks))
    }

    /// Updates its places. Returns the old and the new ones, and whether it waits to begin at once.
    mutating func arrange(
        by terms: TransferSession.Terms, patience: Nanoseconds, at now: Nanoseconds
    ) -> (old: Places, new: Places, isForced: Bool) {
        let (old, new) = (places, places(by: terms, patience: patience))
        places = new
        if new.wait != old.wait, now > .zero { since = now }
        // It waits for something else first.
        if old.queued != nil, new.queued == nil, state == .resting { toldWait = nil }
        return (old, new, isForced && state == .resting && record.outcome == nil)
    }

    private func places(by terms: TransferSession.Terms, patience: Nanoseconds) -> Places {
        let (wait, need) = (ownWait, need(by: terms))
        let isQueued = state == .resting && record.outcome == nil && wait == nil && !isForced
        return Places(
            queued: isQueued
                ? Queued(
                    place: TransferQueue.Place(rank: -max(0, record.priority), number: record.id.number),
                    lane: TransferQueue.Lane(host: host, need: need))
                : nil,
            wallTimer: isEarly ? record.earliestBegin : nil, steadyTimer: hold?.until,
            limitTimer: limitTimer(need, patience: patience, timeout: record.made + terms.resourceTimeout), wait: wait)
    }

    /// The earliest time limit that no retry extends: the transfer fails, stops waiting for good conditions, or is forgotten.
    private func limitTimer(_ need: TransferNeed, patience: Nanoseconds, timeout: Nanoseconds) -> Nanoseconds? {
        if isKept { return keptUntil }
        if state == .moving { return hold == nil ? nil : timeout }
        switch record.outcome {
        case .failed(let failure): return failure.resumable == nil ? nil : record.keptUntil
        case .downloaded: return nil
        case nil: break
        }
        // Its time is counted from when it may begin (R-55).
        if isEarly || record.isSuspended && !wasTried { return nil }
        return isRelaxed || need != .discretion ? timeout : min(timeout, record.made + patience)
    }

    /// The reason why the transfer itself waits, whatever the device allows; nil if there is none.
    var ownWait: TransferWait? {
        switch state {
        case .stopping: return .stop
        case .active: return nil
        case .moving:
            if case .retry = hold { return .retry }
            return hold == nil ? nil : .disk
        case .resting: break
        }
        if record.outcome != nil { return nil }
        if record.isSuspended { return .suspended }
        if record.isPaused { return .paused }
        switch hold {
        case .retry(_, let isAsked): return isAsked ? .server : .retry
        case .room: return .disk
        case .delay: return .resumptionDelay
        case .answer: return .answer
        case nil: return isEarly ? .earliestBegin : nil
        }
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
        let bytes = Array(url.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8)
        else { return nil }
        let authority = bytes[(colon + 3)...].prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        var host = authority
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { host = authority[at...].dropFirst() }
        guard let first = host.first, first != UInt8(ascii: ":") else { return nil }
        return String(decoding: host, as: UTF8.self).lowercased()
    }

    /// Whether a host, with its port, is this machine by its very name (RFC 6761) or address.
    static func isLocal(_ host: String) -> Bool {
        if host.hasPrefix("[") { return host.hasPrefix("[::1]") }
        let name = Array(host.utf8).prefix { $0 != UInt8(ascii: ":") }
        return name.elementsEqual("localhost".utf8) || name.suffix(10).elementsEqual(".localhost".utf8)
            || name.starts(with: "127.".utf8)
                && name.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: ".") }
    }
}
