internal import CRoostCurl
internal import LifeCycleModel
internal import RoostPorts

/// A request under way for an attempt, with its redirects. An attempt may send several requests, one after the other;
/// `number` identifies this one.
///
/// It belongs to the loop's thread. libcurl refers to it by its address, so the loop retains it until it has ended.
final class Request {
    /// The head of an answer that is being received.
    private struct Head {
        var status = 0
        var fields: [HTTPField] = []

        /// Adds a line `Name: value`. libcurl has already rejected a line of another form.
        mutating func add(_ line: UnsafeRawBufferPointer) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
            let isSpace: (UInt8) -> Bool = { $0 <= 0x20 }
            let value = line[(colon + 1)...].drop(while: isSpace)
            let end = value.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? value.startIndex
            fields.append(
                HTTPField(
                    name: String(decoding: line[..<colon], as: UTF8.self),
                    value: String(decoding: value[..<end], as: UTF8.self)))
        }
    }

    let handle: UnsafeMutableRawPointer
    let connections: AppConnections
    private(set) var isCanceled = false
    /// Whether libcurl does not read, until `resume` or `resumeInTurn`.
    private(set) var isPaused = false
    /// Whether it does not read because the request's turn was over.
    private var isOutOfTurn = false
    /// The thread's processor time after a whole turn in which nothing of the file arrived; nil if something has arrived
    /// since.
    private var fruitlessSince: Int64?
    private let attempt: Attempt
    private let loop: TransferLoop
    private let number: Int
    private let callbacks = UnsafeMutablePointer<croost_curl_callbacks>.allocate(capacity: 1)
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var isHandleOwned = true
    private var head = Head()
    /// Whether the next line is the first of a head.
    private var isAtHead = true
    /// The bytes and lines of all heads.
    private var headBytes = 0
    private var headLines = 0
    private var isInBody = false
    /// Whether only the end of the connection shows the end of the body.
    private var isUnlimited = false
    /// The TLS connection of the answer, and its socket.
    private var tls: OpaquePointer?
    private var socket: Int32?
    /// The reason why the request was ended here; nil if libcurl ended it.
    private var complaint: String?
    private var isRedirected = false
    /// Whether the head of a redirect is complete, and the next head has not begun.
    private var isInRedirect = false
    /// Whether the server has announced the end of the TLS connection.
    private var isEndAnnounced = false
    /// An address that was not connected to.
    private var refused: RefusedAddress?

    /// The most bytes and lines of all heads, with those of redirects.
    private static let mostHeadBytes = 128 << 10
    private static let mostHeadLines = 1024
    /// The most nanoseconds of processor time for whole turns in which nothing of the file arrived.
    private static let mostFruitlessTime: Int64 = 50_000_000
    /// The bytes of heads from which the handle is not reused, because libcurl keeps their memory.
    private static let mostKeptBytes = 16 << 10

    /// Prepares a request. Throws if libcurl does not accept it.
    init(
        _ form: RequestForm, _ question: Question, for attempt: Attempt, number: Int, by settings: RequestSettings,
        on connections: AppConnections, handle: UnsafeMutableRawPointer
    ) throws(RequestFailure) {
        self.attempt = attempt
        self.connections = connections
        loop = attempt.loop
        self.number = number
        self.handle = handle
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        callbacks.initialize(
            to: croost_curl_callbacks(
                head: { bytes, size, count, context in
                    Request.of(context).receiveHead(UnsafeRawBufferPointer(start: bytes, count: size * count))
                },
                body: { bytes, size, count, context in
                    Request.of(context).receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
                },
                address: { address, context in Request.of(context).allows(address) ? 0 : 1 },
                progress: { context in Request.of(context).progressed() },
                watcher: connections.watcher, context: Unmanaged.passUnretained(self).toOpaque()))
        for line in form.lines(for: question) { fields = curl_slist_append(fields, line) }
        let code = settings.withC { settings in
            croost_curl_prepare(
                handle, settings, callbacks, fields, errorText,
                attempt.offersHTTP2 ? CROOST_CURL_HTTP2_TOO : CROOST_CURL_HTTP1)
        }
        guard code == CURLE_OK, form.set(on: handle, isFresh: !question.isResumable) else {
            throw failure(code == CURLE_OK ? CURLE_OUT_OF_MEMORY : code)
        }
    }

    deinit {
        if isHandleOwned { curl_easy_cleanup(handle) }
        leaveConnection()
        curl_slist_free_all(fields)
        callbacks.deallocate()
        errorText.deallocate()
    }

    /// Returns the handle for reuse; nil if it is not worth that. libcurl no longer uses this request.
    func giveUpHandle() -> UnsafeMutableRawPointer? {
        guard isHandleOwned, headBytes <= Self.mostKeptBytes else { return nil }
        isHandleOwned = false
        return handle
    }

    /// Cancels the request. The attempt receives nothing more of it.
    func cancel() {
        isCanceled = true
        loop.cancel(self)
    }

    /// Resumes reading after `wait`.
    func resume() {
        // It resumes with its turn.
        if isOutOfTurn { return }
        isPaused = false
        // An error would also end the request.
        if !isCanceled { curl_easy_pause(handle, 0) }
    }

    /// Resumes reading, because it is the request's turn again.
    func resumeInTurn() {
        isOutOfTurn = false
        resume()
    }

    /// Limits the kernel's receive buffer for a server nearby.
    func limitReceiveBuffer() {
        guard let socket = connections.socket(of: self) else { return }
        croost_curl_limit_receive_buffer(socket, Self.nearby, Self.bufferNearby)
    }

    /// The receive buffer in bytes for a server with a round-trip time of less than `nearby` microseconds. It is enough
    /// for 250 MB per second, and for gigabytes on the same machine. By default the kernel would buffer many megabytes,
    /// and these would be lost with the process.
    private static let bufferNearby: Int32 = 256 << 10
    private static let nearby: UInt32 = 1000

    // MARK: Called by libcurl

    private static func of(_ context: UnsafeMutableRawPointer?) -> Request {
        // Always this object, because `init` sets it.
        Unmanaged<Request>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
    }

    private func allows(_ address: UnsafePointer<sockaddr>?) -> Bool {
        guard !attempt.core.options.allowsLinkLocal, let address, let refused = RefusedAddress(address) else {
            return true
        }
        self.refused = refused
        return false
    }

    /// Takes a line of a head. Returns the number of its bytes, or 0 to end the request.
    private func receiveHead(_ line: UnsafeRawBufferPointer) -> Int {
        headBytes += line.count
        headLines += 1
        if isCanceled { return 0 }
        guard headBytes <= Self.mostHeadBytes, headLines <= Self.mostHeadLines else { return end("a too large header") }
        // Lines after the body are trailers.
        if isInBody { return line.count }
        // The two parsers must agree on the beginning and the end of each head.
        guard line.starts(with: "HTTP/".utf8) == isAtHead else { return end("an invalid header") }
        if isAtHead {
            isAtHead = false
            (isInRedirect, fruitlessSince) = (false, nil)
            head = Head()
            head.status = Self.status(line)
            // libcurl goes by this line, even if the connection has the other version.
            guard line.starts(with: croost_curl_is_http2(handle) == 1 ? "HTTP/2".utf8 : "HTTP/1".utf8) else {
                return end("an invalid HTTP version")
            }
        } else if line.allSatisfy({ $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }) {
            isAtHead = true
            return endHead() ? line.count : 0
        } else if line.first.map({ $0 <= UInt8(ascii: " ") }) ?? true {
            // Also a line that continues the one before: programs differ in what they make of it.
            return end("an invalid header")
        } else {
            head.add(line)
        }
        return line.count
    }

    /// Ends the request, because the server sent `what`.
    private func end(_ what: String) -> Int {
        complaint = "it sent \(what)"
        return 0
    }

    private static func status(_ line: UnsafeRawBufferPointer) -> Int {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        return words.count > 1 ? Int(String(decoding: words[1].prefix { $0 > 0x20 }, as: UTF8.self)) ?? 0 : 0
    }

    /// Passes on a complete head. False if the request must end.
    private func endHead() -> Bool {
        // An answer of the kind "continue" comes before the real one.
        if (100..<200).contains(head.status) { return true }
        let url = isRedirected ? String(cString: croost_curl_url(handle)) : attempt.job.request.url
        let answer = Answer(
            response: TransferResponse(url: url, status: Int32(clamping: head.status), fields: head.fields))
        guard head.status == croost_curl_status(handle) else { return end("an invalid status") != 0 }
        if let fault = answer.fault { return end(fault) != 0 }
        if let location = answer.redirect {
            (isRedirected, isInRedirect) = (true, true)
            if head.status == 303 { croost_curl_continue_with_get(handle) }
            return attempt.redirected(from: url, to: location, for: number)
        }
        isInBody = true
        tls = croost_curl_watch_tls(handle)
        if tls != nil { socket = connections.socket(of: self) }
        guard attempt.answered(answer, for: number) else { return false }
        isUnlimited = attempt.isOfUnknownLength && !answer.isChunked && croost_curl_is_http2(handle) == 0
        return true
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        if isCanceled { return 0 }
        // The body of a redirect is dropped.
        guard isInBody else { return bytes.count }
        fruitlessSince = nil
        if connections.isOutOfTurn(self) {
            pauseForTurn()
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        switch attempt.arrived(bytes, for: number) {
        case .taken: return bytes.count
        case .wait:
            isPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        case .end: return 0
        }
    }

    /// libcurl has read something. Returns 0 to continue.
    private func progressed() -> Int32 {
        guard isInBody || isInRedirect, !isPaused, !isCanceled, connections.isOutOfTurn(self) else { return 0 }
        // Bytes outside the file take time, too: the bodies of redirects, and chunk extensions.
        let time = croost_curl_processor_time()
        fruitlessSince = fruitlessSince ?? time
        if time - (fruitlessSince ?? time) > Self.mostFruitlessTime {
            _ = end("too many bytes outside the file")
            return 1
        }
        // libcurl does not follow a redirect that was paused.
        if isInRedirect { return 0 }
        pauseForTurn()
        curl_easy_pause(handle, CURLPAUSE_RECV)
        return 0
    }

    private func pauseForTurn() {
        (isPaused, isOutOfTurn) = (true, true)
        connections.waitForTurn(self)
    }

    // MARK: The end

    func failure(_ code: CURLcode) -> RequestFailure {
        RequestFailure(
            code: code, errno: Int32(clamping: croost_curl_errno(handle)),
            verification: croost_curl_verification(handle), text: complaint ?? String(cString: errorText),
            refused: refused)
    }

    func ended(_ failure: RequestFailure?) {
        var failure = failure
        if failure == nil, isUnlimited, attempt.isSecure, !isEndAnnounced {
            failure = RequestFailure(code: CURLE_RECV_ERROR, text: "it ended without a TLS close alert")
        }
        if !isCanceled { attempt.requestEnded(failure, number) }
    }

    /// Gives up the connection. If OpenSSL has read more from it than the answer, no request may use it again.
    func leaveConnection() {
        guard let tls else { return }
        self.tls = nil
        if croost_curl_tls_has_unread(tls) == 1, let socket { connections.drop(socket) }
        isEndAnnounced = croost_curl_leave_tls(tls) == 1
    }
}

extension Request {
    /// The consequence of received bytes.
    enum Reception {
        case taken
        /// Nothing was taken: the bytes come again after `resume`.
        case wait
        case end
    }
}
