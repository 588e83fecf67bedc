import LifeCycleModel
import LifeCyclePolicy

/// The receiver of positions in the reference model. Times are on the wall clock.
struct ReferenceReceiver: Hashable, Sendable, Encodable {
    /// Until this time no position is looked for, for an app's significant changes.
    struct Rest: Hashable, Sendable, Encodable {
        let app: AppID
        let until: Nanoseconds
    }

    /// The app that the receiver is on for; nil while it is off.
    var user: AppID?
    /// When the receiver was switched on, or the last position came.
    var lastSign = Nanoseconds.zero
    /// When it was switched on.
    var switchedOn = Nanoseconds.zero
    /// Whether it has brought a position since then.
    var wasLucky = false
    /// Since when no app needs the receiver, although it is on.
    var idleSince: Nanoseconds?
    /// When it was switched off most recently.
    var switchedOff: Nanoseconds?
    /// The attempts in a row that ended by themselves.
    var attempts = 0
    /// When an attempt ended by itself; nil if there has been another one.
    var lastEnd: Nanoseconds?
    var rests: [Rest] = []
    /// The same for an app's regions, and for its launch to continue its activity.
    var regionRests: [Rest] = []
    var launchRests: [Rest] = []

    mutating func clocksWereRead(at now: Nanoseconds) {
        (rests, regionRests, launchRests) = ([], [], [])
        (switchedOff, lastEnd) = (nil, nil)
        (lastSign, switchedOn) = (now, now)
        if idleSince != nil { idleSince = now }
    }

    mutating func rest(_ app: AppID, until time: Nanoseconds) {
        rests.removeAll { $0.app == app }
        rests.append(Rest(app: app, until: time))
    }
}

extension ReferenceModel {
    /// The distance that the receiver waits for.
    private var wantedDistance: Int64 { policy.significantDistance * 21 / 20 }

    /// An app is about to be told a change.
    mutating func rest(_ app: AppID, before newest: LocationFix) {
        var time = policy.significantPause
        if let last = locations[app]?.told, let since = locations[app]?.toldAt {
            time = max(time, self.time(for: wantedDistance, last.distance(to: newest), wallNow - since))
        }
        locations.receiver.rest(app, until: wallNow + time)
    }

    /// The time for a distance at the speed by which another distance took a time, at most the longest rest.
    func time(for distance: Int64, _ covered: Int64, _ span: Nanoseconds) -> Nanoseconds {
        guard covered > 0, span > .zero else { return policy.locationRest }
        let milliseconds = (span.rawValue / 1_000_000).multipliedFullWidth(by: distance)
        guard milliseconds.high == 0, milliseconds.low < UInt64(Int64.max) else { return policy.locationRest }
        let quotient = Int64(milliseconds.low) / covered
        return quotient > policy.locationRest.rawValue / 1_000_000 ? longestRest : .milliseconds(quotient)
    }

    private var longestRest: Nanoseconds { .milliseconds(policy.locationRest.rawValue / 1_000_000) }

    mutating func moved(to fix: LocationFix) {
        if locations.receiver.user != nil {
            (locations.receiver.lastSign, locations.receiver.wasLucky) = (wallNow, true)
            if wallNow - locations.receiver.switchedOn >= policy.receiverPause { locations.receiver.attempts = 0 }
        }
        for record in locations.records where record.monitorsChanges {
            guard let told = record.told, let since = record.toldAt else {
                locations.receiver.rest(record.app, until: wallNow + policy.locationRest)
                continue
            }
            let (covered, span) = (told.distance(to: fix), wallNow - since)
            let isChange = covered >= policy.significantDistance
            let rest = isChange ? policy.locationRest : time(for: wantedDistance - covered, covered, span)
            let until = max(wallNow + rest, since + policy.significantPause)
            locations.receiver.rests.removeAll { $0.app == record.app }
            if until - wallNow >= policy.locationLook { locations.receiver.rest(record.app, until: until) }
        }
        sight(fix)
    }

    mutating func receiverEnded(_ reason: String) {
        guard let user = locations.receiver.user else { return }
        locations.receiver.attempts += 1
        if locations.receiver.wasLucky { locations.isOutOfSight = true }
        locations.receiver.lastEnd = wallNow
        (locations.receiver.user, locations.receiver.idleSince) = (nil, nil)
        if isInstalled(user) { locations.said.append(.receiverEnded(user, reason)) }
        guard locations.receiver.attempts == 1 else { return }
        for record in locations.records where isInUse(record.app) {
            requests.append(.call(record.app, .location(.failed(.unknown)), .whereItRuns))
        }
    }

    private func isInstalled(_ app: AppID) -> Bool { index(of: app).map { !apps[$0].isToBeRemoved } ?? false }

    /// Whether the app needs positions for its updates.
    private func isInUse(_ app: AppID) -> Bool {
        shutdown == .none && (mayReceiveUpdates(app) || wakesByUpdates(app))
    }

    /// Whether the app needs a position now for its updates or its request.
    private func needsOne(_ app: AppID) -> Bool { isInUse(app) || shutdown == .none && looksForRequest(app) }

