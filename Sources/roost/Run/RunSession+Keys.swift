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
        switch key {
        case .home: act("home", .home)
        case .open: act("open \(manifest.displayName)", .launch(id))
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
}
