import LifeCycleModel
import LifeCyclePolicy

/// Registration for VoIP pushes and their way to their apps, in the reference model.
extension ReferenceModel {
    mutating func handleVoIPNews(_ news: ReferenceNews) {
        switch news {
        case .removed(let app):
            voip.dropWaiting(app, .launchEnded)
            voip.forget(app)
        case .replaced(let app):
            forgiveMisses(of: app)
            // An adopted app makes no registry.
            let isAdopted = index(of: app).map { apps[$0].manifest.isAdopted } ?? false
            if isAdopted, voip[app]?.token != nil { voip.keep(app) { $0.token = nil } }
        case .deviceStarted: for record in voip.records { forgiveMisses(of: record.app) }
        case .exited(let launch, .exited):
            // An app that exits while it handles pushes has missed one call, if any is missing.
            let isMissing = voip.open.contains { $0.app == launch.app && $0.until != nil && !$0.isReported }
            if policy.voipPushNeedsCall, isMissing { countMiss(launch) }
        case .ending(let app):
            for _ in voip.open.filter({ $0.app == app }) { voip.said.append(.dropped(app, .launchEnded)) }
            // A push that came while the app was being ended is for the next launch.
            if !voip.doomed.contains(app) { voip.dropWaiting(app, .launchEnded) }
            endAllCalls(of: app)
            voip.forgetLaunch(of: app)
        case .called(let launch, .voip(.push(let push)), _):
            guard let place = openPlace(push.number, launch.app) else { return }
            voip.said.append(.delivered(launch, push.number))
            voip.open[place].until = now + policy.voipPush
        case .attached(let launch, _): callAgain(launch)
        case .requested(let launch, .voip(let request)): requestVoIP(request, launch)
        case .reported(.voip(.pushArrived(let app, let payload))): voipPushArrived(payload, app)
        case .reported(.voip(.tokenMade(let app, let token))): voipTokenMade(token, app)
        case .reported(.voip(.tokenPersisted(let app))):
            guard voip.unconfirmed.contains(app), let token = voip[app]?.token else { return }
            voip.unconfirmed.removeAll { $0 == app }
            voip.said.append(.registered(app, true))
            requests.append(.call(app, .voip(.tokenUpdated(token)), .whereItRuns))
        case .reported(.voip(.chosen(let choice))): choose(choice)
        default: break
        }
    }

    /// A deadline is so late that the system itself must have stalled. Apps get their full time again.
    mutating func noticeStallOfVoIP() {
        guard let awaited = voip.awaited, awaited + policy.stall < now else { return }
        voip.awaited = nil
        for place in voip.open.indices where voip.open[place].until != nil {
            voip.open[place].until = now + policy.voipPush
        }
        for place in voip.waiting.indices { voip.waiting[place].until = now + policy.voipPush }
        let until = now + policy.callAction
        extendActions { _ in until }
    }

    /// If no push was delivered because of missed calls, pushes are delivered again.
    private mutating func forgiveMisses(of app: AppID) {
        if voip[app]?.misses ?? 0 > 0 { voip.keep(app) { $0.misses = 0 } }
    }

    private func openPlace(_ number: Int64, _ app: AppID) -> Int? {
        voip.open.firstIndex { $0.app == app && $0.number == number }
    }

    private mutating func requestVoIP(_ request: VoIPRequest, _ launch: LaunchID) {
        guard let index = index(of: launch.app), let present = apps[index].launch, present.id == launch,
            !present.isGoing
        else { return said.append(.launch(launch, .ignoredLate)) }
        switch request {
        case .setRegistered(let isWanted): setVoIPPushes(isWanted, launch, index)
        case .returned(let number): pushReturned(number, launch)
        case .completed(let number):
            guard let place = calledPlace(number, launch.app) else { return said.append(.launch(launch, .ignoredLate)) }
            voip.open[place].isCompleted = true
            forgetIfHandled(place)
        case .report(let id, let update): report(id, update, launch, index)
        case .update(let id, let update):
            guard let call = call(id, of: launch) else { return answer(id, .unknown, to: launch.app) }
            guard call.update != update else { return }
            change(id, launch) { $0.update = update }
        case .ended(let id, let reason): endCall(id, launch, .reported(reason))
        case .performed(let action, let id, let isFulfilled):
            performed(action, id, launch, isFulfilled: isFulfilled)
        case .transact(let number, let actions): transact(number, actions, launch, index)
        case .connected(let id): connected(id, launch)
        }
    }

    // MARK: Registration

    private mutating func setVoIPPushes(_ isWanted: Bool, _ launch: LaunchID, _ index: Int) {
        let app = launch.app
        voip.said.append(.asked(launch, isWanted))
        voip.registries.removeAll { $0.app == app }
        guard isWanted else {
            voip.registering.removeAll { $0 == app }
            voip.unconfirmed.removeAll { $0 == app }
            voip.dropWaiting(app, .notRegistered)
            if voip[app]?.token != nil { voip.keep(app) { $0.token = nil } }
            return
        }
        voip.registries.append(launch)
        if let token = voip[app]?.token {
            // Apps register at each launch, and get the token each time.
            if voip.isRegistered(app) { requests.append(.call(app, .voip(.tokenUpdated(token)), .whereItRuns)) }
        } else if !voip.registering.contains(app) {
            voip.registering.append(app)
            voip.outputs.append(.makeToken(app))
        }
        // An app that is being ended cannot be called any more.
        guard isOpenable(index) else { return }
        let came = voip.waiting.filter { $0.app == app }
        voip.forgetWaiting(app)
        for entry in came { give(entry.push, index, isAwake: true) }
    }

