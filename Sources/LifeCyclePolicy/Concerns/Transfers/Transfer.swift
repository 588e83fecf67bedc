import LifeCycleModel

/// One task of a background session: its record and its progress.
///
/// ```
///   resting ──began──▶ active ──completed──▶ moving ──moved──▶ resting, its outcome pending
///      ▲                 │  │                   │
///      │               stop │                   └─ no room: tried again later
///      │                 ▼  │
///      └──stopped──── stopping
/// ```
struct Transfer: Hashable, Sendable, Codable {
    enum State: Hashable, Sendable, Codable {
        /// Nothing is under way: the transfer waits, or has ended.
        case resting
        /// The engine runs the transfer.
        case active(attempt: Int32)
        /// The engine is stopping the transfer; `partial` if the app wants the bytes that have arrived.
        case stopping(attempt: Int32, partial: Bool)
        /// The file is being moved into the app's container.
        case moving
    }

    /// The place in the session's queue.
    struct Queued: Hashable, Sendable, Codable {
        let place: TransferQueue.Place
        let lane: TransferQueue.Lane
    }

    /// The place in the queue, the timers, and the reason why the transfer itself waits.
    struct Places: Hashable, Sendable, Codable {
        var queued: Queued?
        var wallTimer: Nanoseconds?
        var steadyTimer: Nanoseconds?
        var limitTimer: Nanoseconds?
        var wait: TransferWait?
    }

    /// The part of a transfer that its session counts.
    struct Tally: Equatable {
        let number: Int64
        let isUnderWay: Bool
        let isFromBackground: Bool
        /// The place of the outcome; nil unless the outcome is pending.
        let place: Int64?
        /// The time until which the partial file is kept; nil unless the transfer is delivered and kept.
        let keptUntil: Nanoseconds?
        /// The size of the record's strings, in bytes.
        let weight: Int64
    }

    @Boxed var record: TransferRecord
    var state = State.resting
    /// The host, with its port, whose connections the transfer counts against.
    var host: String { didSet { isLocal = TransferURL.isLocal(host) } }
    /// Whether the server is on this machine, so that no network link is needed.
    private(set) var isLocal: Bool
    var hold: TransferHold?
    /// True until `earliestBegin` is reached and the app has been asked.
    var isEarly = false
    /// Whether the user wants the transfer at once.
    var isForced = false
    /// Whether the transfer has waited so long that it needs less from the device (R-52).
    var isRelaxed = false
    /// The number of attempts since the system began whose bytes were all thrown away.
    var wastedAttempts: Int32 = 0
    /// The number of times in a row, since the system began, that the carrier process ended during an attempt.
    var deaths: Int32 = 0
    var received: Int64
    var expected: Int64?
    /// The time since which the present wait lasts, on the wall clock.
    var since: Nanoseconds
    /// The wait of the last decision since the transfer was last under way; nil if there was no such decision.
    var reportedWait: TransferWait?
    /// The time at which the attempt began, on the steady clock.
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

    /// Whether the outcome is pending: the transfer has ended, and the app has not acknowledged that.
    var isOutcomePending: Bool {
        guard record.place >= 0, state == .resting else { return false }
        switch record.outcome {
        case .downloaded(_, _, let isMoved): return isMoved
        case .failed: return true
        case nil: return false
        }
    }

    /// Whether the outcome is delivered, and only the partial file is kept (R-62).
    var isKept: Bool { record.place < 0 }

    var tally: Tally {
        let isOutcomePending = isOutcomePending
        return Tally(
            number: record.id.number, isUnderWay: !isOutcomePending && !isKept,
            isFromBackground: record.isFromBackground,
            place: isOutcomePending ? record.place : nil, keptUntil: isKept ? keptUntil : nil, weight: record.weight)
    }

    /// The time until which the partial file is kept, on the steady clock. Records of older systems lack the time, and
    /// kept the file for a week.
    var keptUntil: Nanoseconds { record.keptUntil ?? record.made + .seconds(604_800) }

