import LifeCycleModel

/// The wire format of news about a background session and its tasks.
extension TransferNews {
    private enum Kind: String, CaseIterable {
        case opened, listed, progressed, resumed, willBegin, downloaded, failed, eventsFinished, invalidated
    }

    init(_ field: JSONField) throws(WireError) {
        let parts = try field.object()
        func task() throws(WireError) -> Int64 { try parts["task"].positive() }
        self =
            switch try parts["kind"].choice(of: Kind.self) {
            case .opened:
                .opened(
                    TransferSessionID(app: AppID(try parts["app"].whole()), number: try parts["number"].positive()),
                    lowestFree: try parts["lowestFree"].positive())
            case .listed: .listed(try TransferSummary.list(parts["tasks"]), isLast: try parts["isLast"].bool())
            case .progressed:
                .progressed(
                    try task(), received: try parts["received"].count(),
                    expected: try parts["expected"].ifGiven?.count())
            case .resumed:
                .resumed(
                    try task(), offset: try parts["offset"].count(), expected: try parts["expected"].ifGiven?.count())
            case .willBegin: .willBegin(try task())
            case .downloaded:
                .downloaded(
                    try task(), file: try parts["file"].string(atMost: WireLimits.path),
                    try TransferResponse(parts["response"]), size: try parts["size"].count())
            case .failed: .failed(try task(), try TransferFailure(parts["failure"]))
            case .eventsFinished: .eventsFinished
            case .invalidated: .invalidated
            }
    }

    var json: JSON {
        func kind(_ kind: Kind) -> JSON { .string(kind.rawValue) }
        return switch self {
        case .opened(let session, let lowestFree):
            .object([
                "app": .integer(Int64(session.app.rawValue)), "kind": kind(.opened),
                "lowestFree": .integer(lowestFree), "number": .integer(Int64(session.number)),
            ])
        case .listed(let tasks, let isLast): Self.page(tasks, isLast: isLast, kind: Kind.listed.rawValue)
        case .progressed(let task, let received, let expected):
            .object([
                "expected": expected.map { .integer($0) }, "kind": kind(.progressed), "received": .integer(received),
                "task": .integer(task),
            ])
        case .resumed(let task, let offset, let expected):
            .object([
                "expected": expected.map { .integer($0) }, "kind": kind(.resumed), "offset": .integer(offset),
                "task": .integer(task),
            ])
        case .willBegin(let task): .object(["kind": kind(.willBegin), "task": .integer(task)])
        case .downloaded(let task, let file, let response, let size):
            .object([
                "file": .string(file), "kind": kind(.downloaded), "response": response.json, "size": .integer(size),
                "task": .integer(task),
            ])
        case .failed(let task, let failure):
            .object(["failure": failure.json, "kind": kind(.failed), "task": .integer(task)])
        case .eventsFinished: .object(["kind": kind(.eventsFinished)])
        case .invalidated: .object(["kind": kind(.invalidated)])
        }
    }

    /// A page that always fits in a message. If the next task has no room the page ends, and is not marked as the last,
    /// so that the app asks for more.
    private static func page(_ tasks: [TransferSummary], isLast: Bool, kind: String) -> JSON {
        var entries: [JSON] = []
        // The preceding session name takes at most 6 KiB.
        var room = WireLimits.message - 8 * 1024
        for task in tasks.prefix(mostListed) {
            let entry = task.json
            room -= entry.text.count + 1
            guard room >= 0 || entries.isEmpty else { break }
            entries.append(entry)
        }
        return .object([
            "isLast": .bool(isLast && entries.count == tasks.count), "kind": .string(kind), "tasks": .array(entries),
        ])
    }
}

extension TransferSummary {
    fileprivate init(_ field: JSONField) throws(WireError) {
        let parts = try field.object()
        self.init(
            number: try parts["number"].positive(), request: try TransferRequest(parts["request"]),
            text: try parts["text"].ifGiven?.string(atMost: TransferRequest.longestText),
            priority: try parts["priority"].whole(), earliestBegin: try parts["earliestBegin"].timeIfGiven(),
            isSuspended: try parts["isSuspended"].bool(), received: try parts["received"].count(),
            expected: try parts["expected"].ifGiven?.count())
    }

    /// Reads a page and validates it: not too long, sorted by number, without duplicates.
    fileprivate static func list(_ field: JSONField) throws(WireError) -> [TransferSummary] {
        let elements = try field.list()
        guard elements.count <= TransferNews.mostListed else {
            throw .invalidParameter(field: field.name, problem: "holds more than \(TransferNews.mostListed) tasks")
        }
        var tasks: [TransferSummary] = []
        for element in elements {
            let task = try TransferSummary(element)
            if let last = tasks.last, last.number >= task.number {
                throw .invalidParameter(field: element["number"].name, problem: "does not follow the one before it")
            }
            tasks.append(task)
        }
        return tasks
    }

    fileprivate var json: JSON {
        .object([
            "earliestBegin": earliestBegin.map { .integer($0.rawValue) }, "expected": expected.map { .integer($0) },
            "isSuspended": .bool(isSuspended), "number": .integer(number), "priority": .integer(Int64(priority)),
            "received": .integer(received), "request": request.json, "text": text.map { .string($0) },
        ])
    }
}

extension TransferResponse {
    fileprivate init(_ field: JSONField) throws(WireError) {
        let parts = try field.object()
        self.init(
            url: try parts["url"].string(atMost: TransferRequest.longestURL), status: try parts["status"].whole(),
            fields: try parts["fields"].headerFields())
    }

    /// The response, cut to the limits. If the app could not read it, the same response would be sent repeatedly.
    fileprivate var json: JSON {
        let fitting = fitting
        return .object([
            "fields": HTTPField.json(fitting.fields), "status": .integer(Int64(status)), "url": .string(fitting.url),
        ])
    }
}

extension TransferFailure {
    fileprivate init(_ field: JSONField) throws(WireError) {
        let parts = try field.object()
        self.init(
            code: try parts["code"].whole(), reason: try parts["reason"].string(),
            cancelledReason: try Self.cancelledReason(parts["cancelledReason"]),
            resumable: try Self.checkpoint(parts["resumable"]))
    }

    private static func cancelledReason(_ field: JSONField) throws(WireError) -> TransferCancelledReason? {
        guard let field = field.ifGiven else { return nil }
        guard let reason = TransferCancelledReason(rawValue: try field.whole()) else {
            throw .invalidParameter(field: field.name, problem: "is not 0, 1 or 2")
        }
        return reason
    }

    private static func checkpoint(_ field: JSONField) throws(WireError) -> TransferCheckpoint? {
        guard let parts = field.ifGiven else { return nil }
        return TransferCheckpoint(
            received: try parts["received"].count(), expected: try parts["expected"].ifGiven?.count(),
            validator: try parts["validator"].ifGiven?.string(), boot: try parts["boot"].string())
    }

    fileprivate var json: JSON {
        let checkpoint = resumable.map { checkpoint in
            JSON.object([
                "boot": .string(checkpoint.boot), "expected": checkpoint.expected.map { .integer($0) },
                "received": .integer(checkpoint.received), "validator": checkpoint.validator.map { .string($0) },
            ])
        }
        return .object([
            "cancelledReason": cancelledReason.map { .integer(Int64($0.rawValue)) }, "code": .integer(Int64(code)),
            "reason": .string(reason.prefix(bytes: Self.longestReason)), "resumable": checkpoint,
        ])
    }
}
