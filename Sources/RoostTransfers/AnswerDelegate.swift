internal import AsyncHTTPClient
internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1

/// Passes the events of a request to its attempt. An attempt may send several requests; `number` identifies this one.
final class AnswerDelegate: HTTPClientResponseDelegate {
    typealias Response = Void

    private let attempt: Attempt
    private let number: Int

    init(for attempt: Attempt, number: Int) {
        self.attempt = attempt
        self.number = number
    }

    func didVisitURL(task: HTTPClient.Task<Void>, _ request: HTTPClient.Request, _ head: HTTPResponseHead) {
        let location = head.headers.first(name: "Location")
        let isTaken = attempt.visited(
            request.url, redirectedTo: (300..<400).contains(head.status.code) ? location : nil, for: number)
        // Cancel now, because the client follows the redirect when this returns.
        if !isTaken { task.cancel() }
    }

    func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        attempt.answered(head, for: number)
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        attempt.arrived(buffer, for: number)
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) {}
}
