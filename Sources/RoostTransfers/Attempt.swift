internal import CRoost
internal import CRoostCurl
internal import Dispatch
internal import LifeCycleModel
internal import RoostCarrier
internal import RoostPorts

/// One attempt at a transfer.
///
///     new ─► opening ─► asking ─► receiving ─► ending ─► ended
///               │         ▲ │         │           ▲
///               │         └─┘ again   │           │
///               └─────────┴───────────┴───────────┘ a failure, or stopped
///
/// All state belongs to the loop's thread, and each entry point checks that it runs there; therefore `@unchecked`.
final class Attempt: @unchecked Sendable {
    enum Phase {
        case new
        /// The partial file is being examined.
        case opening
        /// A request has been sent.
        case asking
        case receiving(ExpectedBody)
        case ending
        case ended
    }

    let job: TransferJob
    let core: EngineCore
    let carrier: Carrier
    let loop: TransferLoop
    /// Runs the blocking calls on the file, in order.
    private(set) lazy var disk = Carrier.queue("file")
    let file: PartialFile

    var phase = Phase.new

    // MARK: Requests and answers

    private let form: Result<RequestForm, Refusal>
    /// The existing bytes that the attempt may resume from.
    private var basis = PartialFile.Start.fromStart
    /// Whether the file could not be examined, so that its checkpoint stays valid.
    private var isUnseen: Bool
    private var question = Question()
    /// The number of the current request. Events of earlier requests are ignored.
    private(set) var asks = 0
    private var hasAskedTwice = false
    private(set) var offersHTTP2 = false
    private(set) var current: Request?
    /// The URL of the last answer, after redirects.
    private var visited: String
    /// The URL of the last request.
    private var asked: String
    var response: TransferResponse?

    // MARK: Received data

    var received: Int64 = 0
    var expected: Int64?
    var validator: String?
    /// The body that starts at the beginning, while the file still has its old content; nil otherwise.
    private var unbegun: ExpectedBody?
    var flow = Flow()
    private var lastByte = SuspendingClock.now

    init(_ job: TransferJob, core: EngineCore, carrier: Carrier) {
        self.job = job
        self.core = core
        self.carrier = carrier
        isUnseen = job.checkpoint != nil
        loop = carrier.loop
        file = PartialFile(job.id, in: core.files, core.options, room: core.room)
        form = Result { () throws(Refusal) in try RequestForm(job.request) }
        visited = job.request.url
        asked = visited
    }

    /// Begins the attempt, from any thread.
    func start() { loop.execute { self.begin() } }

    /// Stops the attempt and retains the received bytes, from any thread.
    func stop() { loop.execute { self.wasStopped() } }

    private func begin() {
        guard case .new = phase else { return }
        carrier.attemptBegan()
        if case .failure(let refusal) = form { return end(.failed(refusal.problem)) }
        guard let checkpoint = job.checkpoint else { return ask() }
        phase = .opening
        let (id, files, file) = (job.id, core.files, file)
        let bootID = core.options.bootID
        let donors = job.resumes.filter { $0 != id && !core.isBusy($0) }
        disk.async {
            for donor in donors { files.hand(from: donor, to: id) }
            let result = Result { () throws(SystemError) in try file.open(for: checkpoint, bootID: bootID) }
            self.loop.execute { self.opened(result) }
        }
    }

    private func opened(_ result: Result<PartialFile.Start, SystemError>) {
        if case .success(let start) = result {
            // If the attempt was stopped meanwhile, its file is parked with this basis.
            basis = start
            isUnseen = false
        }
        guard case .opening = phase else { return }
        switch result {
        case .success: ask()
        case .failure(let error): end(.failed(.disk(error, url: job.request.url)))
        }
    }

    private func wasStopped() {
        switch phase {
        case .new:
            // The partial file was not even examined.
            phase = .ended
            core.reports.post(.stopped(job.id, attempt: job.attempt, job.checkpoint))
            core.finished(job.id)
        case .opening, .asking, .receiving: end(.stopped)
        case .ending, .ended: break
        }
    }

