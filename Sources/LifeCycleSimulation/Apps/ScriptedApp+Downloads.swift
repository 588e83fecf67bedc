import AppCore
import LifeCycleModel

/// An app's use of background sessions, by its behavior profile.
extension ScriptedApp {
    /// In the middle of a callback, the app uses background sessions at random.
    mutating func useSessions(in call: DelegateCall, random: inout RandomSource, into acts: inout [Act]) {
        if case .concern(.transfer(.handleEvents(let session)), _) = call {
            if random.chance(profile.forgetsHandlers, in: 100) {
                acts.append(.fault(.forgottenHandler))
            } else {
                downloads.handlers.append(session)
            }
            // The session is created again, as Apple requires; it then delivers the missed events.
            return openSession(session, random: &random, into: &acts)
        }
        guard profile.downloads > 0, random.chance(profile.downloads, in: 100) else { return }
        let identifier = Downloads.identifiers[random.below(Downloads.identifiers.count)]
        guard let index = downloads.index(of: identifier) else {
            return openSession(identifier, random: &random, into: &acts)
        }
        if profile.lies > 0, random.chance(1, in: 6) { lie(to: identifier, random: &random, into: &acts) }
        if downloads.open[index].id != nil { useTasks(index, random: &random, into: &acts) }
    }

    private mutating func openSession(
        _ identifier: SessionIdentifier, random: inout RandomSource, into acts: inout [Act]
    ) {
        guard downloads.index(of: identifier) == nil else { return }
        var configuration = TransferSessionConfiguration()
        if random.chance(1, in: 5) { configuration.isDiscretionary = true }
        if random.chance(1, in: 5) { configuration.networks.cellular = false }
        if random.chance(1, in: 8) { configuration.networks.constrained = false }
        if random.chance(1, in: 5) { configuration.connectionsPerHost = 1 }
        if random.chance(1, in: 8) { configuration.sendsLaunchEvents = false }
        if random.chance(1, in: 8) { configuration.resourceTimeout = .seconds(Int64(60 + random.below(2000))) }
        open(identifier, configuration, into: &acts)
    }

    /// Creates a session, which attaches to its existing state and asks for its tasks. Does nothing if it is open.
    mutating func open(
        _ identifier: SessionIdentifier, _ configuration: TransferSessionConfiguration, into acts: inout [Act]
    ) {
        guard downloads.index(of: identifier) == nil else { return }
        downloads.open.append(Downloads.Session(identifier: identifier))
        say(.open(configuration), of: identifier, into: &acts)
        say(.list(after: 0), of: identifier, into: &acts)
    }

    /// Requests that no correct app makes. The requests bypass the app's own side of the SDK.
    private func lie(to session: SessionIdentifier, random: inout RandomSource, into acts: inout [Act]) {
        acts.append(.fault(.lie))
        switch random.below(4) {
        case 0:
            acts.append(
                .send(.concern(.transfer(session, .make(NewTransfer(number: 0, request: TransferRequest(url: "")))))))
        case 1: for number: Int64 in 0..<20 { acts.append(.send(.concern(.transfer(session, .list(after: number))))) }
        case 2: acts.append(.send(.concern(.transfer(session, .proceed(1, .continueLoading)))))
        default: acts.append(.send(.concern(.transfer(session, .handled))))
        }
    }

    private mutating func useTasks(_ index: Int, random: inout RandomSource, into acts: inout [Act]) {
        let session = downloads.open[index]
        for _ in 0..<(1 + random.below(3)) { makeTask(index, random: &random, into: &acts) }
        let old = Int64(1 + random.below(Int(downloads.open[index].nextNumber)))
        switch random.below(14) {
        case 0: say(.suspend(old), of: session.identifier, into: &acts)
        case 1: say(.resume(old), of: session.identifier, into: &acts)
        case 2: say(.cancel(old, keepsPartial: random.chance(1, in: 2)), of: session.identifier, into: &acts)
        case 3: say(.setPriority(old, Int32(random.below(1001))), of: session.identifier, into: &acts)
        case 4: say(.list(after: 0), of: session.identifier, into: &acts)
        case 5 where random.chance(1, in: 3):
            downloads.open[index].isFinishing = true
            let act = random.chance(1, in: 2) ? TransferAct.invalidateAndCancel : .finishTasksAndInvalidate
            say(act, of: session.identifier, into: &acts)
        default: break
        }
    }