    /// Updates the record and returns it.
    mutating func keep() -> TransferRecord {
        record.hold = hold
        // After a restart of the system the app is asked again.
        if case .answer = hold { record.hold = nil }
        record.since = since
        return record
    }

    /// Whether the transfer has not ended yet.
    var isUnderWay: Bool { !isOutcomePending && !isKept }

    /// Whether an attempt of this task has reached the server. Bytes from a task that this task resumes do not count.
    var hasBegun: Bool { isActive || received > 0 && record.resumes == nil }

    /// Whether any attempt was made, according to the record.
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
    /// The conditions that the device has to meet before the transfer may begin (R-51, R-52).
    func need(by terms: TransferSession.Terms) -> TransferNeed {
        if isLocal { return .nothing }
        if terms.isDiscretionary || record.isFromBackground { return isRelaxed ? .relaxed : .discretion }
        return TransferNeed(terms.networks.and(record.request.networks))
    }

    /// Updates the places. Returns the old and the new places, and whether the user wants the transfer to begin at
    /// once.
    mutating func arrange(
        by terms: TransferSession.Terms, patience: Nanoseconds, at now: Nanoseconds
    ) -> (old: Places, new: Places, isForced: Bool) {
        let (old, new) = (places, places(by: terms, patience: patience))
        places = new
        if new.wait != old.wait, now > .zero { since = now }
        // The transfer left the queue and waits for something else first.
        if old.queued != nil, new.queued == nil, state == .resting { reportedWait = nil }
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

    /// The earliest time limit that no retry extends. At this time the transfer fails, needs less from the device, or
    /// is removed.
    private func limitTimer(_ need: TransferNeed, patience: Nanoseconds, timeout: Nanoseconds) -> Nanoseconds? {
        if isKept { return keptUntil }
        if state == .moving { return hold == nil ? nil : timeout }
        switch record.outcome {
        case .failed(let failure): return failure.resumable == nil ? nil : record.keptUntil
        case .downloaded: return nil
        case nil: break
        }
        // The time limit counts from when the transfer may begin (R-55).
        if isEarly || record.isSuspended && !wasTried { return nil }
        return isRelaxed || need != .discretion ? timeout : min(timeout, record.made + patience)
    }

    /// The reason why the transfer itself waits, apart from the device; nil if there is none.
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

/// The parts of a URL that the brain reads; the engine reads the rest.
enum TransferURL {
    /// Nil if the engine may try the request; otherwise the `NSURLError` code and the reason (R-53).
    static func problem(of request: TransferRequest) -> TransferFailure? {
        let url = request.url
        guard url.utf8.count <= TransferRequest.longestURL else {
            return TransferFailure(
                code: -1000, reason: "its URL has \(url.utf8.count) bytes; the maximum is \(TransferRequest.longestURL)"
            )
        }
        let fields = request.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard fields <= TransferRequest.longestFields else {
            return TransferFailure(
                code: -1000, reason: "its fields have \(fields) bytes; the maximum is \(TransferRequest.longestFields)")
        }
        guard request.fields.count <= TransferRequest.mostFields,
            request.fields.allSatisfy({ $0.hasGoodName && $0.hasGoodValue })
        else { return TransferFailure(code: -1000, reason: "invalid HTTP header, or too many headers") }
        guard (request.body?.utf8.count ?? 0) <= TransferRequest.longestBody else {
            return TransferFailure(code: -1000, reason: "the request body is too long")
        }
        do throws(WebAddress.Fault) {
            _ = try WebAddress(url)
            return nil
        } catch {
            return TransferFailure(code: error.code, reason: error.description)
        }
    }

    /// The host with its port, in lower case; nil if the URL has no host.
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

    /// Whether a host, which may have a port, names this machine by its special name (RFC 6761) or a loopback address.
    static func isLocal(_ host: String) -> Bool {
        if host.hasPrefix("[") { return host.hasPrefix("[::1]") }
        let name = Array(host.utf8).prefix { $0 != UInt8(ascii: ":") }
        return name.elementsEqual("localhost".utf8) || name.suffix(10).elementsEqual(".localhost".utf8)
            || name.starts(with: "127.".utf8)
                && name.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: ".") }
    }
}
