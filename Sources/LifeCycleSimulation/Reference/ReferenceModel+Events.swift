import LifeCycleModel
import LifeCyclePolicy

/// What it means for an app to be handed something with a completion handler.
extension ReferenceModel {
    /// It is woken, or launched, and is to hear why.
    mutating func wakeForFetches(at now: Nanoseconds) {
        for app in given.fetches {
            guard let index = index(of: app) else { continue }
            handOver(index, .fetch(.performFetch), for: .backgroundFetch, at: now)
        }
    }

    /// The same for remote notifications.
    mutating func wakeForPushes(at now: Nanoseconds, where isMeant: (AppID) -> Bool) {
        for push in given.pushes where isMeant(push.app) {
            guard let index = index(of: push.app) else { continue }
            let modes = apps[index].manifest.backgroundModes
            // Newsstand's are for apps that want none otherwise.
            let isForDownload = modes.contains(.newsstandContent) && !modes.contains(.remoteNotification)
            // Who is in front is not woken by it.
            if isWanted(index), apps[index].launch?.isGoing == false {
                // What is new and for people is kept until it is called for it.
                let isKept = given.notifications.contains {
                    guard case .delivered(let record) = $0 else { return false }
                    return record.stage == .handed && record.remote == push.notification && record.id.app == push.app
                }
                if isKept {
                    let isWoken = modes.contains(.remoteNotification) || modes.contains(.newsstandContent)
                    apps[index].launch?.owe(
                        .notification(.receivedRemote(push.notification)),
                        .foreground(wakesElsewhere: push.notification.isContentAvailable && isWoken))
                    drawConsequences(at: now)
                } else {
                    owe(index, .notification(.receivedRemote(push.notification)), at: now)
                }
            } else {
                handOver(
                    index, .notification(.receivedRemote(push.notification)),
                    for: isForDownload ? .newsstand : .remoteNotification, at: now)
            }
        }
    }

    /// How its registration for them has ended; one that is not there hears nothing.
    mutating func tellRegistration() {
        guard let told = given.registration, let index = index(of: told.app),
            let launch = apps[index].launch, !launch.isGoing
        else { return }
        apps[index].launch?.owe(.notification(.registeredForRemote(told.token)), .whereItRuns)
    }

    mutating func handOver(_ index: Int, _ call: ConcernCall, for reason: LaunchReason, at now: Nanoseconds) {
        bringToLife(index, for: reason, hasHandler: true, at: now)
        drawConsequences(at: now)
        owe(index, call, at: now)
    }

    private mutating func owe(_ index: Int, _ call: ConcernCall, at now: Nanoseconds) {
        guard let launch = apps[index].launch, !launch.isGoing else { return }
        apps[index].launch?.owe(call, .anywhere)
        drawConsequences(at: now)
    }

    mutating func tellEvent(_ index: Int, _ event: WakeEvent, at now: Nanoseconds) {
        guard let launch = apps[index].launch else { return }
        let callback = CallbackID(launch.callbackCount + 1)
        giveHandler(index, .event(OpenEvent(callback: callback, kind: event)), at: now)
    }

    /// It is called: off the foreground its time begins.
    mutating func giveHandler(_ index: Int, _ subject: ReferenceLaunch.Work.Subject, at now: Nanoseconds) {
        guard let launch = apps[index].launch else { return }
        let isBehind = launch.phase == .background && !isWanted(index) && launch.ending == nil
        work(index, on: subject, isBlamed: true, isAwaited: isBehind, at: now)
    }

    mutating func work(
        _ index: Int, on subject: ReferenceLaunch.Work.Subject, isBlamed: Bool, isAwaited: Bool, at now: Nanoseconds
    ) {
        var work = ReferenceLaunch.Work(subject: subject, since: now, until: nil, isBlamed: isBlamed)
        if isAwaited { work.until = now + work.limit(policy) }
        apps[index].launch?.work.removeAll { $0.subject == subject }
        apps[index].launch?.work.append(work)
        // So many are remembered of one that calls none.
        if let count = apps[index].launch?.work.count, count > OpenEvent.most {
            apps[index].launch?.work.removeFirst()
        }
    }

    /// It says that it has called the handler.
    mutating func eventHandled(
        _ index: Int, _ callback: CallbackID, _ result: BackgroundFetchResult, at now: Nanoseconds
    ) {
        guard let launch = apps[index].launch else { return }
        for work in launch.work {
            guard case .event(let event) = work.subject, event.callback == callback else { continue }
            apps[index].launch?.work.removeAll { $0.subject == work.subject }
            return said.append(.launch(launch.id, .eventHandled(event.kind, result, after: now - work.since)))
        }
        said.append(.launch(launch.id, .ignoredLate))
    }

    /// What it has not among what it is at, and had by then, it is done with.
    mutating func declareEvents(_ index: Int, _ attachment: Attachment) {
        apps[index].launch?.work.removeAll { work in
            guard case .event(let event) = work.subject else { return false }
            return event.callback <= attachment.lastCallback && !attachment.openEvents.contains(event)
        }
    }

    /// True where it has taken too long, and is killed for that.
    mutating func passWork(_ index: Int, at now: Nanoseconds) -> Bool {
        let isLate = { (work: ReferenceLaunch.Work) in work.until.map { $0 <= now } ?? false }
        let late = apps[index].launch?.work.filter(isLate) ?? []
        if let first = late.first(where: \.isBlamed) {
            switch first.subject {
            case .session: kill(index, .sessionEventsNotHandled)
            case .event(let event): kill(index, .eventNotHandled(event.kind))
            }
            return true
        }
        apps[index].launch?.work.removeAll(where: isLate)
        return false
    }
}
