internal import LifeCycleModel
package import RoostHelpers
internal import RoostPorts

/// Messages as bytes. All input is checked: lengths, numbers and texts that no honest peer sends are `Malformed`.
extension CarrierOrder {
    /// The message, preceded by its length.
    package var frame: [UInt8] {
        Packer.frame { packer in
            switch self {
            case .settings(let settings):
                packer.put(UInt8(0))
                packer.put(settings.directory)
                packer.put(settings.bootID)
                packer.put(settings.additionalRoots) { $0.put($1) }
                packer.put(settings.user) { $0.put($1) }
                packer.put(settings.reservedAhead)
                packer.put(settings.roomLeft)
                packer.put(settings.allowsLinkLocal)
            case .begin(let job):
                packer.put(UInt8(1))
                packer.put(job)
            case .stop(let id):
                packer.put(UInt8(2))
                packer.put(id)
            }
        }
    }

    package init(_ bytes: ArraySlice<UInt8>) throws(Malformed) {
        var unpacker = Unpacker(bytes)
        switch try unpacker.number(UInt8.self) {
        case 0:
            var settings = CarrierSettings(
                directory: try unpacker.text(most: Limits.path), bootID: try unpacker.text(most: Limits.word))
            settings.additionalRoots = try unpacker.optional { reader throws(Malformed) in
                try reader.text(most: Limits.path)
            }
            settings.user = try unpacker.optional { reader throws(Malformed) in try reader.number() }
            settings.reservedAhead = try unpacker.size()
            settings.roomLeft = try unpacker.size()
            settings.allowsLinkLocal = try unpacker.flag()
            self = .settings(settings)
        case 1: self = .begin(try unpacker.job())
        case 2: self = .stop(try unpacker.id())
        default: throw Malformed()
        }
        guard unpacker.isAtEnd else { throw Malformed() }
    }
}

extension CarrierWord {
    /// The message, preceded by its length.
    package var frame: [UInt8] {
        Packer.frame { packer in
            switch self {
            case .report(let report):
                packer.put(UInt8(0))
                packer.put(report)
            case .resting: packer.put(UInt8(1))
            case .gaveUp(let reason):
                packer.put(UInt8(2))
                packer.put(reason)
            }
        }
    }

    package init(_ bytes: ArraySlice<UInt8>) throws(Malformed) {
        var unpacker = Unpacker(bytes)
        switch try unpacker.number(UInt8.self) {
        case 0: self = .report(try unpacker.report())
        case 1: self = .resting
        case 2: self = .gaveUp(try unpacker.text(most: TransferFailure.longestReason))
        default: throw Malformed()
        }
        guard unpacker.isAtEnd else { throw Malformed() }
    }
}

extension TransferCheckpoint {
    /// The longest validator in bytes.
    package static var longestValidator: Int { 1024 }
}

private enum Limits {
    static let path = 4096
    static let word = 256
    static let validator = TransferCheckpoint.longestValidator
    /// The longest list of transfers whose partial file a job may reuse.
    static let donors = 4096
    static let method = 32
    /// The longest delay before a retry: one week.
    static let wait = Nanoseconds.seconds(604_800)
}

// MARK: Orders

extension Packer {
    fileprivate mutating func put(_ id: TransferID) {
        put(id.session.app.rawValue)
        put(id.session.number)
        put(id.number)
    }

    fileprivate mutating func put(_ fields: [HTTPField]) {
        put(fields) { packer, field in
            packer.put(field.name)
            packer.put(field.value)
        }
    }

    fileprivate mutating func put(_ checkpoint: TransferCheckpoint?) {
        put(checkpoint) { packer, checkpoint in
            packer.put(checkpoint.received)
            packer.put(checkpoint.expected) { $0.put($1) }
            packer.put(checkpoint.validator) { $0.put($1) }
            packer.put(checkpoint.boot)
        }
    }

    fileprivate mutating func put(_ job: TransferJob) {
        put(job.id)
        put(job.attempt)
        put(job.request.url)
        put(job.request.method)
        put(job.request.fields)
        put(job.request.body) { $0.put($1) }
        put(job.checkpoint)
        put(job.resumes) { $0.put($1) }
        put(job.requestTimeout.rawValue)
    }
}

extension Unpacker {
    fileprivate mutating func id() throws(Malformed) -> TransferID {
        TransferID(
            session: TransferSessionID(app: AppID(try number()), number: try number()), number: try number())
    }

    fileprivate mutating func size() throws(Malformed) -> Int64 {
        let size: Int64 = try number()
        guard size >= 0 else { throw Malformed() }
        return size
    }

    fileprivate mutating func expected() throws(Malformed) -> Int64? {
        try optional { reader throws(Malformed) in try reader.size() }
    }

