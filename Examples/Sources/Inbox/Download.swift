import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request to a web server and its response, which must be short enough and arrive in time.
@MainActor
final class Download: NSObject {
    private static let mostBytes = 1 << 20
    /// An app that is woken to fetch has 30 seconds. Some of the seconds are needed to store the response.
    private static let patience: TimeInterval = 20

    private var data = Data()
    private var problem: Problem?
    private var continuation: CheckedContinuation<Data, any Error>?

    /// The body of the response from `url`.
    static func data(from url: URL) async throws -> Data { try await Download().data(from: url) }

    private func data(from url: URL) async throws -> Data {
        let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: .main)
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: url)
        let end = DispatchWorkItem { [self] in cancel(task, "no answer in \(Int(Self.patience)) seconds") }
        DispatchQueue.main.asyncAfter(deadline: .now() + Self.patience, execute: end)
        defer { end.cancel() }
        return try await withCheckedThrowingContinuation {
            continuation = $0
            task.resume()
        }
    }

    private func cancel(_ task: URLSessionTask, _ reason: String) {
        if problem == nil { problem = Problem("\(reason) from \(task.originalRequest?.url?.absoluteString ?? "")") }
        task.cancel()
    }

    private func finish(_ task: URLSessionTask, _ error: (any Error)?) {
        let place = task.originalRequest?.url?.absoluteString ?? ""
        if let problem {
            continuation?.resume(throwing: problem)
        } else if let error {
            continuation?.resume(throwing: Problem("cannot fetch \(place): \(error.localizedDescription)"))
        } else if let answer = task.response as? HTTPURLResponse, answer.statusCode != 200 {
            continuation?.resume(throwing: Problem("\(place) answered \(answer.statusCode)"))
        } else {
            continuation?.resume(returning: data)
        }
        continuation = nil
    }
}

/// Called on the main queue.
extension Download: URLSessionDataDelegate {
    nonisolated func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        MainActor.assumeIsolated {
            self.data.append(data)
            if self.data.count > Self.mostBytes { cancel(dataTask, "more than \(Self.mostBytes) bytes") }
        }
    }

    nonisolated func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        MainActor.assumeIsolated { finish(task, error) }
    }
}
