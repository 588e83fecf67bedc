import ArgumentParser
import Glibc
import LifeCycleModel
import RoostPorts
import RoostRuntime
import RoostWire

/// A session of `roost run`: an app in a system, keys, and their results. Everything runs on the loop, and nothing
/// blocks.
final class RunSession {
    /// The system that the app runs in.
    enum Place {
        /// A system that this command has started.
        case own(OwnSystem)
        /// The running system of a state directory, which continues afterwards.
        case running(StateOptions)

        /// The state directory.
        var state: String {
            switch self {
            case .own(let system): system.state
            case .running(let options): options.path
            }
        }
    }

    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH]
    /// The shortest time between refreshes.
    private static let pause = Nanoseconds.milliseconds(50)
    /// The time limit for the start or the end of a system.
    private static let patience = Nanoseconds.seconds(20)

    let loop: EventLoop
    let screen: RunScreen
    let manifest: AppManifest
    let place: Place
    private let bundle: String
    let terminal: Terminal?

    private var link: ControlLink?
    private var stream: ControlLink?
    /// The power state, for the keys.
    var power = DevicePower.on
    private var tail: LogTail?
    private var logs: DirectoryWatch?
    var app: AppSummary?
    /// The displayed notifications that have rung, by app and number; nil before the first query.
    var rung: Set<String>?
    var status: SystemStatus?
    private var hasPrinted = false
    private var asking = 0
    /// The last refusal that was printed, because both connections may report it.
    private var refusal: String?
    private var rest: [UInt8] = []
    var prompt: RunPrompt?
    /// Whether to open the app again when it has ended.
    var opensAgain = false

    private var refreshAt: Nanoseconds?
    /// The time limit for the awaited start or end of the system.
    private var giveUpAt: Nanoseconds? { didSet { setDeadline() } }
    private var hasBegun = false
    private var isInstalled = false
    /// Whether the new version of the app has been launched. An older version that was running ends at the
    /// installation.
    private var isOpened = false
    /// Whether the system has accepted or refused the first launch. Until then keys have no meaning.
    private(set) var isLaunchAnswered = false
    private var isEnding = false
    /// The exit code, and the message to print after the terminal is restored.
    private var outcome: (code: Int32, complaint: String?)?

    init(bundle: String, manifest: AppManifest, place: Place) throws(SystemError) {
        self.bundle = bundle
        self.manifest = manifest
        self.place = place
        terminal = Terminal.isThere ? Terminal(alternateScreen: false) : nil
        screen = RunScreen(terminal: terminal)
        loop = try EventLoop()
    }

    /// Runs until the user quits, or without a terminal until the app ends. Throws an exit code other than 0 after
    /// printing the error.
    func run() throws {
        do {
            try watch()
            try begin()
            updateStatus()
            screen.flush()
            loop.run()
        } catch let error as SystemError {
            outcome = (1, error.description)
        }
        screen.close()
        terminal?.giveBack()
        guard let outcome else { return }
        if let complaint = outcome.complaint { writeError("roost: \(complaint)\n") }
        if outcome.code != 0 { throw ExitCode(outcome.code) }
    }

    private func watch() throws(SystemError) {
        loop.endOfTurn = { [unowned self] in
            // The app's output follows the decisions, because it is mostly a consequence of them.
            if hasPrinted { printOutput() }
            updateStatus()
            screen.flush()
        }
        loop.onDeadline = { [unowned self] in timePassed() }
        try loop.watchSignals(Self.signals) { [unowned self] in handle($0) }
        if let terminal {
            try loop.add(STDIN_FILENO, events: .readable) { [unowned self] _ in
                guard let bytes = terminal.typed() else { return finish(128 + SIGHUP) }
                for typed in Typed.read(bytes, rest: &rest) { handle(typed) }
            }
        } else {
            // Without a reader, the output has no use. A file has no reader and cannot be watched.
            try? loop.add(STDOUT_FILENO, events: []) { [unowned self] _ in
                loop.remove(STDOUT_FILENO)
                finish(128 + SIGPIPE)
            }
        }
    }

    // MARK: The system

    private func begin() throws {
        switch place {
        case .running(let options):
            try connected(ControlClient.descriptor(for: options), ControlClient.descriptor(for: options))
        case .own(let system):
            try waitFor(system)
            try loop.add(system.news, events: .readable) { [unowned self] _ in
                do throws(SystemError) {
                    try lookFor(system)
                } catch {
                    stop(1, error.description)
                }
            }
            try lookFor(system)
        }
    }

    /// Watches a system that was started, and limits the time until it is up.
    func waitFor(_ system: OwnSystem) throws(SystemError) {
        losePatienceLater()
        try loop.add(system.ended, events: .readable) { [unowned self] _ in systemEnded(system) }
    }

    func losePatienceLater() { giveUpAt = EventLoop.now + Self.patience }

    private func lookFor(_ system: OwnSystem) throws(SystemError) {
        // Later changes in the directory are also reported here.
        guard let one = system.connect(), link == nil else { return }
        guard let other = system.connect() else {
            close(one)
            return
        }
        try connected(one, other)
    }

    private func connected(_ one: Int32, _ other: Int32) throws(SystemError) {
        giveUpAt = nil
        if hasBegun { screen.say(.system, power == .starting ? "the device is up" : "the system is back") }
        power = .on
        (link, stream) = try ControlLink.pair(one, other, loop: loop)
        link?.onEnd = { [unowned self] in systemGone() }
        stream?.onEnd = { [unowned self] in systemGone() }
        let directory = place.state + "/logs"
        tail = tail ?? LogTail("\(directory)/\(manifest.identifier).log")
        if logs == nil, let watch = DirectoryWatch(directory) {
            logs = watch
            try loop.add(watch.descriptor, events: .readable) { [unowned self] _ in
                watch.drain()
                hasPrinted = true
            }
        }
        // The first answer confirms that no later decision is missed.
        stream?.ask(.watch) { [unowned self] in
            guard case .decision(let line) = $0 else { return }
            guard line.kind == "watching" else { return show(line) }
            ringForNotifications()
            install()
        }
    }

    private func install() {
        guard !hasBegun else { return changed() }
        hasBegun = true
        link?.ask(.install(path: bundle, replacing: true)) { [unowned self] in
            switch $0 {
            case .installed(_, let notes, _):
                isInstalled = true
                for note in notes { screen.say(.system, note) }
                act("open \(manifest.displayName)", .launch(manifest.identifier), orEnd: true)
            case .failed(let failure): stop(1, failure.message)
            default: break
            }
        }
    }

    /// Handles the loss of the connections. A system that this command started may come back, because its guardian
    /// restarts it.
    private func systemGone() {
        (link, stream) = (nil, nil)
        // The last calls will not be answered.
        (asking, refusal) = (0, nil)
        guard !isEnding, !power.isShuttingDown else { return }
        switch place {
        case .running: stop(EX_UNAVAILABLE, "the connection to the system was lost")
        case .own:
            if power != .handingOver { screen.say(.problem, "the connection to the system was lost") }
            losePatienceLater()
        }
    }

    private func systemEnded(_ system: OwnSystem) {
        printOutput(atTheEnd: true)
        if !isEnding, case .shuttingDown(let startingAgain) = power {
            giveUpAt = nil
            loop.remove(system.ended)
            return deviceIsOff(startingAgain: startingAgain)
        }
        guard isEnding else {
            let log = hasBegun ? "" : "\n" + system.log
            return stop(EX_UNAVAILABLE, "the system has ended (\(system.end ?? "for an unknown reason"))\(log)")
        }
        loop.stop()
    }

    // MARK: Calls

    /// Applies a user action, and shows the system's answer. With `orEnd`, a failure without a terminal ends the
    /// session: no user could try the first launch again.
    func act(_ what: String, _ call: ControlCall, orEnd: Bool = false) {
        screen.say(.you, what)
        guard let link else { return screen.say(.problem, "the system is not answering") }
        asking += 1
        link.ask(call) { [unowned self] in
            asking -= 1
            if orEnd { isLaunchAnswered = true }
            if case .failed(let failure) = $0 {
                if refusal != failure.message { screen.say(.problem, failure.message) }
                if orEnd, terminal == nil { end(1) }
            }
            refusal = nil
            changed()
        }
    }

    /// Sends a call that is not a user action.
    func ask(_ call: ControlCall, answer: @escaping (ControlReply) -> Void) { link?.ask(call, answer: answer) }

    private func show(_ line: DecisionLine) {
        changed()
        hasPrinted = true
        let isOurs = line.app == manifest.identifier
        let name = isOurs ? "" : line.app.map { "\($0)  " } ?? ""
        switch line.kind {
        case "callback":
            let prefix = "receives "
            let callback = line.text.hasPrefix(prefix) ? String(line.text.dropFirst(prefix.count)) : line.text
            screen.say(.calls, name + callback, at: line.time)
        case "state":
            screen.say(.state, name + line.text, at: line.time)
            if isOurs, line.state == .notRunning { ended() }
        case "refused", "dropped":
            screen.say(.problem, name + line.text, at: line.time)
            if asking > 0 { refusal = line.text }
        case "launched":
            if isOurs, isInstalled { isOpened = true }
            screen.say(.system, name + line.text, at: line.time)
        case "ended":
            // All output of the app precedes its end.
            if isOurs { printOutput(atTheEnd: true) }
            screen.say(.system, name + line.text, at: line.time)
            if isOurs { endedInOrder = line.text.hasSuffix("(exit code 0)") }
        case "notification":
            screen.say(.system, name + line.text, at: line.time)
            ringForNotifications()
        default: screen.say(.system, name + line.text, at: line.time)
        }
    }

    /// Whether the app's last exit code was 0.
    private var endedInOrder = false

    private func ended() {
        if opensAgain {
            opensAgain = false
            act("open \(manifest.displayName)", .launch(manifest.identifier))
        } else if terminal == nil, isOpened {
            end(endedInOrder ? 0 : 1)
        }
    }

    private func printOutput(atTheEnd: Bool = false) {
        hasPrinted = false
        for line in tail?.newLines(atTheEnd: atTheEnd) ?? [] { screen.say(.output, line) }
    }

    // MARK: The status

    private func changed() {
        if refreshAt == nil { refreshAt = EventLoop.now + Self.pause }
        setDeadline()
    }

    private func refresh() {
        link?.ask(.status) { [unowned self] in
            if case .status(let status) = $0 { self.status = status }
        }
        link?.ask(.list) { [unowned self] in
            guard case .apps(let apps) = $0 else { return }
            app = apps.first { $0.identifier == manifest.identifier }
            // The passing of time is not a decision, so it needs its own refresh.
            if app?.timeRemaining != nil, refreshAt == nil { refreshAt = EventLoop.now + .seconds(1) }
            setDeadline()
        }
    }

    private func updateStatus() {
        let usual = isDeviceOff ? RunStatus.whileOff : RunStatus.text(manifest.displayName, app, status)
        screen.setStatus(prompt?.line ?? (isEnding ? "ending …" : usual))
    }

    private func setDeadline() { loop.deadline = [refreshAt, giveUpAt].compactMap(\.self).min() }

    private func timePassed() {
        let now = EventLoop.now
        if let at = refreshAt, at <= now {
            refreshAt = nil
            refresh()
        }
        if let at = giveUpAt, at <= now {
            giveUpAt = nil
            if case .own(let system) = place { system.kill() }
            if !isEnding { stop(EX_UNAVAILABLE, "the system does not answer") }
        }
        setDeadline()
    }

    // MARK: The end

    /// Ends the session in order: the system that this command started first ends its apps. A second call kills the
    /// system.
    func end(_ code: Int32) {
        if outcome == nil { outcome = (code, nil) }
        guard case .own(let system) = place, !isDeviceOff else { return loop.stop() }
        if isEnding { return system.kill() }
        isEnding = true
        prompt = nil
        losePatienceLater()
        system.terminate()
    }

    private func finish(_ code: Int32) { end(code) }

    /// Ends the session at once.
    func stop(_ code: Int32, _ complaint: String) {
        outcome = (code, complaint)
        loop.stop()
    }

    private func handle(_ signal: Int32) {
        switch signal {
        case SIGWINCH: screen.redraw()
        case SIGTSTP:
            screen.close()
            terminal?.giveBack()
            kill(getpid(), SIGSTOP)
            terminal?.take()
            screen.redraw()
        default: end(128 + signal)
        }
    }
}