    // MARK: Requests

    private func ask() {
        guard case .success(let form) = form else { return }
        if let refused = refusedAddress(form.url.address.host) {
            return end(.failed(.refused(refused, url: job.request.url)))
        }
        phase = .asking
        current?.cancel()
        asks += 1
        question = form.question(from: basis)
        lastByte = .now
        loop.expect(self, by: lastByte + timeout)
        do throws(RequestFailure) {
            guard let connections = loop.connections(of: job.id.session.app), let handle = loop.takeHandle() else {
                throw RequestFailure(code: CURLE_OUT_OF_MEMORY)
            }
            let request = try Request(
                form, question, for: self, number: asks, by: core.settings, on: connections, handle: handle)
            current = request
            loop.begin(request)
        } catch {
            end(.failed(problem(error)))
        }
    }

    private var timeout: Duration { .nanoseconds(max(1, min(job.requestTimeout, .seconds(31_536_000)).rawValue)) }

    /// Handles the timers that are due. Returns the time of the next timer; nil if the attempt has ended.
    func timePasses(_ now: SuspendingClock.Instant) -> SuspendingClock.Instant? {
        let beat = beatIfDue(now)
        // While the disk is slow, the server's timeout does not run.
        let silence = (flow.isPaused ? now : lastByte) + timeout
        if silence <= now {
            end(.failed(.timedOut(asked, after: job.requestTimeout)))
            return nil
        }
        return min(silence, beat ?? silence)
    }

    // MARK: Answers

    /// Handles a redirect. False if it must not be followed.
    func redirected(from url: String, to location: String, for number: Int) -> Bool {
        loop.preconditionIsCurrent()
        guard number == asks, case .asking = phase else { return false }
        (visited, asked) = (url, url)
        lastByte = .now
        do throws(WebAddress.Fault) {
            let next = try WebURL(location, from: url)
            asked = next.text
            guard let refused = refusedAddress(next.address.host) else { return true }
            end(.failed(.refused(refused, url: asked)))
        } catch {
            end(.failed(.unusableRedirect(from: url, to: location, error)))
        }
        return false
    }

    /// The refused address that a host names literally; nil if the host is allowed or is a name.
    private func refusedAddress(_ host: String) -> RefusedAddress? {
        core.options.allowsLinkLocal ? nil : RefusedAddress(host: host)
    }

    /// Handles the head of an answer. False if its body is not wanted.
    func answered(_ answer: Answer, for number: Int) -> Bool {
        loop.preconditionIsCurrent()
        guard number == asks, case .asking = phase else { return false }
        (visited, asked) = (answer.response.url, answer.response.url)
        lastByte = .now
        switch answer.verdict(to: question, at: Nanoseconds(croost_realtime())) {
        case .take(let body):
            take(body, of: answer.response)
            return true
        case .askForWhole:
            basis = .fromStart
            ask()
        case .fail(let problem): end(.failed(problem))
        }
        return false
    }

    private func take(_ body: ExpectedBody, of response: TransferResponse) {
        phase = .receiving(body)
        // The limited response is the part that the app can receive.
        self.response = response.fitting
        if response.url.utf8.count > TransferRequest.longestURL { self.response?.url = job.request.url }
        received = body.offset
        expected = body.total
        validator = body.validator
        flow.begin(at: body.offset, now: .now)
        let isShort = body.total ?? .max <= Self.worthAWord
        if !isShort { current?.limitReceiveBuffer() }
        let report = TransferReport.responded(
            job.id, attempt: job.attempt, offset: body.offset, expected: body.total)
        // With a partial file, the report is sent at once, because its bytes may be lost.
        if isShort, job.checkpoint == nil, job.resumes.isEmpty {
            core.reports.postWithNext(report)
        } else {
            core.reports.post(report)
        }
        guard body.offset == 0 else {
            disk.async { [file] in file.goOn(to: body.total) }
            return
        }
        unbegun = body
        // A short body is created, written and synced together at its end.
        if !isShort { beginFile() }
    }

