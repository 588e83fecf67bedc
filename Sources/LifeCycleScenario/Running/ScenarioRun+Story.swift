import AppCore
import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation
import LifeCycleText

/// Makes a story from the world's chronicle.
extension ScenarioRun {
    /// The one who acts in a step.
    enum Doer {
        case user, device
        case app(AppID)
    }

    mutating func record(_ doer: Doer, _ step: ScenarioStep) {
        switch doer {
        case .user: add(nil, .you, step.words)
        case .device: add(nil, .device, step.words)
        // The app's own action creates its lines.
        case .app: break
        }
    }

    /// Adds everything that has happened since the last call.
    mutating func note() {
        for entry in world.takeChronicle() {
            switch entry.what {
            case .turn(_, let effects): note(effects, at: entry.time)
            case .note(let launch, let note): self.note(note, of: launch.app, at: entry.time)
            }
        }
        noteDownloads()
    }

    private mutating func note(_ effects: [Effect], at time: Moment) {
        for case .decided(let decision) in effects {
            let (kind, text) = DecisionText.kindAndText(decision, at: time)
            if let app = decision.app { decided[place(app)].append(kind) }
            if case .launch(let launch, .ended(let reason, _)) = decision { ends[place(launch.app)] = reason }
            if case .concern(.transfer(let decision)) = decision { note(decision, at: time) }
            if case .launch(_, .stateChanged(_, let to)) = decision {
                add(decision.app, .state, text, rule: DecisionText.rule(of: decision), .state(to), at: time)
            } else {
                add(
                    decision.app, .why, Words.shown(text, longest: 600), rule: DecisionText.rule(of: decision),
                    Self.mark(of: decision), at: time)
            }
        }
    }

    private static func mark(of decision: Decision) -> StoryLine.Mark? {
        switch decision {
        case .launch(_, .woken(let reason)): .begins("wake for \(reason.rawValue)")
        case .launch(_, .launched(let reason)) where reason != .user: .begins("wake for \(reason.rawValue)")
        case .launch(_, .terminating): .fatal
        case .launch(_, .ended): .endsAll
        case .concern(.transfer(.began(let id, _))), .concern(.transfer(.stopped(let id, _))),
            .concern(.transfer(.waits(let id, _, _))),
            .concern(.transfer(.retries(let id, _, _))), .concern(.transfer(.delayed(let id, _))):
            .carrying(id)
        case .concern(.transfer(.completed(let id, _))), .concern(.transfer(.failed(let id, _))): .carried(id)
        default: nil
        }
    }

    private mutating func note(_ note: AppNote, of app: AppID, at time: Moment) {
        switch note {
        case .called(let call):
            called[place(app)].append(call.name)
            let event = call.event?.kind
            add(app, .calls, call.name, rule: event?.rule, event.map { _ in .begins("fetch") }, at: time)
        case .returned(let call, let after):
            if after > .zero { add(app, .returns, "\(call.name), after \(after)", at: time) }
        case .posted(let notification):
            posted[place(app)].append(notification.name)
            add(app, .posts, notification.name, at: time)
        case .expirationHandler(let name):
            called[place(app)].append("expirationHandler")
            add(app, .calls, "expirationHandler of \"\(Words.shown(name))\"", rule: "R-42", at: time)
        case .handlerReturned(let name, let after):
            if after > .zero {
                add(app, .returns, "expirationHandler of \"\(Words.shown(name))\", after \(after)", at: time)
            }
        case .sessionCalled(let call):
            called[place(app)].append(call.method.rawValue)
            add(app, .calls, Self.text(of: call), rule: Self.rule(of: call), at: time)
        case .sessionCallReturned(let call, let after):
            if after > .zero { add(app, .returns, "\(Self.text(of: call)), after \(after)", at: time) }
        case .received(let input):
            received[place(app)].append(input)
            add(app, .app, "receives \(Words.text(input))", rule: "K008", at: time)
        default: add(app, .app, Self.text(of: note), mark(of: note), at: time)
        }
    }

    private static func text(of note: AppNote) -> String {
        switch note {
        case .began(let name, true): "begins task \"\(Words.shown(name))\""
        case .began(let name, false): "begins task \"\(Words.shown(name))\", and gets .invalid"
        case .ended(let name): "ends task \"\(Words.shown(name))\""
        case .misused(.tooManyTasks): "its log: too many tasks are open"
        case .misused(.unknownTask(let id)): "its log: \(id) is not open"
        case .misused(.handlerCalledTwice(let kind)): "its log: the completion handler of \(kind.name) is called twice"
        case .misused(.taskWithoutHandler(let id)): "its log: \(id) has no expiration handler"
        case .misused(.noExpirationHandler(let id)): "its log: time is up for \(id), which has no expiration handler"
        case .busy(let span): "its main thread is busy for \(span)"
        case .keptScreenOn(let isOn): "sets isIdleTimerDisabled to \(isOn)"
        case .flooded(let count): "makes \(count) requests at once"
        case .downloads(let download):
            "downloads \(Words.shown(download.url)), by session \"\(Words.shown(download.session.rawValue))\""
        case .calledHandler(let session): "calls the completion handler of session \"\(Words.shown(session.rawValue))\""
        case .fetched(let result): "calls the completion handler with \(result.rawValue)"
        case .sdk(let call): Words.shown(call.text, longest: 600)
        case .hung: "its main thread hangs"
        case .crashed(let signal): "crashes with signal \(signal)"
        case .exited(let code): "exits with code \(code)"
        default: ""
        }
    }

    private func mark(of note: AppNote) -> StoryLine.Mark? {
        switch note {
        case .began(let name, true): .begins("task \(Words.shown(name))")
        case .ended(let name): .ends("task \(Words.shown(name))")
        case .fetched: .ends("fetch")
        case .hung, .crashed: .fatal
        default: nil
        }
    }

    mutating func add(
        _ app: AppID?, _ kind: StoryLine.Kind, _ text: String, rule: String? = nil, _ mark: StoryLine.Mark? = nil,
        at time: Moment? = nil
    ) {
        outcome.story.append(
            StoryLine(
                time: time.map { $0.elapsed - start.elapsed } ?? now, app: app, kind: kind, text: text, rule: rule,
                mark: mark))
    }
}
