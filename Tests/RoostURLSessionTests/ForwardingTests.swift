import Foundation
import RoostURLSession
import Synchronization
import Testing

/// A file server in its own process, which ends with this object.
final class FileServer: Sendable {
    let url: URL
    private let process: Process
    private let input = Pipe()
    private let directory: URL

    /// `/moved` redirects to `/a`. The server ends when its input does. Signals do not work, because the thread that
    /// starts it blocks them, and the process would inherit that.
    private static let script = """
        import functools, http.server, sys, threading
        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_GET(self):
                if self.path != "/moved":
                    return super().do_GET()
                self.send_response(302)
                self.send_header("Location", "/a")
                self.send_header("Content-Length", "0")
                self.end_headers()
        handler = functools.partial(Handler, directory=sys.argv[1])
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        print(f"port {server.server_address[1]} is listened at")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.read()
        """

    init(_ files: [String: String]) throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("served-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: directory.appendingPathComponent(name)) }
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // With port 0 the server chooses a free port, and prints the port once it listens.
        process.arguments = ["python3", "-u", "-c", Self.script, directory.path]
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = try line.firstMatch(of: /port (\d+)/).map { String($0.output.1) }.orFail()
        url = try URL(string: "http://127.0.0.1:\(port)/").orFail()
    }

    var pid: Int32 { process.processIdentifier }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: directory)
    }
}

/// Follows redirections, or not.
private final class RedirectionGuide: NSObject, URLSessionDataDelegate {
    let follows: Bool
    private let state = Mutex((asked: [String](), isDone: false))
    var asked: [String] { state.withLock(\.asked) }
    var isDone: Bool { state.withLock(\.isDone) }

    init(follows: Bool) { self.follows = follows }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        state.withLock { $0.asked.append("\(response.statusCode) \(request.url?.absoluteString ?? "")") }
        completionHandler(follows ? request : nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        state.withLock { $0.isDone = true }
    }
}

/// Sessions of all other kinds belong to FoundationNetworking.
@Suite(.serialized, .timeLimit(.minutes(30))) struct ForwardingTests {
    let server: FileServer

    init() throws {
        server = try FileServer(["a": "text", "b": String(repeating: "b", count: 100_000)])
    }

    @Test func theServerEndsWithItsTest() throws {
        func serve() throws -> Int32 { try FileServer(["a": "text"]).pid }
        let pid = try serve()
        #expect(kill(pid, 0) == -1 && errno == ESRCH)
    }

    @Test func dataIsFetched() async throws {
        let (data, response) = try await URLSession.shared.data(from: server.url.appendingPathComponent("a"))
        #expect(data == Data("text".utf8) && (response as? HTTPURLResponse)?.statusCode == 200)
        let request = URLRequest(url: server.url.appendingPathComponent("nothing"))
        let (_, missing) = try await URLSession(configuration: .ephemeral).data(for: request)
        #expect((missing as? HTTPURLResponse)?.statusCode == 404)
        let (file, _) = try await URLSession.shared.download(from: server.url.appendingPathComponent("b"))
        #expect(try Data(contentsOf: file).count == 100_000)
        await #expect(throws: URLError.self) {
            try await URLSession.shared.data(from: URL(string: "http://127.0.0.1:1/").orFail())
        }
    }

    @Test func handlersAreCalled() async throws {
        let url = server.url.appendingPathComponent("a")
        let data = await withCheckedContinuation { continuation in
            URLSession(configuration: .default).dataTask(with: url) { data, _, _ in
                continuation.resume(returning: data)
            }
            .resume()
        }
        #expect(data == Data("text".utf8))
        let text = await withCheckedContinuation { continuation in
            URLSession.shared.downloadTask(with: URLRequest(url: url)) { file, _, _ in
                continuation.resume(returning: file.flatMap { try? String(contentsOf: $0, encoding: .utf8) })
            }
            .resume()
        }
        #expect(text == "text")
        // The server refuses uploads.
        var post = URLRequest(url: url)
        post.httpMethod = "POST"
        let status = await withCheckedContinuation { [post] continuation in
            URLSession.shared.uploadTask(with: post, from: Data("x".utf8)) { _, response, _ in
                continuation.resume(returning: (response as? HTTPURLResponse)?.statusCode)
            }
            .resume()
        }
        #expect(status == 501)
    }

    @Test func delegatesReceiveOurTypes() async throws {
        let listener = Listener()
        let session = URLSession(configuration: .default, delegate: listener, delegateQueue: nil)
        #expect(session.delegate === listener && session.configuration.identifier == nil)
        let task = session.downloadTask(with: server.url.appendingPathComponent("b"))
        task.taskDescription = "mine"
        #expect(task.state == .suspended)
        task.resume()
        while listener.lines.last != "done well" { await Task.yield() }
        #expect(listener.lines.contains("file \(String(repeating: "b", count: 100_000)) 200 mine"))
        #expect(listener.lines.contains { $0.hasPrefix("wrote") && $0.hasSuffix("100000 100000") })
        session.finishTasksAndInvalidate()
        while listener.lines.last != "invalid" { await Task.yield() }
        #expect(session.delegate == nil)
    }

    /// The delegate decides about a redirection.
    @Test(arguments: [(true, 200), (false, 302)]) func aRedirectionIsTheDelegates(follows: Bool, status: Int)
        async throws
    {
        let guide = RedirectionGuide(follows: follows)
        let session = URLSession(configuration: .default, delegate: guide, delegateQueue: nil)
        let task = session.dataTask(with: server.url.appendingPathComponent("moved"))
        task.resume()
        while !guide.isDone { await Task.yield() }
        #expect(guide.asked == ["302 \(server.url.absoluteString)a"])
        #expect((task.response as? HTTPURLResponse)?.statusCode == status)
        session.finishTasksAndInvalidate()
    }

    /// A canceled task is done, with the error, and its handler is called.
    @Test func aTaskIsCanceled() async throws {
        let listener = Listener()
        let session = URLSession(configuration: .default, delegate: listener, delegateQueue: nil)
        let task = session.downloadTask(with: server.url.appendingPathComponent("a"))
        #expect(await task.cancelByProducingResumeData() == nil)
        #expect(await listener.lines(1) == ["done -999"])
        session.invalidateAndCancel()
    }
}
