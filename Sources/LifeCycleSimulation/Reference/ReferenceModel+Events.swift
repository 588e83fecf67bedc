import LifeCycleModel
import LifeCyclePolicy

/// The app's work on calls with a completion handler.
extension ReferenceModel {
    /// The app is called. In the background the handler's time begins.
    mutating func giveHandler(_ index: Int, with call: ConcernCall, at now: Nanoseconds) {
        let callback = CallbackID((apps[index].launch?.callbackCount ?? 0) + 1)
        guard let handler = call.rules.handler(deliveredBy: callback) else { return }
        work(index, on: handler, isBlamed: true, isAwaited: isInBackground(index), at: now)
    }

    /// Whether the app is in the background, so that its handlers have a time limit.
    func isInBackground(_ index: Int) -> Bool {
        guard let launch = apps[index].launch else { return false }
        return launch.phase == .background && !isWanted(index) && launch.ending == nil
    }

    mutating func work(
        _ index: Int, on handler: CompletionHandler, isBlamed: Bool, isAwaited: Bool, at now: Nanoseconds
    ) {
        var work = ReferenceLaunch.Work(handler: handler, since: now, until: nil, isBlamed: isBlamed)
        if isAwaited { work.until = now + work.limit(policy) }
        apps[index].launch?.work.removeAll { $0.handler == handler }
        apps[index].launch?.work.append(work)
        // Only this many are remembered if the app calls no handler.
        if let count = apps[index].launch?.work.count, count > OpenEvent.most {
            apps[index].launch?.work.removeFirst()
        }
    }

    /// The app reports that it has called a handler.
    mutating func eventHandled(
        _ index: Int, _ callback: CallbackID, _ result: BackgroundFetchResult, at now: Nanoseconds
    ) {
        guard let launch = apps[index].launch else { return }
        for work in launch.work {
            guard case .event(let event) = work.handler, event.callback == callback else { continue }
            apps[index].launch?.work.removeAll { $0.handler == work.handler }
            let time = work.until == nil ? .zero : now - work.since
            news.append(.handled(launch.id.app, event.kind, result, after: time))
            return said.append(.launch(launch.id, .eventHandled(event.kind, result, after: now - work.since)))
        }
        said.append(.launch(launch.id, .ignoredLate))
    }

    /// Of the handlers that it had by then, the app has called those that its attachment does not list.
    mutating func declareEvents(_ index: Int, _ attachment: Attachment) {
        apps[index].launch?.work.removeAll { work in
            guard case .event(let event) = work.handler else { return false }
            return event.callback <= attachment.lastCallback && !attachment.openEvents.contains(event)
        }
    }

    /// True if a handler is late and the app is killed for it.
    mutating func passWork(_ index: Int, at now: Nanoseconds) -> Bool {
        let isLate = { (work: ReferenceLaunch.Work) in work.until.map { $0 <= now } ?? false }
        let late = apps[index].launch?.work.filter(isLate) ?? []
        if let first = late.first(where: \.isBlamed) {
            switch first.handler {
            case .session: kill(index, .sessionEventsNotHandled)
            case .event(let event): kill(index, .eventNotHandled(event.kind))
            }
            return true
        }
        apps[index].launch?.work.removeAll(where: isLate)
        return false
    }
}