    private mutating func voipTokenMade(_ token: DeviceToken?, _ app: AppID) {
        guard voip.registering.contains(app) else { return }
        voip.registering.removeAll { $0 == app }
        guard let token else { return voip.said.append(.registered(app, false)) }
        voip.keep(app) { $0.token = token }
        voip.unconfirmed.append(app)
        voip.outputs.append(.confirmToken(app))
    }

    // MARK: Pushes

    private mutating func voipPushArrived(_ payload: String, _ app: AppID) {
        guard let index = place(of: app) else { return said.append(.app(app, .unknown)) }
        guard voip.isRegistered(app) else { return voip.said.append(.dropped(app, .notRegistered)) }
        guard Int64(voip[app]?.misses ?? 0) < policy.voipMisses else {
            return voip.said.append(.dropped(app, .tooManyMisses))
        }
        let count = voip.waiting.count { $0.app == app } + voip.open.count { $0.app == app }
        guard count < VoIPPush.mostWaiting else { return voip.said.append(.dropped(app, .tooMany)) }
        // The end of the app may be over when it is launched.
        voip.obstacles = obstacles(index, .voipPush).filter { $0 != .notAWake && $0 != .ending }
        guard voip.obstacles.isEmpty else { return }
        let push = VoIPPush(number: (voip[app]?.lastPush ?? 0) + 1, payload: payload)
        voip.keep(app) { $0.lastPush = push.number }
        if isOpenable(index), let launch = apps[index].launch, voip.registries.contains(launch.id) {
            return give(push, index, isAwake: isInForeground(index))
        }
        voip.said.append(.waits(app))
        voip.waiting.append(ReferenceVoIP.Waiting(app: app, push: push, until: now + policy.voipPush))
        voip.doomed.removeAll { $0 == app }
        if apps[index].launch?.ending != nil { return voip.doomed.append(app) }
        if !isInForeground(index) { requests.append(.wake(app, .voipPush, nil)) }
    }

    /// The app is called for a push, and in the background is woken for it.
    private mutating func give(_ push: VoIPPush, _ index: Int, isAwake: Bool) {
        let app = apps[index].id
        voip.open.append(ReferenceVoIP.Open(app: app, number: push.number))
        let call = ConcernCall.voip(.push(push))
        requests.append(isAwake ? .call(app, call, .anywhere) : .wake(app, .voipPush, call))
    }

    /// The place of an open push that the app was called for.
    private func calledPlace(_ number: Int64, _ app: AppID) -> Int? {
        openPlace(number, app).flatMap { voip.open[$0].until == nil ? nil : $0 }
    }

    private mutating func pushReturned(_ number: Int64, _ launch: LaunchID) {
        guard let place = calledPlace(number, launch.app) else { return said.append(.launch(launch, .ignoredLate)) }
        if policy.voipPushNeedsCall, !voip.open[place].isReported { return miss(place, launch) }
        voip.open[place].hasReturned = true
        forgetIfHandled(place)
    }

    private mutating func forgetIfHandled(_ place: Int) {
        if voip.open[place].hasReturned, voip.open[place].isCompleted { voip.open.remove(at: place) }
    }

    /// The app has reported no call for a push.
    private mutating func miss(_ place: Int, _ launch: LaunchID) {
        voip.open.remove(at: place)
        countMiss(launch)
        requests.append(.kill(launch.app, .noCallReported))
    }

    private mutating func countMiss(_ launch: LaunchID) {
        voip.keep(launch.app) { $0.misses += 1 }
        voip.said.append(.missed(launch, voip[launch.app]?.misses ?? 0))
    }

    // MARK: The end of an event

    mutating func settleVoIP(of app: AppID) {
        guard let index = index(of: app) else { return }
        endCallsOfOtherLaunches(app, index)
        dropLateWaiting(app)
        passPushes(app, index)
        endLateActions(app)
        launchForPushes(app, index)
        settleCalls(app, index)
    }

    private mutating func dropLateWaiting(_ app: AppID) {
        let now = self.now
        let isLate = { (waiting: ReferenceVoIP.Waiting) in waiting.app == app && waiting.until <= now }
        let late = voip.waiting.filter(isLate)
        for _ in late { voip.said.append(.dropped(app, .noRegistry)) }
        if !late.isEmpty { voip.keep(app) { $0.misses += Int32(late.count) } }
        voip.waiting.removeAll(where: isLate)
        // An app is not launched for pushes that are lost.
        if !voip.waiting.contains(where: { $0.app == app }) { voip.doomed.removeAll { $0 == app } }
    }

    /// The time for a push is over. The app may also need too long to return.
    private mutating func passPushes(_ app: AppID, _ index: Int) {
        for open in voip.open where open.app == app {
            guard let until = open.until, until <= now, let place = openPlace(open.number, app) else { continue }
            if policy.voipPushNeedsCall, !open.isReported, let launch = apps[index].launch, !launch.isGoing {
                // The kill ends the app's other pushes.
                return miss(place, launch.id)
            }
            voip.open.remove(at: place)
        }
    }

    /// The app is launched for the pushes that came while it was being ended.
    private mutating func launchForPushes(_ app: AppID, _ index: Int) {
        guard voip.doomed.contains(app), apps[index].launch == nil, mayWake(index, for: .voipPush) else { return }
        voip.doomed.removeAll { $0 == app }
        requests.append(.wake(app, .voipPush, nil))
    }
}
