import ArgumentParser
import LifeCycleModel
import RoostWire

/// The actions of the keys.
extension RunSession {
    func handle(_ typed: Typed) {
        if let prompt {
            // The answer may ask another question, which is retained.
            self.prompt = nil
            let next = prompt.typed(typed)
            self.prompt = self.prompt ?? next
            return
        }
        switch typed {
        case .end: end(0)
        case .character(let character):
            let typed = Character(character.lowercased())
            guard let key = RunKey.all.first(where: { $0.character == typed }) else {
                return screen.say(Color.dim.paint("no key \"\(Output.visible(String(character)))\"; ? shows them"))
            }
            press(key)
        case .enter, .backspace, .escape: break
        }
    }

    private func press(_ key: RunKey) {
        if isDeviceOff, key.availability == .onceLaunched {
            return screen.say(.problem, "the device is off: \(RunKey.device.character) starts it")
        }
        // Keys typed during the build or the start of the system were not meant for the state afterwards.
        guard isLaunchAnswered || key.availability == .always else {
            return screen.say(
                .problem, "\(manifest.displayName) is not launched yet: \"\(key.character)\" comes too early")
        }
        key.press(self)
    }

    func showKeys() {
        for key in RunKey.all { screen.say("  \(Color.bold.paint(String(key.character)))  \(key.help)") }
    }

    func open() { act("open \(manifest.displayName)", .launch(manifest.identifier)) }

    func relaunch() {
        guard let app, app.state != .notRunning else { return open() }
        opensAgain = true
        act("swipe \(manifest.displayName) away, to open it again", .quit(manifest.identifier))
    }

    func type(_ text: String) {
        if !text.isEmpty { act("type \"\(text)\"", .send(manifest.identifier, .text(text))) }
    }

    func wake() {
        let reasons = LaunchReason.allCases.filter { reason in
            reason.isEvent && reason.requiredMode.map(manifest.backgroundModes.contains) ?? true
        }
        guard reasons.count > 1 else { return wake(.locationMonitoring) }
        choose(of: reasons.map(\.rawValue), "wake for") { [unowned self] in wake(reasons[$0]) }
    }

    private func wake(_ reason: LaunchReason) { act("wake for \(reason.rawValue)", .wake(manifest.identifier, reason)) }

    func touch(_ text: String) {
        guard !text.isEmpty else { return }
        do {
            let touch = try Touch.argument(text)
            act("touch at \(text)", .send(manifest.identifier, .touch(x: touch.x, y: touch.y)))
        } catch {
            screen.say(.problem, "\((error as? ValidationError)?.message ?? "\(error)")")
        }
    }

    // MARK: Choices

    /// Asks for one of several choices. Choices that do not fit on the last line are also listed above it.
    func choose(of choices: [String], _ question: String, then: @escaping (Int) -> Void) {
        let prompt = RunPrompt.choice(of: choices, question: question, then: then)
        if prompt.line.displayWidth > Terminal.size.columns - 3 {
            for (index, choice) in choices.enumerated() {
                screen.say("  \(Color.bold.paint(String(RunPrompt.label(index))))  \(Output.visible(choice))")
            }
        }
        self.prompt = prompt
    }

    func chooseApp(_ question: String, then: @escaping (AppSummary) -> Void) {
        ask(.list) { [unowned self] in
            guard case .apps(let apps) = $0 else { return }
            let names = apps.map { app in
                apps.count { $0.name == app.name } > 1 ? app.identifier.rawValue : Output.visible(app.name)
            }
            choose(of: names, question) { then(apps[$0]) }
        }
    }

    /// Sets a setting with few values to its next value, and asks for the value of other settings.
    func chooseSetting() {
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

    /// The next value of a setting with few values; nil for other settings.
    private static func value(after value: String, of name: String) -> String? {
        let values = [["on", "off"], Network.allCases.map(\.rawValue), PowerSource.allCases.map(\.rawValue)].first {
            $0.contains(value)
        }
        guard let values, let index = values.firstIndex(of: value) else { return nil }
        return values[(index + 1) % values.count]
    }
}
