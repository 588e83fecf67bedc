import LifeCycleModel
import RoostWire

/// What the keys do.
extension RunSession {
    func handle(_ typed: Typed) {
        if let prompt {
            // What an answer asks in turn stays.
            self.prompt = nil
            let next = prompt.typed(typed)
            self.prompt = self.prompt ?? next
            return
        }
        switch typed {
        case .end: end(0)
        case .character(let character):
            guard let key = RunKey(rawValue: Character(character.lowercased())) else {
                return screen.say(Colour.dim.paint("no key \"\(Output.visible(String(character)))\"; ? shows them"))
            }
            press(key)
        case .enter, .backspace, .escape: break
        }
    }

    private func press(_ key: RunKey) {
        let id = manifest.identifier
        // What is typed while the app is built or the system comes up was not meant for what is there afterwards.
        guard isLaunchAnswered || key == .help || key == .quit else {
            return screen.say(
                .problem, "\(manifest.displayName) is not launched yet: \"\(key.rawValue)\" comes too early")
        }
        switch key {
        case .home: act("home", .home)
        case .open: act("open \(manifest.displayName)", .launch(id))
        case .switchApp: act("switch to the app used before", .switchTo(nil))
        case .interrupt:
            prompt = .choice(of: Interruption.allCases.map(\.rawValue), question: "interrupt by") { [unowned self] in
                let kind = Interruption.allCases[$0]
                act("interrupt by \(kind.rawValue)", .interrupt(kind))
            }
        case .dismiss: act("dismiss", .dismiss)
        case .accept: act("accept", .accept(nil))
        case .lock: act("lock", .lock)
        case .unlock: act("unlock", .unlock)
        case .send:
            prompt = .text("", question: "text") { [unowned self] text in
                guard !text.isEmpty else { return }
                act("type \"\(text)\"", .send(id, .text(text)))
            }
        case .memoryWarning: act("memory is low", .memory(.warning))
        case .memoryCritical: act("memory is critical", .memory(.critical))
        case .setting: chooseSetting()
        case .wake: wake()
        case .forceQuit: act("swipe \(manifest.displayName) away", .quit(id))
        case .relaunch:
            guard let app, app.state != .notRunning else { return act("open \(manifest.displayName)", .launch(id)) }
            opensAgain = true
            act("swipe \(manifest.displayName) away, to open it anew", .quit(id))
        case .help:
            for key in RunKey.allCases { screen.say("  \(Colour.bold.paint(String(key.rawValue)))  \(key.help)") }
        case .quit: end(0)
        }
    }

    private func wake() {
        let reasons = LaunchReason.allCases.filter { reason in
            reason.requiredMode.map(manifest.backgroundModes.contains) ?? false
        }
        guard let first = reasons.first else {
            return screen.say(.problem, "nothing wakes the app: it declares no mode in UIBackgroundModes that would")
        }
        guard reasons.count > 1 else { return wake(first) }
        prompt = .choice(of: reasons.map(\.rawValue), question: "wake for") { [unowned self] in wake(reasons[$0]) }
    }

    private func wake(_ reason: LaunchReason) { act("wake for \(reason.rawValue)", .wake(manifest.identifier, reason)) }

    /// Each press of a number takes a setting on to its next value.
    private func chooseSetting() {
        ask(.settings) { [unowned self] in
            guard case .settings(let summary) = $0 else { return }
            let changes = summary.settings.filter { $0.app == nil }.compactMap { line in
                Self.value(after: line.value, of: line.name).map { (name: line.name, value: $0) }
            }
            prompt = .choice(of: changes.map { "\($0.name) \($0.value)" }, question: "set") { [unowned self] in
                let change = changes[$0]
                act("set \(change.name) \(change.value)", .set(name: change.name, value: change.value, app: nil))
            }
        }
    }

    /// The next value of a setting that has but a few; nil for others.
    private static func value(after value: String, of name: String) -> String? {
        let values = [["on", "off"], Network.allCases.map(\.rawValue), PowerSource.allCases.map(\.rawValue)].first {
            $0.contains(value)
        }
        guard let values, let index = values.firstIndex(of: value) else { return nil }
        return values[(index + 1) % values.count]
    }
}
