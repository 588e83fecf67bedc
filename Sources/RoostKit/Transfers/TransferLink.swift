import AppCore
import Foundation
package import LifeCycleModel

/// Who hears what becomes of a background session: RoostURLSession's object of it.
package protocol TransferListener: AnyObject, Sendable {
    /// Something became of the session, or of a task of it. On the main thread, in order; to return at once.
    func hear(_ news: TransferNews)
}

/// The link of an app with its background sessions; for any thread.
///
/// What is said goes out under the session's lock, in order with everything else the app says. What the system may not
/// have heard the core keeps, and says it again after a reconnection.
extension AppSession {
    /// Opens a session, whose news go to `listener` from now on, until it is invalidated; and asks which tasks it has.
    /// Where the app has it open already, that one's listener is returned and nothing changes.
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

    /// Does something with a session, or with a task of it.
    package func transfer(_ act: TransferAct, of identifier: SessionIdentifier) {
        transferring { state, steps in state.core.transfer(act, of: identifier, into: &steps) }
    }

    /// Several at once, so that nothing comes between.
    package func transfer(_ acts: [TransferAct], of identifier: SessionIdentifier) {
        transferring { state, steps in
            for act in acts { state.core.transfer(act, of: identifier, into: &steps) }
        }
    }

    /// Hands on what the system says of a session.
    func hear(_ news: TransferNews, of identifier: SessionIdentifier) {
        let listener = listener(of: identifier, isLast: news == .invalidated)
        listener?.hear(news)
    }

    /// The completion handler of `application(_:handleEventsForBackgroundURLSession:completionHandler:)`, for a wake. To be
    /// called once, on whatever thread: a second call is worth a line in the log.
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

    /// Where the app's files lie, below which a downloaded file is.
    package var container: URL {
        link?.container ?? URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
    }
}

extension Teller {
    /// Calls the app's delegate for the events of a background session; for those of Newsstand its library.
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