    fileprivate mutating func fields() throws(Malformed) -> [HTTPField] {
        try list(most: TransferRequest.mostFields) { reader throws(Malformed) in
            let field = HTTPField(
                name: try reader.text(most: TransferRequest.longestFields),
                value: try reader.text(most: TransferRequest.longestFields))
            guard field.hasGoodName, field.hasGoodValue else { throw Malformed() }
            return field
        }
    }

    fileprivate mutating func checkpoint() throws(Malformed) -> TransferCheckpoint? {
        try optional { reader throws(Malformed) in
            let received = try reader.size()
            let expected = try reader.expected()
            let validator = try reader.optional { reader throws(Malformed) in
                try reader.text(most: Limits.validator)
            }
            guard received <= expected ?? .max,
                validator.map({ HTTPField(name: "etag", value: $0).hasGoodValue }) ?? true
            else { throw Malformed() }
            return TransferCheckpoint(
                received: received, expected: expected, validator: validator, boot: try reader.text(most: Limits.word))
        }
    }

    fileprivate mutating func job() throws(Malformed) -> TransferJob {
        let (id, attempt) = (try id(), try number(Int32.self))
        var request = TransferRequest(url: try text(most: TransferRequest.longestURL))
        request.method = try text(most: Limits.method)
        request.fields = try fields()
        request.body = try optional { reader throws(Malformed) in try reader.text(most: TransferRequest.longestBody) }
        let checkpoint = try checkpoint()
        let resumes = try list(most: Limits.donors) { reader throws(Malformed) in try reader.id() }
        return TransferJob(
            id: id, attempt: attempt, request: request, checkpoint: checkpoint, resumes: resumes,
            requestTimeout: Nanoseconds(try number()))
    }
}

// MARK: Reports

extension Packer {
    fileprivate mutating func put(_ report: TransferReport) {
        switch report {
        case .responded(let id, let attempt, let offset, let expected):
            put(0, id, attempt)
            put(offset)
            put(expected) { $0.put($1) }
        case .progressed(let id, let attempt, let received, let expected):
            put(1, id, attempt)
            put(received)
            put(expected) { $0.put($1) }
        case .checkpointed(let id, let attempt, let checkpoint):
            put(2, id, attempt)
            put(checkpoint)
        case .completed(let id, let attempt, let response, let size):
            put(3, id, attempt)
            put(response.url)
            put(response.status)
            put(response.fields)
            put(size)
        case .failed(let id, let attempt, let problem):
            put(4, id, attempt)
            put(problem)
        case .stopped(let id, let attempt, let checkpoint):
            put(5, id, attempt)
            put(checkpoint)
        // A carrier never sends this report, because the supervisor moves the files.
        case .moved(let id, _): put(6, id, 0)
        }
    }

    private mutating func put(_ kind: UInt8, _ id: TransferID, _ attempt: Int32) {
        put(kind)
        put(id)
        put(attempt)
    }

    private mutating func put(_ problem: TransferProblem) {
        put(problem.code)
        put(problem.reason)
        put(problem.isRetryable)
        put(problem.retryAfter) { $0.put($1.rawValue) }
        put(problem.isForLackOfRoom)
        put(problem.wastesBytes)
        put(problem.checkpoint)
    }
}

extension Unpacker {
    fileprivate mutating func report() throws(Malformed) -> TransferReport {
        let (kind, id, attempt) = (try number(UInt8.self), try id(), try number(Int32.self))
        switch kind {
        case 0: return .responded(id, attempt: attempt, offset: try size(), expected: try expected())
        case 1: return .progressed(id, attempt: attempt, received: try size(), expected: try expected())
        case 2:
            guard let checkpoint = try checkpoint() else { throw Malformed() }
            return .checkpointed(id, attempt: attempt, checkpoint)
        case 3:
            let response = TransferResponse(
                url: try text(most: TransferRequest.longestURL), status: try number(), fields: try fields())
            guard (0...999).contains(response.status), response == response.fitting else { throw Malformed() }
            return .completed(id, attempt: attempt, response, size: try size())
        case 4: return .failed(id, attempt: attempt, try problem())
        case 5: return .stopped(id, attempt: attempt, try checkpoint())
        default: throw Malformed()
        }
    }

    private mutating func problem() throws(Malformed) -> TransferProblem {
        var problem = TransferProblem(
            code: try number(), reason: try text(most: TransferFailure.longestReason), isRetryable: try flag())
        problem.retryAfter = try optional { reader throws(Malformed) in
            let time = Nanoseconds(try reader.number())
            guard Nanoseconds.zero <= time, time <= Limits.wait else { throw Malformed() }
            return time
        }
        problem.isForLackOfRoom = try flag()
        problem.wastesBytes = try flag()
        problem.checkpoint = try checkpoint()
        // The codes of NSURLErrorDomain.
        guard (-4000 ... -1).contains(problem.code) else { throw Malformed() }
        return problem
    }
}