    /// The body for which the file has not been emptied yet; nil otherwise. The caller must then empty the file.
    func takeUnbegun() -> ExpectedBody? {
        defer { unbegun = nil }
        return unbegun
    }

    /// Empties the file for a new body, unless it was emptied before.
    func beginFile() {
        guard let body = takeUnbegun() else { return }
        let (file, replaces, number) = (file, job.checkpoint != nil, asks)
        disk.async {
            let result = Result { () throws(SystemError) in try file.startOver(body, replacing: replaces) }
            self.loop.execute { self.startedOver(result, number) }
        }
    }

    private func startedOver(_ result: Result<Void, SystemError>, _ number: Int) {
        guard number == asks, case .receiving(let body) = phase else { return }
        switch result {
        case .success:
            // Records the version, so that the transfer can resume after a crash in this boot.
            if body.total ?? .max > Self.worthAWord, body.validator != nil { postCheckpoint(0) }
        case .failure(let error): diskFailed(error)
        }
    }

    /// The size from which the beginning of a transfer is reported and recorded. After a crash, shorter transfers start
    /// over.
    private static let worthAWord: Int64 = 1 << 20

    func arrived(_ bytes: UnsafeRawBufferPointer, for number: Int) -> Request.Reception {
        loop.preconditionIsCurrent()
        guard number == asks, case .receiving(let body) = phase else { return .end }
        if mustWait() { return .wait }
        if let end = body.end, received + Int64(bytes.count) > end {
            validator = nil
            self.end(.failed(.tooMuch(visited, expected: end)))
            return .end
        }
        received += Int64(bytes.count)
        lastByte = .now
        gather(bytes)
        return .taken
    }

    func requestEnded(_ failure: RequestFailure?, _ number: Int) {
        loop.preconditionIsCurrent()
        guard number == asks else { return }
        current = nil
        switch (phase, failure) {
        case (.receiving(let body), nil):
            if received == body.end ?? received, received == body.total ?? received {
                complete()
            } else {
                end(.failed(.endedEarly(visited, received: received, expected: expected)))
            }
        case (.receiving, let failure?):
            end(
                .failed(
                    failure.code == CURLE_PARTIAL_FILE
                        ? .endedEarly(visited, received: received, expected: expected) : problem(failure)))
        case (.asking, let failure?) where mayAskAgain(after: failure):
            hasAskedTwice = true
            ask()
        case (.asking, let failure?): diagnose(failure, number)
        case (.asking, nil):
            end(.failed(.endedEarly(visited, received: 0, expected: nil)))
        case (.new, _), (.opening, _), (.ending, _), (.ended, _): break
        }
    }

    private func mayAskAgain(after failure: RequestFailure) -> Bool {
        if failure.refusesHTTP1, !offersHTTP2, question.isResumable || asked == job.request.url {
            // The server refused during the handshake, so it has received no request.
            offersHTTP2 = true
            return true
        }
        // An idle connection may be closed by the server just as it is reused.
        return failure.isWithoutAnswer && question.isResumable && !hasAskedTwice
    }

    private func problem(_ failure: RequestFailure) -> TransferProblem {
        failure.problem(url: asked, host: askedHost, redirects: core.options.redirects)
    }

    /// Whether a body is being received whose length is unknown.
    var isOfUnknownLength: Bool {
        if case .receiving(let body) = phase { body.length == nil } else { false }
    }

    /// Whether the current answer comes by HTTPS.
    var isSecure: Bool { asked.lowercased().hasPrefix("https:") }

    private var askedHost: String { (try? WebURL(asked))?.address.host ?? asked }

    /// Reports a failure without any answer. For an unknown host, finds out whether the name does not exist or its
    /// lookup failed.
    private func diagnose(_ failure: RequestFailure, _ number: Int) {
        let problem = problem(failure)
        guard problem.code == URLErrorCode.cannotFindHost else { return end(.failed(problem)) }
        carrier.names.isSurelyNotThere(askedHost) { isSurelyNotThere in
            var problem = problem
            problem.isRetryable = !isSurelyNotThere
            self.loop.execute { [problem] in if number == self.asks { self.end(.failed(problem)) } }
        }
    }

