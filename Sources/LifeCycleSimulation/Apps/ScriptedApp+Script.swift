import AppCore
import LifeCycleModel

/// An app that follows a script.
extension ScriptedApp {
    /// An action that remains for the main thread before the next step.
    struct Deed: Hashable, Sendable {
        let act: AppScript.Act
        /// The task whose expiration handler this is; nil outside such a handler.
        var task: TaskID?
    }

    /// The call that the main thread is in, with its start.
    enum Frame: Hashable, Sendable {
        case call(DelegateCall, since: Nanoseconds)
        case handler(String, since: Nanoseconds)
        case session(SessionCall, since: Nanoseconds)
    }

    /// The counterpart of `work` for an app whose behavior is a script instead of a profile.
    mutating func workByScript(_ script: AppScript, at now: Nanoseconds, into acts: inout [Act]) {
        while !isHung, !isOccupied {
            if !deeds.isEmpty {
                perform(deeds.removeFirst(), at: now, into: &acts)
                continue
            }
            if frame != nil {
                leaveFrame(script, at: now, into: &acts)
                continue
            }
            guard !steps.isEmpty else { return }
            apply(steps.removeFirst(), script, at: now, into: &acts)
        }
    }

    private mutating func apply(
        _ step: Step, _ script: AppScript, at now: Nanoseconds, into acts: inout [Act]
    ) {
        switch step {
        case .call(let call):
            acts.append(.note(.called(call)))
            frame = .call(call, since: now)
            useSessions(in: call, script, into: &acts)
            deeds = (script.reactions[AppScript.Occasion(call)] ?? call.usualActs).map { Deed(act: $0) }
        case .post(let notification): acts.append(.note(.posted(notification)))
        case .deliver(let input):
            deliveries += 1
            acts.append(.note(.received(input)))
        case .expire(let id):
            var new: [Step] = []
            let isCalled = core.takeExpiration(of: id, into: &new)
            add(new, into: &acts)
            guard isCalled else { return }
            acts.append(.note(.expirationHandler(of: name(of: id))))
            frame = .handler(name(of: id), since: now)
            deeds = (script.reactions[.expirationHandler] ?? [.end(nil)]).map { Deed(act: $0, task: id) }
        case .finish(let id):
            var new: [Step] = []
            core.callbackReturned(id, at: now, into: &new)
            steps.insert(contentsOf: new, at: 0)
        case .transfer(let session, let news): receive(news, of: session, script, at: now, into: &acts)
        case .send(let request): acts.append(.send(request))
        case .log(let fault): acts.append(.note(.misused(fault)))
        case .exit: leave(.exited(code: 0), .exited(0), into: &acts)
        }
    }

    private mutating func leaveFrame(_ script: AppScript, at now: Nanoseconds, into acts: inout [Act]) {
        let left = frame
        frame = nil
        switch left {
        case .call(let call, let since):
            acts.append(.note(.returned(call, after: now - since)))
            if case .concern(.voip(.push(let push)), _) = call { finish(push, into: &acts) }
        case .handler(let name, let since): acts.append(.note(.handlerReturned(of: name, after: now - since)))
        case .session(let call, let since):
            acts.append(.note(.sessionCallReturned(call, after: now - since)))
            returned(from: call, script, at: now, into: &acts)
        case nil: break
        }
    }

    private mutating func perform(_ deed: Deed, at now: Nanoseconds, into acts: inout [Act]) {
        switch deed.act {
        case .take(let span):
            isOccupied = true
            acts.append(.busy(span))
            if frame == nil { acts.append(.note(.busy(span))) }
        case .hang:
            isHung = true
            acts.append(.note(.hung))
        case .end(nil):
            if let task = deed.task { end(task, into: &acts) }
        case .crash(let signal): leave(.signaled(signal), .crashed(signal), into: &acts)
        case .exit(let code): leave(.exited(code: code), .exited(code), into: &acts)
        case .begin, .end, .keepScreenOn, .flood, .download, .callHandler, .fetched, .sdk:
            performAnywhere(deed.act, at: now, into: &acts)
        }
    }

