import LifeCycleModel

/// The wire format of an app's actions on a background session.
extension TransferAct {
    private enum Kind: String, CaseIterable {
        case open, make, resume, suspend, cancel, setPriority, setText, setEarliestBegin, setExpectedToReceive, proceed
        case list, acknowledge, finishTasksAndInvalidate, invalidateAndCancel, handled
    }

    init(_ field: JSONField) throws(WireError) {
        let parts = try field.object()
        func task() throws(WireError) -> Int64 { try parts["task"].positive() }
        self =
            switch try parts["kind"].choice(of: Kind.self) {
            case .open: .open(try TransferSessionConfiguration(parts["configuration"]))
            case .make:
                .make(
                    NewTransfer(
                        number: try task(), request: try TransferRequest(parts["request"]),
                        resumes: try Self.resumed(parts["resumes"])))
            case .resume: .resume(try task())
            case .suspend: .suspend(try task())
            case .cancel: .cancel(try task(), keepsPartial: try parts["keepsPartial"].bool())
            case .setPriority: .setPriority(try task(), try Self.priority(parts["priority"]))
            case .setText:
                .setText(try task(), try parts["text"].ifGiven?.string(atMost: TransferRequest.longestText))
            case .setEarliestBegin: .setEarliestBegin(try task(), try parts["time"].timeIfGiven())
            case .setExpectedToReceive: .setExpectedToReceive(try task(), try parts["count"].ifGiven?.count())
            case .proceed: .proceed(try task(), try DelayedRequestDisposition(parts))
            case .list: .list(after: try parts["after"].count())
            case .acknowledge: .acknowledge(try Self.outcomes(parts["tasks"]))
            case .finishTasksAndInvalidate: .finishTasksAndInvalidate
            case .invalidateAndCancel: .invalidateAndCancel
            case .handled: .handled
            }
    }

    private static func resumed(_ field: JSONField) throws(WireError) -> TransferID? {
        guard let field = field.ifGiven else { return nil }
        return try TransferID(field)
    }

    private static func priority(_ field: JSONField) throws(WireError) -> Int32 {
        let priority = try field.whole(Int32.self)
        guard (0...1000).contains(priority) else {
            throw .invalidParameter(field: field.name, problem: "is not from 0 to 1000")
        }
        return priority
    }

    private static func outcomes(_ field: JSONField) throws(WireError) -> [Int64] {
        let elements = try field.list()
        guard elements.count <= mostAcknowledged else {
            throw .invalidParameter(field: field.name, problem: "holds more than \(mostAcknowledged) tasks")
        }
        var numbers: [Int64] = []
        for element in elements { numbers.append(try element.positive()) }
        return numbers
    }

    var json: JSON {
        func json(_ kind: Kind, task: Int64? = nil) -> JSON {
            .object(["kind": .string(kind.rawValue), "task": task.map { .integer($0) }])
        }
        func kind(_ kind: Kind) -> JSON { .string(kind.rawValue) }
        return switch self {
        case .open(let configuration): .object(["configuration": configuration.json, "kind": kind(.open)])
        case .make(let new):
            .object([
                "kind": kind(.make), "request": new.request.json, "resumes": new.resumes?.json,
                "task": .integer(new.number),
            ])
        case .resume(let task): json(.resume, task: task)
        case .suspend(let task): json(.suspend, task: task)
        case .cancel(let task, let keepsPartial):
            .object(["keepsPartial": .bool(keepsPartial), "kind": kind(.cancel), "task": .integer(task)])
        case .setPriority(let task, let priority):
            .object([
                "kind": kind(.setPriority), "priority": .integer(Int64(priority)), "task": .integer(task),
            ])
        case .setText(let task, let text):
            .object(["kind": kind(.setText), "task": .integer(task), "text": text.map { .string($0) }])
        case .setEarliestBegin(let task, let time):
            .object([
                "kind": kind(.setEarliestBegin), "task": .integer(task), "time": time.map { .integer($0.rawValue) },
            ])
        case .setExpectedToReceive(let task, let count):
            .object([
                "count": count.map { .integer($0) }, "kind": kind(.setExpectedToReceive), "task": .integer(task),
            ])
        case .proceed(let task, let answer):
            .object([
                "disposition": .string(answer.word), "kind": kind(.proceed), "request": answer.request?.json,
                "task": .integer(task),
            ])
        case .list(let after): .object(["after": .integer(after), "kind": kind(.list)])
        case .acknowledge(let tasks):
            .object(["kind": kind(.acknowledge), "tasks": .array(tasks.map { .integer($0) })])
        case .finishTasksAndInvalidate: json(.finishTasksAndInvalidate)
        case .invalidateAndCancel: json(.invalidateAndCancel)
        case .handled: json(.handled)
        }
    }
}

extension DelayedRequestDisposition {
    private enum Word: String, CaseIterable { case continueLoading, useNewRequest, cancel }

    fileprivate init(_ parts: JSONField) throws(WireError) {
        self =
            switch try parts["disposition"].choice(of: Word.self) {
            case .continueLoading: .continueLoading
            case .useNewRequest: .useNewRequest(try TransferRequest(parts["request"]))
            case .cancel: .cancel
            }
    }

    fileprivate var word: String {
        switch self {
        case .continueLoading: Word.continueLoading.rawValue
        case .useNewRequest: Word.useNewRequest.rawValue
        case .cancel: Word.cancel.rawValue
        }
    }

    fileprivate var request: TransferRequest? {
        if case .useNewRequest(let request) = self { request } else { nil }
    }
}
