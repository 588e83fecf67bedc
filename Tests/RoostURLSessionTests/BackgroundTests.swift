import Foundation
import LifeCycleModel
import RoostURLSession
import Synchronization
import Testing

/// A background session in an app in the test's process, with a system that the test plays.
@MainActor @Suite(.serialized, .timeLimit(.minutes(30))) struct BackgroundTests {
    let host: Host
    let app: HostedApp
    private let url = URL(string: "http://localhost/a")

    init() throws {
        host = try Host()
        app = try HostedApp(host)
    }

    private func session(
        _ delegate: Listener?, queue: OperationQueue? = nil, _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) -> URLSession {
        let configuration = URLSessionConfiguration.background(withIdentifier: "s")
        change(configuration)
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    private func response(_ status: Int32 = 200) -> TransferResponse {
        TransferResponse(url: "http://localhost/a", status: status, fields: [HTTPField(name: "A", value: "b")])
    }

    private func summary(_ number: Int64, text: String?) -> TransferSummary {
        TransferSummary(
            number: number, request: TransferRequest(url: "http://localhost/old"), text: text, priority: 750,
            earliestBegin: .seconds(5), isSuspended: true, received: 3, expected: 9)
    }

    /// Waits until the app has sent a message that `isIt` accepts, on any thread.
    private func acts(until isIt: (TransferAct) -> Bool) async -> [TransferAct] {
        var acts: [TransferAct] = []
        while !acts.contains(where: isIt) {
            await Task.yield()
            acts += host.takeActs()
        }
        return acts
    }

    // MARK: The app's actions

    @Test func aSessionIsOpenedWithItsConfiguration() {
        _ = session(Listener()) {
            $0.sessionSendsLaunchEvents = false
            $0.isDiscretionary = true
            $0.allowsCellularAccess = false
            $0.allowsConstrainedNetworkAccess = false
            $0.httpMaximumConnectionsPerHost = 0
            $0.httpAdditionalHeaders = ["B": 1, "A": "x", "bad name": "", "C": "a\r\nb"]
            $0.timeoutIntervalForRequest = 1.5
            $0.timeoutIntervalForResource = .infinity
            $0.sharedContainerIdentifier = "group"
        }
        var expected = TransferSessionConfiguration()
        expected.sendsLaunchEvents = false
        expected.isDiscretionary = true
        expected.networks.cellular = false
        expected.networks.constrained = false
        expected.connectionsPerHost = 1
        expected.fields = [HTTPField(name: "A", value: "x"), HTTPField(name: "B", value: "1")]
        expected.requestTimeout = .milliseconds(1500)
        expected.resourceTimeout = .distantFuture
        expected.sharedContainer = "group"
        #expect(host.takeActs() == [.open(expected), .list(after: 0)])
        app.end()
    }

    @Test func aTaskIsMadeWithItsProperties() throws {
        let session = session(Listener())
        _ = host.takeActs()
        var request = URLRequest(url: try url.orFail())
        request.setValue("v", forHTTPHeaderField: "X-Name")
        request.timeoutInterval = 5
        request.allowsCellularAccess = false
        let task = session.downloadTask(with: request)
        #expect(task.state == .suspended && task.originalRequest?.url == url)
        task.priority = URLSessionTask.highPriority
        task.taskDescription = "é" + String(repeating: "x", count: 5000)
        task.earliestBeginDate = Date(timeIntervalSince1970: 10)
        task.countOfBytesClientExpectsToReceive = 7
        task.resume()
        task.resume()
        #expect(task.state == .running)
        task.suspend()
        task.cancel()
        task.cancel()
        task.suspend()
        #expect(task.state == .canceling && task.taskDescription?.count == 5001)
        let number = Int64(task.taskIdentifier)
        var expected = TransferRequest(url: "http://localhost/a")
        expected.fields = [HTTPField(name: "X-Name", value: "v")]
        expected.timeout = .seconds(5)
        expected.networks.cellular = false
        #expect(
            host.takeActs() == [
                .make(NewTransfer(number: number, request: expected)), .setPriority(number, 750),
                .setText(number, "é" + String(repeating: "x", count: TransferRequest.longestText - 2)),
                .setEarliestBegin(number, .seconds(10)), .setExpectedToReceive(number, 7), .resume(number),
                .suspend(number), .cancel(number, keepsPartial: false),
            ])
        app.end()
    }

    /// Task numbers are available at once, and differ from those of other launches.
    @Test func numbersAreOfTheLaunchAlone() throws {
        let url = try url.orFail()
        var bases: Set<Int> = []
        for _ in 0..<4 {
            let other = try HostedApp(Host())
            app.end()
            let session = session(Listener())
            let numbers = (0..<3).map { _ in session.downloadTask(with: url).taskIdentifier }
            #expect(numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2])
            #expect(numbers[0] > 0 && numbers[2] < 1 << 53)
            bases.insert(numbers[0] >> 20)
            other.end()
        }
        #expect(bases.count == 4)
    }

    // MARK: Outcomes

    @Test func aFileArrivesAndIsAcknowledgedWhenTheDelegateHasReturned() async throws {
        let moved = host.container.appendingPathComponent("moved")
        let host = host
        let listener = Listener { location in
            try? FileManager.default.moveItem(at: location, to: moved)
            #expect(!host.takeActs().contains { if case .acknowledge = $0 { true } else { false } })
        }
        let session = session(listener)
        let task = session.downloadTask(with: try url.orFail())
        task.taskDescription = "one"
        task.resume()
        app.sayOpened()
        let number = Int64(task.taskIdentifier)
        let file = try host.put("text", "a")
        app.say(.progressed(number, received: 2, expected: 4))
        #expect(await listener.lines(1) == ["wrote 2 2 4"])
        app.say(.downloaded(number, file: file, response(404), size: 4), .eventsFinished)
        #expect(
            await listener.lines(5)
                == ["wrote 2 2 4", "wrote 2 4 4", "file text 404 one", "done well", "events finished"])
        _ = await acts { $0 == .acknowledge([number]) }
        #expect(try String(contentsOf: moved, encoding: .utf8) == "text")
        #expect(task.state == .completed && task.error == nil && task.countOfBytesReceived == 4)
        #expect(task.progress.fractionCompleted == 1)
        let left = try FileManager.default.contentsOfDirectory(
            atPath: host.container.appendingPathComponent(TransferRecord.directory).path)
        #expect(left == ["a" + TransferRecord.deliveredSuffix], "a marker, which the system removes")
        // The system has not received the acknowledgment, and sends the outcome again.
        app.say(.downloaded(number, file: file, response(), size: 4))
        #expect(host.takeActs() == [.acknowledge([number])])
        app.end()
    }

    /// A file that the delegate leaves is removed.
    @Test func aFileThatIsLeftIsRemoved() async throws {
        let listener = Listener()
        let task = session(listener).downloadTask(with: try url.orFail())
        app.sayOpened()
        let file = try host.put("text", "a")
        app.say(.downloaded(Int64(task.taskIdentifier), file: file, response(), size: 4))
        _ = await acts { $0 == .acknowledge([Int64(task.taskIdentifier)]) }
        #expect(!FileManager.default.fileExists(atPath: host.container.appendingPathComponent(file).path))
        #expect(await listener.lines(3).last == "done well")
        app.end()
    }

    /// A slow delegate neither delays the system's messages nor loses any.
    @Test func aSlowDelegateReceivesAllCallsInOrder() async throws {
        let gate = DispatchSemaphore(value: 0)
        let listener = Listener { _ in gate.wait() }
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 8
        let session = session(listener, queue: queue)
        let tasks = try (0..<20).map { _ in session.downloadTask(with: try url.orFail()) }
        app.sayOpened()
        for task in tasks {
            let number = Int64(task.taskIdentifier)
            for received in 1...5 as ClosedRange<Int64> {
                app.say(.progressed(number, received: received, expected: 9))
            }
            app.say(.downloaded(number, file: try host.put("\(number)", "\(number)"), response(), size: 9))
        }
        app.say(.eventsFinished)
        for _ in tasks { gate.signal() }
        _ = await acts { $0 == .acknowledge([Int64(tasks[19].taskIdentifier)]) }
        while listener.lines.last != "events finished" { await Task.yield() }
        let files = listener.lines.filter { $0.hasPrefix("file") }
        #expect(files == tasks.map { "file \($0.taskIdentifier) 200 -" })
        #expect(listener.lines.filter { $0 == "done well" }.count == 20)
        app.end()
    }

    /// A new launch of the app attaches to the existing tasks, so it can match each outcome to its task.
    @Test func aNewLaunchKnowsTheTasksOfTheLast() async throws {
        let listener = Listener()
        let session = session(listener)
        let file = try host.put("old", "a")
        app.say(
            .opened(TransferSessionID(app: AppID(1), number: 7), lowestFree: 5),
            .downloaded(2, file: file, response(), size: 3), .eventsFinished)
        app.say(.listed([summary(2, text: "two"), summary(4, text: nil)], isLast: true))
        #expect(await listener.lines(3) == ["file old 200 two", "done well", "events finished"])
        let tasks = await session.allTasks
        #expect(tasks.map(\.taskIdentifier) == [4])
        let task = try tasks.first.orFail()
        #expect(task.originalRequest?.url?.path == "/old" && task.state == .suspended && task.priority == 0.75)
        #expect(task.countOfBytesReceived == 3 && task.countOfBytesExpectedToReceive == 9)
        #expect(task.earliestBeginDate == Date(timeIntervalSince1970: 5))
        _ = host.takeActs()
        task.resume()
        #expect(host.takeActs() == [.resume(4)])
        app.end()
    }

    /// An app died after its delegate had moved the file away. The next launch finds the file again.
    @Test func aFileIsRestoredAfterACrash() async throws {
        let file = try host.put("text", "a")
        let location = host.container.appendingPathComponent(file)
        // The file as the delegate of the crashed launch had it.
        try FileManager.default.linkItem(at: location, to: location.appendingPathExtension("kept"))
        try FileManager.default.moveItem(at: location, to: host.container.appendingPathComponent("moved"))
        let listener = Listener()
        _ = session(listener)
        app.say(.downloaded(2, file: file, response(), size: 4), .listed([summary(2, text: nil)], isLast: true))
        #expect(await listener.lines(3).contains("file text 200 -"))
        _ = await acts { $0 == .acknowledge([2]) }
        let left = try FileManager.default.contentsOfDirectory(atPath: location.deletingLastPathComponent().path)
        #expect(left == ["a" + TransferRecord.deliveredSuffix])
        app.end()
    }

    /// An app died after its delegate had returned, before the system was notified. The next launch receives neither
    /// the outcome again nor a failure.
    @Test func deliveredOutcomesAreNotRepeatedAfterACrash() async throws {
        let file = try host.put("text", "a")
        let listener = Listener()
        _ = session(listener)
        app.sayOpened()
        app.say(.downloaded(2, file: file, response(), size: 4))
        #expect(await listener.lines(3) == ["wrote 4 4 4", "file text 200 -", "done well"])
        _ = await acts { $0 == .acknowledge([2]) }
        app.end()
        let next = try HostedApp(host)
        let other = Listener()
        let session = session(other)
        next.say(
            .downloaded(2, file: file, response(), size: 4), .eventsFinished,
            .listed([summary(2, text: nil)], isLast: true))
        #expect(await other.lines(1) == ["events finished"])
        _ = await acts { $0 == .acknowledge([2]) }
        #expect(await session.allTasks.isEmpty)
        next.end()
    }

    @Test func aFileThatIsGoneIsAnError() async {
        let listener = Listener()
        _ = session(listener)
        app.sayOpened()
        app.say(.downloaded(2, file: "nowhere", response(), size: 4))
        #expect(await listener.lines(2).last == "done \(NSURLErrorFileDoesNotExist)")
        _ = await acts { $0 == .acknowledge([2]) }
        app.end()
    }

    @Test func theReasonOfACancellationIsReported() async throws {
        let listener = Listener()
        let task = session(listener).downloadTask(with: try url.orFail())
        app.sayOpened()
        app.say(
            .failed(
                Int64(task.taskIdentifier),
                TransferFailure(code: -999, reason: "the user has quit it", cancelledReason: .userForceQuit)))
        #expect(await listener.lines(1) == ["done -999"])
        let error = try listener.errors.first.orFail() as NSError
        #expect(error.domain == NSURLErrorDomain && error.code == NSURLErrorCancelled)
        #expect(error.userInfo[NSURLErrorBackgroundTaskCancelledReasonKey] as? Int == 0)
        #expect(error.localizedDescription == "the user has quit it")
        #expect((listener.errors.first as? URLError)?.failingURL == url)
        app.end()
    }

    /// The server now has another version. The download starts from the beginning, and the delegate is notified.
    @Test func aChangedResourceIsReportedFromItsBeginning() async throws {
        let listener = Listener()
        let task = session(listener).downloadTask(with: try url.orFail())
        app.sayOpened()
        let number = Int64(task.taskIdentifier)
        app.say(.progressed(number, received: 500, expected: 1000))
        #expect(await listener.lines(1) == ["wrote 500 500 1000"])
        app.say(.progressed(number, received: 40, expected: nil))
        #expect(await listener.lines(2).last == "wrote 40 40 -1")
        #expect(task.countOfBytesReceived == 40 && task.countOfBytesExpectedToReceive == -1)
        app.say(.progressed(number, received: 90, expected: 95))
        #expect(await listener.lines(3).last == "wrote 50 90 95")
        app.say(.downloaded(number, file: try host.put("text", "changed"), response(), size: 60))
        #expect(await listener.lines(6).suffix(3) == ["wrote 60 60 60", "file text 200 -", "done well"])
        app.end()
    }

    // MARK: Resume data

    @Test func aCanceledTaskResumes() async throws {
        let listener = Listener()
        let session = session(listener)
        let task = session.downloadTask(with: try url.orFail())
        app.sayOpened()
        let number = Int64(task.taskIdentifier)
        async let made = task.cancelByProducingResumeData()
        _ = await acts { $0 == .cancel(number, keepsPartial: true) }
        let checkpoint = TransferCheckpoint(received: 5, expected: 9, validator: "\"v\"", boot: "b")
        app.say(.failed(number, TransferFailure(code: -999, reason: "", resumable: checkpoint)))
        let data = try await made.orFail()
        #expect(await listener.lines(1) == ["done -999"])
        let error = try listener.errors.first.orFail() as NSError
        #expect(error.userInfo[NSURLSessionDownloadTaskResumeData] as? Data == data)
        _ = await acts { $0 == .acknowledge([number]) }
        let next = session.downloadTask(withResumeData: data)
        let id = TransferID(session: TransferSessionID(app: AppID(1), number: 7), number: number)
        #expect(
            host.takeActs() == [
                .make(
                    NewTransfer(
                        number: Int64(next.taskIdentifier), request: TransferRequest(url: "http://localhost/a"),
                        resumes: id))
            ])
        app.say(.resumed(Int64(next.taskIdentifier), offset: 5, expected: 9))
        app.say(.progressed(Int64(next.taskIdentifier), received: 7, expected: 9))
        #expect(await listener.lines(3) == ["done -999", "resumed 5 9", "wrote 2 7 9"])
        app.end()
    }

    /// Without a validator for the server's versions, nothing can be resumed.
    @Test func resumeDataNeedsAValidator() async throws {
        let task = session(Listener()).downloadTask(with: try url.orFail())
        app.sayOpened()
        async let made = task.cancelByProducingResumeData()
        _ = await acts { $0 == .cancel(Int64(task.taskIdentifier), keepsPartial: true) }
        let checkpoint = TransferCheckpoint(received: 5, expected: 9, validator: nil, boot: "b")
        app.say(
            .failed(Int64(task.taskIdentifier), TransferFailure(code: -999, reason: "", resumable: checkpoint)))
        #expect(await made == nil)
        #expect(await task.cancelByProducingResumeData() == nil, "a completed task has no resume data")
        app.end()
    }

    /// If another request replaces the first, resume data belongs to the new request. Otherwise one request would
    /// resume the other's partial file.
    @Test func resumeDataIsOfTheRequestThatIsUsed() async throws {
        let other = URLRequest(url: try URL(string: "http://localhost/b").orFail())
        let listener = Listener(onDelayed: (.useNewRequest, other))
        let session = session(listener)
        let task = session.downloadTask(with: try url.orFail())
        app.sayOpened()
        let number = Int64(task.taskIdentifier)
        app.say(.willBegin(number))
        _ = await acts { $0 == .proceed(number, .useNewRequest(TransferRequest(url: "http://localhost/b"))) }
        #expect(task.currentRequest?.url?.path == "/b" && task.originalRequest?.url == url)
        let checkpoint = TransferCheckpoint(received: 5, expected: 9, validator: "\"v\"", boot: "b")
        app.say(.failed(number, TransferFailure(code: -1001, reason: "", resumable: checkpoint)))
        _ = await listener.lines(2)
        let error = try listener.errors.first.orFail()
        #expect((error as? URLError)?.failingURL?.path == "/b")
        let data = (error as NSError).userInfo[NSURLSessionDownloadTaskResumeData] as? Data
        _ = host.takeActs()
        let next = session.downloadTask(withResumeData: try data.orFail())
        let id = TransferID(session: TransferSessionID(app: AppID(1), number: 7), number: number)
        let new = NewTransfer(
            number: Int64(next.taskIdentifier), request: TransferRequest(url: "http://localhost/b"), resumes: id)
        #expect(host.takeActs() == [.make(new)])
        #expect(next.originalRequest?.url?.path == "/b")
        app.end()
    }

    // MARK: Refusals

    @Test func unsendableRequestsFailOnResume() async throws {
        let listener = Listener()
        let session = session(listener)
        app.sayOpened()
        _ = host.takeActs()
        let url = try url.orFail()
        var stream = URLRequest(url: url)
        stream.httpBodyStream = InputStream(data: Data())
        var body = URLRequest(url: url)
        body.httpBody = Data(count: TransferRequest.longestBody)
        var header = URLRequest(url: url)
        for index in 0...TransferRequest.mostFields { header.setValue("v", forHTTPHeaderField: "n\(index)") }
        var method = URLRequest(url: url)
        method.httpMethod = "GET /"
        let long = try URL(string: "http://localhost/" + String(repeating: "a", count: 9000)).orFail()
        let tasks = [
            session.downloadTask(with: stream), session.downloadTask(with: body), session.downloadTask(with: header),
            session.downloadTask(with: method), session.downloadTask(with: long),
            session.downloadTask(withResumeData: Data("garbage".utf8)), session.dataTask(with: url),
            session.uploadTask(with: body, fromFile: url),
            session.downloadTask(with: try URL(string: "http://127.0.0.1:70000/").orFail()),
            session.downloadTask(with: try URL(string: "ftp://localhost/").orFail()),
        ]
        for task in tasks { task.resume() }
        let codes = [
            NSURLErrorRequestBodyStreamExhausted, NSURLErrorDataLengthExceedsMaximum,
            NSURLErrorDataLengthExceedsMaximum, NSURLErrorBadURL, NSURLErrorBadURL, NSURLErrorCannotOpenFile,
            NSURLErrorUnknown, NSURLErrorUnknown, NSURLErrorBadURL, NSURLErrorUnsupportedURL,
        ]
        #expect(await listener.lines(10) == codes.map { "done \($0)" })
        #expect(host.takeActs().isEmpty)
        app.end()
    }

    @Test func aSecondSessionOfTheNameIsTheFirst() async throws {
        let (first, second) = (Listener(), Listener())
        let one = session(first)
        let two = session(second)
        #expect(host.lines == ["A background URLSession with identifier s already exists!"])
        #expect(host.takeActs().count == 2, "the session is opened once")
        app.sayOpened()
        let task = two.downloadTask(with: try url.orFail())
        app.say(.failed(Int64(task.taskIdentifier), TransferFailure(code: -1001, reason: "")))
        #expect(await first.lines(1) == ["done -1001"] && second.lines.isEmpty)
        #expect(await one.allTasks.isEmpty)
        app.end()
    }

    // MARK: The rest of a session's life

    @Test func aDelayedRequestIsAnsweredOnce() async throws {
        let other = URLRequest(url: try URL(string: "http://localhost/b").orFail())
        let listener = Listener(onDelayed: (.useNewRequest, other))
        let task = session(listener).downloadTask(with: try url.orFail())
        app.sayOpened()
        let number = Int64(task.taskIdentifier)
        _ = host.takeActs()
        app.say(.willBegin(number))
        let answer = TransferAct.proceed(number, .useNewRequest(TransferRequest(url: "http://localhost/b")))
        #expect(await acts { $0 == answer } == [answer])
        #expect(listener.lines == ["delayed http://localhost/a"])
        app.end()
    }

    @Test func anInvalidatedSessionLetsItsDelegateGo() async throws {
        weak var gone: Listener?
        do {
            let listener = Listener()
            gone = listener
            let session = session(listener)
            app.sayOpened()
            session.finishTasksAndInvalidate()
            #expect(host.takeActs().last == .finishTasksAndInvalidate)
            app.say(.invalidated)
            #expect(await listener.lines(1) == ["invalid"])
        }
        while gone != nil { await Task.yield() }
        // The name is free.
        _ = session(Listener())
        #expect(host.takeActs().first == .open(TransferSessionConfiguration()) && host.lines.isEmpty)
        app.end()
    }
}