    func diskFailed(_ error: SystemError) { end(.failed(.disk(error, url: job.request.url))) }

    // MARK: The end

    enum Outcome {
        case stopped
        case failed(TransferProblem)
    }

    private func complete() {
        guard let response else { return }
        phase = .ending
        if let block = takeWhole() { return bring(block, response) }
        beginFile()
        quiet()
        let (file, size) = (file, received)
        disk.async {
            let result = Result { () throws(SystemError) in try file.finish(size: size) }
            self.loop.execute {
                switch result {
                case .success:
                    self.ended(.completed(self.job.id, attempt: self.job.attempt, response, size: size))
                case .failure(let error):
                    self.park(.failed(.disk(error, url: self.job.request.url)))
                }
            }
        }
    }

    /// Writes and syncs a short body together with the short bodies of other transfers.
    private func bring(_ block: Block, _ response: TransferResponse) {
        quiet()
        let (file, size, id, number) = (file, received, job.id, job.attempt)
        core.commits.enqueue(
            GroupCommit.Job { () throws(SystemError) in
                defer { self.release(block) }
                try file.bring(block.bytes)
                return nil
            } sync: { () throws(SystemError) in
                try file.finishButForDirectory()
            } outcome: { error in
                if let error {
                    self.loop.execute { self.park(.failed(.disk(error, url: self.job.request.url))) }
                    return false
                }
                self.carrier.attemptEnded()
                self.core.reports.postWithNext(.completed(id, attempt: number, response, size: size))
                return true
            } reported: {
                self.core.finished(id)
            },
            by: carrier)
    }

    /// Ends the attempt before the body is complete, and syncs the received bytes.
    func end(_ outcome: Outcome) {
        switch phase {
        case .ending, .ended: return
        case .new, .opening, .asking, .receiving: break
        }
        let wasLookedAt: Bool
        if case .new = phase { wasLookedAt = false } else { wasLookedAt = true }
        phase = .ending
        asks += 1
        quiet()
        current?.cancel()
        current = nil
        if wasLookedAt { park(outcome) } else { parked(outcome, job.checkpoint) }
    }

    private func park(_ outcome: Outcome) {
        let (file, files, id) = (file, core.files, job.id)
        disk.async {
            let length = file.park()
            self.loop.execute {
                if self.isUnseen { return self.parked(outcome, self.job.checkpoint) }
                let checkpoint = self.checkpoint(of: length)
                if checkpoint == nil { self.disk.async { files.remove(id) } }
                self.disk.async { self.loop.execute { self.parked(outcome, checkpoint) } }
            }
        }
    }

    /// The checkpoint to resume from, with `length` bytes on disk; nil if the transfer must start over.
    private func checkpoint(of length: Int64?) -> TransferCheckpoint? {
        guard let length, length > 0 else { return nil }
        let (version, whole) =
            response == nil || unbegun != nil ? (basis.validator, basis.expected) : (validator, expected)
        guard let version else { return nil }
        return TransferCheckpoint(received: length, expected: whole, validator: version, boot: core.options.bootID)
    }

    private func parked(_ outcome: Outcome, _ checkpoint: TransferCheckpoint?) {
        switch outcome {
        case .stopped: ended(.stopped(job.id, attempt: job.attempt, checkpoint))
        case .failed(var problem):
            problem.checkpoint = checkpoint
            // URLs from a server may have any length.
            problem.reason = problem.reason.prefix(bytes: TransferFailure.longestReason)
            ended(.failed(job.id, attempt: job.attempt, problem))
        }
    }

    /// Stops the timers; the received bytes are written.
    private func quiet() {
        loop.forget(self)
        settle()
    }

    private func ended(_ report: TransferReport) {
        // A checkpoint that is still being synced uses its own descriptor and these threads.
        whenSynced {
            self.phase = .ended
            self.carrier.attemptEnded()
            self.core.reports.post(report)
            self.core.finished(self.job.id)
        }
    }
}
