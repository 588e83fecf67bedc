import AppCore
import LifeCycleModel
import Synchronization

/// The requests of an app to keep sockets that are not answered.
final class SocketAnswers: ConcernListener {
    typealias Completion = @MainActor @Sendable (RoostVoIP.Failure?) -> Void

    private struct Request {
        let descriptor: Int32
        let completion: Completion
    }

    private struct State {
        var requests: [SocketReportID: Request] = [:]  // ordered: looked up only
        var last: Int64 = 0
    }

    private let state = Mutex(State())

    static func of(_ app: AppSession) -> SocketAnswers {
        guard let answers = app.listener(of: .sockets, orMake: { SocketAnswers() }) as? SocketAnswers else {
            preconditionFailure("only this type is an app's listener for sockets")
        }
        return answers
    }

    /// The number of a request whose answer goes to the completion. Any thread.
    func remember(_ completion: @escaping Completion, _ descriptor: Int32) -> SocketReportID {
        state.withLock { state in
            state.last += 1
            let report = SocketReportID(state.last)
            state.requests[report] = Request(descriptor: descriptor, completion: completion)
            return report
        }
    }

    func deliver(from app: AppSession) {
        // A completion may cause further news, which comes later: other code of the app runs in between.
        for _ in 0..<app.reading(\.socketDeliveryCount) {
            guard let delivery = app.nextDelivery({ $0.nextSocketDelivery() }) else { return }
            switch delivery {
            case .kept(let report, let failure):
                guard let request = state.withLock({ $0.requests.removeValue(forKey: report) }) else { continue }
                request.completion(failure.map { RoostVoIP.Failure($0, of: request.descriptor) })
            case .lost(let socket, let failure):
                app.log("\(RoostVoIP.Failure(failure, of: socket.descriptor))")
            }
        }
    }
}