    /// Performs an act of the scenario outside any callback. An act for any thread is performed at once, every other
    /// act when the main thread is free. False if `act` ends an unknown task or calls a handler that is not pending.
    mutating func perform(_ act: AppScript.Act, at now: Nanoseconds, into acts: inout [Act]) -> Bool {
        switch act {
        case .begin, .keepScreenOn, .flood, .download, .sdk:
            performAnywhere(act, at: now, into: &acts)
        case .fetched:
            guard !core.attachment.openEvents.isEmpty else { return false }
            performAnywhere(act, at: now, into: &acts)
        case .callHandler:
            guard !downloads.handlers.isEmpty else { return false }
            callHandlers(downloads.handlers, into: &acts)
        case .end(let name):
            guard tasks.contains(where: { $0.name == name }) else { return false }
            performAnywhere(act, at: now, into: &acts)
        case .crash, .exit: perform(Deed(act: act), at: now, into: &acts)
        case .take, .hang:
            let wasBusy = isBusy
            deeds.append(Deed(act: act))
            if !wasBusy, let script { workByScript(script, at: now, into: &acts) }
        }
        return true
    }

    private mutating func performAnywhere(_ act: AppScript.Act, at now: Nanoseconds, into acts: inout [Act]) {
        var new: [Step] = []
        switch act {
        case .begin(let name, let ends, let hasHandler):
            let id = core.beginTask(name: name, hasHandler: hasHandler, at: now, into: &new)
            acts.append(.note(.began(name, isGranted: id != nil)))
            add(new, into: &acts)
            guard let id else { return }
            tasks.append(BackgroundTask(id: id, name: name))
            if let ends { acts.append(.endTaskLater(id, ends)) }
        case .end(let name):
            if let task = tasks.last(where: { $0.name == name }) { end(task.id, into: &acts) }
        case .keepScreenOn(let isOn):
            acts.append(.note(.keptScreenOn(isOn)))
            core.setIdleTimerDisabled(isOn, into: &new)
            add(new, into: &acts)
        case .flood(let count):
            acts.append(.note(.flooded(count)))
            for _ in 0..<count { acts.append(.send(.endTask(TaskID(.max)))) }
        case .download(let download): begin(download, into: &acts)
        case .callHandler:
            var sessions = downloads.handlers
            if case .session(let call, _) = frame { sessions = [call.session] }
            callHandlers(sessions, into: &acts)
        case .fetched(let result): fetched(result, into: &acts)
        case .sdk(let call):
            acts.append(.note(.sdk(call)))
            call.call.perform(in: &self, at: now, into: &acts)
        case .take, .hang, .crash, .exit: break
        }
    }

    private mutating func fetched(_ result: BackgroundFetchResult, into acts: inout [Act]) {
        var new: [Step] = []
        var events = core.attachment.openEvents
        if case .call(let call, _) = frame, let event = call.event { events = [event] }
        for event in events {
            acts.append(.note(.fetched(result)))
            core.eventHandled(event.callback, event.kind, result, into: &new)
        }
        add(new, into: &acts)
    }

    /// Ends a task, on any thread.
    mutating func end(_ id: TaskID, into acts: inout [Act]) {
        var new: [Step] = []
        acts.append(.note(.ended(name(of: id))))
        core.endTask(id, into: &new)
        add(new, into: &acts)
    }

    private mutating func leave(_ status: ExitStatus, _ note: AppNote, into acts: inout [Act]) {
        isHung = true
        acts.append(.note(note))
        acts.append(.exit(status))
    }

    private func name(of id: TaskID) -> String { tasks.last { $0.id == id }?.name ?? "\(id)" }

    func add(_ steps: [Step], into acts: inout [Act]) {
        for step in steps {
            switch step {
            case .send(let request): acts.append(.send(request))
            case .log(let fault): acts.append(.note(.misused(fault)))
            default: break
            }
        }
    }
}