    private mutating func makeTask(_ index: Int, random: inout RandomSource, into acts: inout [Act]) {
        let session = downloads.open[index]
        guard session.id != nil else { return }
        downloads.open[index].nextNumber += 1
        let entry = Downloads.catalog[random.below(Downloads.catalog.count)]
        var new = NewTransfer(number: session.nextNumber, request: TransferRequest(url: entry.url))
        if random.chance(1, in: 30) { new.request.url = "ftp://one.example.org/small" }
        if random.chance(1, in: 8) { new.request.networks.expensive = false }
        if let old = session.resumable.last, let id = session.id {
            new.resumes = TransferID(session: id, number: old)
            downloads.open[index].resumable.removeLast()
            // A task of an earlier launch is resumed with an arbitrary URL, which must have no effect.
            if let url = session.urls[old] { new.request.url = url }
        }
        downloads.open[index].urls[new.number] = new.request.url
        say(.make(new), of: session.identifier, into: &acts)
        if random.chance(1, in: 10) { acts.append(.delayTask(session.identifier, session.nextNumber)) }
        if random.chance(9, in: 10) { say(.resume(session.nextNumber), of: session.identifier, into: &acts) }
    }

    /// Handles news about a session; true if the app ends during it.
    mutating func receive(
        _ news: TransferNews, of identifier: SessionIdentifier, random: inout RandomSource, into acts: inout [Act]
    ) -> Bool {
        guard let index = downloads.index(of: identifier) else { return false }
        switch news {
        case .opened(let id, let lowestFree):
            let isNew = opened(index, id, lowestFree: lowestFree)
            if isNew, random.chance(profile.downloads, in: 100) { useTasks(index, random: &random, into: &acts) }
        case .listed, .progressed, .resumed: break
        case .willBegin(let number):
            let answers: [DelayedRequestDisposition] = [
                .continueLoading, .continueLoading, .cancel,
                .useNewRequest(TransferRequest(url: Downloads.catalog[0].url)),
            ]
            say(.proceed(number, answers[random.below(answers.count)]), of: identifier, into: &acts)
        case .downloaded(let number, _, _, _): return take(number, true, index, random: &random, into: &acts)
        case .failed(let number, let failure):
            if failure.resumable != nil { downloads.open[index].resumable.append(number) }
            return take(number, false, index, random: &random, into: &acts)
        case .eventsFinished: _ = callHandler(of: identifier, into: &acts)
        case .invalidated: downloads.open.remove(at: index)
        }
        return false
    }

    /// The delegate is notified of an outcome. The app acknowledges it once the delegate has returned, if it ever does.
    private mutating func take(
        _ number: Int64, _ hasFile: Bool, _ index: Int, random: inout RandomSource, into acts: inout [Act]
    ) -> Bool {
        let session = downloads.open[index]
        noteOutcome(of: number, hasFile: hasFile, index, into: &acts)
        if random.chance(profile.diesWithFiles, in: 100) {
            acts += [.fault(.deathWithFile), .exit(.signaled(11))]
            isHung = true
            return true
        }
        if random.chance(profile.dawdles, in: 100) {
            acts += [
                .fault(.slowDelegate),
                .acknowledgeLater(session.identifier, number, Nanoseconds(1 + random.span(upTo: 20_000_000_000))),
            ]
        } else {
            say(.acknowledge([number]), of: session.identifier, into: &acts)
        }
        return false
    }

    /// Stores the session's id from the system; returns whether it is new.
    mutating func opened(_ index: Int, _ id: TransferSessionID, lowestFree: Int64) -> Bool {
        let isNew = downloads.open[index].id != id
        downloads.open[index].id = id
        downloads.open[index].nextNumber = max(downloads.open[index].nextNumber, lowestFree)
        return isNew
    }

    /// Reports to the world that the delegate is notified of an outcome. The world checks whether that is allowed.
    mutating func noteOutcome(of number: Int64, hasFile: Bool, _ index: Int, into acts: inout [Act]) {
        let isSecond = !downloads.open[index].received.insert(number).inserted
        if let id = downloads.open[index].id {
            acts.append(.receivedOutcome(TransferID(session: id, number: number), hasFile: hasFile, isSecond: isSecond))
        }
    }

    /// Calls the pending completion handler of a session; false if no handler is pending.
    mutating func callHandler(of session: SessionIdentifier, into acts: inout [Act]) -> Bool {
        guard downloads.handlers.contains(session) else { return false }
        downloads.handlers.removeAll { $0 == session }
        say(.handled, of: session, into: &acts)
        return true
    }

    /// Acknowledges an outcome: the delegate has returned.
    mutating func acknowledge(_ number: Int64, of session: SessionIdentifier, into acts: inout [Act]) {
        say(.acknowledge([number]), of: session, into: &acts)
    }

    /// Sets `earliestBeginDate`; `until` is on the wall clock.
    mutating func delayTask(_ number: Int64, of session: SessionIdentifier, until: Nanoseconds, into acts: inout [Act])
    {
        say(.setEarliestBegin(number, until), of: session, into: &acts)
    }

    mutating func say(_ act: TransferAct, of session: SessionIdentifier, into acts: inout [Act]) {
        var new: [Step] = []
        core.transfer(act, of: session, into: &new)
        sendOnly(new, into: &acts)
    }
}