    /// Whether the app would be told a significant change or a crossing, whenever it comes.
    func isMonitoring(_ record: LocationRecord) -> Bool {
        guard isInstalled(record.app), let index = index(of: record.app),
            record.monitorsChanges || !record.regions.isEmpty
        else { return false }
        let isUsed = isInForeground(index) || record.activity != nil
        return record.permission == .always || record.permission == .whenInUse && isUsed
    }

    private func isLooking(_ record: LocationRecord) -> Bool {
        if shutdown != .none { return false }
        return looksForLaunch(record) || isMonitoring(record) && (looksForChange(record) || looksForCrossing(record))
    }

    private func looksForChange(_ record: LocationRecord) -> Bool {
        record.monitorsChanges
            && !locations.receiver.rests.contains { $0.app == record.app && $0.until > wallNow }
    }

    private func looksForCrossing(_ record: LocationRecord) -> Bool {
        !record.regions.isEmpty
            && !locations.receiver.regionRests.contains { $0.app == record.app && $0.until > wallNow }
    }

    /// The app that needs a position now. Apps in use come first.
    private var receiversUser: AppID? {
        locations.records.first { needsOne($0.app) }?.app
            ?? locations.records.first { isLooking($0) }?.app
    }

    mutating func settleReceiver() {
        let now = wallNow
        let isForUpdates = locations.records.contains { needsOne($0.app) }
        if locations.receiver.user != nil, !isForUpdates, now - locations.receiver.lastSign >= policy.locationLook {
            let end = now + policy.locationRest
            for record in locations.records where isLooking(record) {
                if looksForChange(record) { locations.receiver.rest(record.app, until: end) }
                if looksForLaunch(record) {
                    locations.receiver.launchRests.removeAll { $0.app == record.app }
                    locations.receiver.launchRests.append(ReferenceReceiver.Rest(app: record.app, until: end))
                }
                if looksForCrossing(record) {
                    locations.receiver.regionRests.removeAll { $0.app == record.app }
                    let rest = ReferenceReceiver.Rest(app: record.app, until: end)
                    locations.receiver.regionRests.append(rest)
                }
            }
        }
        if let user = receiversUser {
            locations.receiver.idleSince = nil
            guard locations.receiver.user == nil, nextAttempt ?? now <= now else { return }
            if let next = nextAttempt, now - next >= policy.locationRest { locations.receiver.attempts = 0 }
            (locations.receiver.user, locations.receiver.lastSign, locations.receiver.lastEnd) = (user, now, nil)
            (locations.receiver.switchedOn, locations.receiver.wasLucky) = (now, false)
            locations.said.append(.receiverOn(user))
            locations.switches.append(true)
            return
        }
        guard let user = locations.receiver.user else { return }
        if locations.receiver.idleSince == nil { locations.receiver.idleSince = now }
        guard let time = switchOffTime, time <= now else { return }
        (locations.receiver.user, locations.receiver.idleSince, locations.receiver.switchedOff) = (nil, nil, now)
        if isInstalled(user) { locations.said.append(.receiverOff(user)) }
        locations.switches.append(false)
        if locations.receiver.wasLucky { locations.isOutOfSight = true }
    }

    /// When the receiver may be switched on again, after it has ended by itself.
    private var nextAttempt: Nanoseconds? {
        let isForUpdates = locations.records.contains { needsOne($0.app) }
        let longest = isForUpdates ? policy.receiverPause : policy.locationRest
        let wait = Nanoseconds.seconds(1 << min(20, Int64(locations.receiver.attempts) - 1))
        return locations.receiver.lastEnd.map { $0 + min(longest, wait) }
    }

    private var switchOffTime: Nanoseconds? {
        guard let idle = locations.receiver.idleSince else { return nil }
        let soonest = idle + policy.receiverLinger
        return locations.receiver.switchedOff.map { max(soonest, $0 + policy.receiverPause) } ?? soonest
    }

    /// The times at which the receiver has to be looked at.
    var receiverTimes: [Nanoseconds] {
        let receiver = locations.receiver
        if receiversUser != nil {
            if receiver.user == nil { return [nextAttempt].compactMap { $0 } }
            let isForUpdates = locations.records.contains { needsOne($0.app) }
            return isForUpdates ? [] : [receiver.lastSign + policy.locationLook]
        }
        if shutdown != .none { return [switchOffTime].compactMap { $0 } }
        let monitoring = locations.records.filter(isMonitoring)
        let rests = receiver.rests.filter { rest in
            monitoring.contains { $0.app == rest.app && $0.monitorsChanges }
        }
        let regionRests = receiver.regionRests.filter { rest in
            monitoring.contains { $0.app == rest.app && !$0.regions.isEmpty }
        }
        let launchRests = receiver.launchRests.filter { rest in
            locations[rest.app].map { awaitsPosition($0) } ?? false
        }
        return (rests + regionRests + launchRests).map(\.until) + [switchOffTime].compactMap { $0 }
    }
}
