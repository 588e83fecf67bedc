import AppCore
import Foundation
package import LifeCycleModel

/// The receiver of news about a background session: RoostURLSession's session object.
package protocol TransferListener: AnyObject, Sendable {
    /// Receives news about the session or one of its tasks. Called on the main thread, in order; must return at once.
    func receive(_ news: TransferNews)
}

/// The link between an app and its background sessions. Any thread.
///
/// Requests are sent under the session's lock, in order with the app's other requests. The core keeps each request that
/// the system may not have received, and repeats it after a reconnection.
extension AppSession {
    /// Opens a session and asks for its tasks. `listener` receives the session's news until the session is invalidated.
    /// Returns nil, or the existing listener if the session is already open; nothing changes then.
    package func open(
        _ identifier: SessionIdentifier, _ configuration: TransferSessionConfiguration,
        listener: any TransferListener
    ) -> (any TransferListener)? {
        transferring { state, steps in
            if let other = state.listeners[identifier] { return other }
            state.listeners[identifier] = listener
            state.core.transfer(.open(configuration), of: identifier, into: &steps)
            state.core.transfer(.list(after: 0), of: identifier, into: &steps)
            return nil
        }
    }

    /// Sends a request about a session or one of its tasks.
    package func transfer(_ act: TransferAct, of identifier: SessionIdentifier) {
        transferring { state, steps in state.core.transfer(act, of: identifier, into: &steps) }
    }

    /// Sends several requests, with no other request between them.
    package func transfer(_ acts: [TransferAct], of identifier: SessionIdentifier) {
        transferring { state, steps in
            for act in acts { state.core.transfer(act, of: identifier, into: &steps) }
        }
    }

    /// Passes news from the system to the session's receiver.
    func receive(_ news: TransferNews, of identifier: SessionIdentifier) {
        let listener = listener(of: identifier, isLast: news == .invalidated)
        listener?.receive(news)
    }

    /// The completion handler of `application(_:handleEventsForBackgroundURLSession:completionHandler:)` for a wake. It
    /// is to be called once, from any thread; a second call is logged.
    func handlerOfEvents(of identifier: SessionIdentifier) -> @Sendable () -> Void {
        let once = Once()
        return { [self] in
            guard once.isFirst() else {
                return log(
                    "The completion handler for the events of background URLSession \(identifier) was called more than "
                        + "once.")
            }
            transfer(.handled, of: identifier)
        }
    }

    /// The directory of the app's files, which contains the downloaded files.
    package var container: URL {
        link?.container ?? URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
    }
}

extension DelegateCaller {
    /// Calls the delegate for a background session's events. Newsstand events go to its library instead.
    func tell(_ call: TransferCall) {
        switch call {
        case .handleEvents(.newsstand): session.newsstandDownloadsEnded()
        case .handleEvents(let identifier):
            let handler = session.handlerOfEvents(of: identifier)
            guard let delegate = application.delegate else { return handler() }
            delegate.application(
                application, handleEventsForBackgroundURLSession: identifier.rawValue, completionHandler: handler)
        }
    }
}
