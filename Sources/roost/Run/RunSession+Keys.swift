import ArgumentParser
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
        if isDeviceOff, ![.device, .restartDevice, .help, .quit].contains(key) {
            return screen.say(.problem, "the device is off: \(RunKey.device.rawValue) starts it")
        }
        // What is typed while the app is built or the system comes up was not meant for what is there afterwards.
        guard isLaunchAnswered || key == .help || key == .quit else {
            return screen.say(
                .problem, "\(manifest.displayName) is not launched yet: \"\(key.rawValue)\" comes too early")
        }
        switch key {
        case .home: act("home", .home)
        case .open: act("open \(manifest.displayName)", .launch(id))
        case .switchApp: act("switch to the app used before", .switchTo(nil))
        case .switchByName:
            chooseApp("switch to") { [unowned self] in act("switch to \($0.name)", .switchTo($0.identifier)) }
        case .interrupt:
            choose(of: Interruption.allCases.map(\.rawValue), "interrupt by") { [unowned self] in
                let kind = Interruption.allCases[$0]
                act("interrupt by \(kind.rawValue)", .interrupt(kind))
            }
        case .dismiss: act("dismiss", .dismiss)
        case .accept: act("accept", .accept(nil))
        case .acceptIntoApp:
            chooseApp("accept, and go to") { [unowned self] in
                act("accept, and go to \($0.name)", .accept($0.identifier))
            }
        case .lock: act("lock", .lock)
        case .unlock: act("unlock", .unlock)
        case .send:
            prompt = .text("", question: "text") { [unowned self] text in
                guard !text.isEmpty else { return }
                act("type \"\(text)\"", .send(id, .text(text)))
            }
        case .touch:
            prompt = .text("", question: "touch at x,y, of 390 by 844 points") { [unowned self] in touch($0) }
        case .memoryWarning: act("memory is low", .memory(.warning))
        case .memoryCritical: act("memory is critical", .memory(.critical))
        case .setting: chooseSetting()
        case .clock: act("the clock is set", .clock)
        case .notification: answerNotification()
        case .wake: wake()
        case .forceQuit: act("swipe \(manifest.displayName) away", .quit(id))
        case .relaunch:
            guard let app, app.state != .notRunning else { return act("open \(manifest.displayName)", .launch(id)) }
            opensAgain = true
            act("swipe \(manifest.displayName) away, to open it anew", .quit(id))
        case .device: isDeviceOff ? startDevice() : shutDownDevice(startingAgain: false)
        case .restartDevice: isDeviceOff ? startDevice() : shutDownDevice(startingAgain: true)
        case .restartSystem: restartSystem()
        case .help:
            for key in RunKey.allCases { screen.say("  \(Colour.bold.paint(String(key.rawValue)))  \(key.help)") }
        case .quit: end(0)
        }
    }

    private func wake() {
        let reasons = LaunchReason.allCases.filter { reason in
            reason.isEvent && reason.requiredMode.map(manifest.backgroundModes.contains) ?? true
        }
        guard reasons.count > 1 else { return wake(.locationMonitoring) }
        choose(of: reasons.map(\.rawValue), "wake for") { [unowned self] in wake(reasons[$0]) }
    }

    private func wake(_ reason: LaunchReason) { act("wake for \(reason.rawValue)", .wake(manifest.identifier, reason)) }

    private func touch(_ text: String) {
        guard !text.isEmpty else { return }
        do {
            let touch = try Touch.argument(text)
            act("touch at \(text)", .send(manifest.identifier, .touch(x: touch.x, y: touch.y)))
        } catch {
            screen.say(.problem, "\((error as? ValidationError)?.message ?? "\(error)")")
        }
    }

    // MARK: Choosing

    /// Asks for one of a few things. What does not fit the last line stands above it as well.
    func choose(of choices: [String], _ question: String, then: @escaping (Int) -> Void) {
        let prompt = RunPrompt.choice(of: choices, question: question, then: then)
        if prompt.line.displayWidth > Terminal.size.columns - 3 {
            for (index, choice) in choices.enumerated() {
                screen.say("  \(Colour.bold.paint(String(RunPrompt.label(index))))  \(Output.visible(choice))")
            }
        }
        self.prompt = prompt
    }

    private func chooseApp(_ question: String, then: @escaping (AppSummary) -> Void) {
        ask(.list) { [unowned self] in
            guard case .apps(let apps) = $0 else { return }
            let names = apps.map { app in
                apps.count { $0.name == app.name } > 1 ? app.identifier.rawValue : Output.visible(app.name)
            }
            choose(of: names, question) { then(apps[$0]) }
        }
    }

    /// A setting with few values goes on to its next; another value is asked for.
    private func chooseSetting() {
        ask(.settings) { [unowned self] in
            guard case .settings(let summary) = $0 else { return }
            let lines = summary.settings.filter { $0.app == nil || $0.app == manifest.identifier }
            let choices = lines.map { line in
                "\(line.name) \(Self.value(after: line.value, of: line.name) ?? "…")"
                    + (line.app == nil ? "" : " for \(Output.visible(manifest.displayName))")
            }
            choose(of: choices, "set") { [unowned self] in change(lines[$0]) }
        }
    }

    private func change(_ line: SettingsSummary.Line) {
        func set(_ value: String) {
            let whose = line.app == nil ? "" : " for \(manifest.displayName)"
            act("set \(line.name) \(value)\(whose)", .set(name: line.name, value: value, app: line.app))
        }
        if let next = Self.value(after: line.value, of: line.name) { return set(next) }
        let values = DeviceSetting.names.first { $0.name == line.name }?.values ?? ""
        prompt = .text("", question: "\(line.name), now \(line.value), \(values)") {
            if !$0.isEmpty { set($0) }
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
