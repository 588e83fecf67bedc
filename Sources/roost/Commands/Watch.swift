import ArgumentParser
import CRoost
import FoundationEssentials
import Glibc
import LifeCycleModel
import RoostLinux
import RoostPorts
import RoostRuntime
import RoostWire

/// Shows the apps as they change.
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show the table of `ps` as it changes; in a pipe, every decision as a line.",
        discussion: "Ends with q, Ctrl-C, or the system's end; continues across `roost restart`.")

    @OptionGroup var state: StateOptions
    @Flag(help: "Print each decision as a line of JSON.")
    var json = false

    func run() throws {
        // This blocking client only reports why it cannot connect.
        let client = try ControlClient(to: state)
        guard case .status(let status) = try client.ask(.status) else { return }
        EventLoop.holdBack(WatchSession.signals)
        signal(SIGPIPE, SIG_IGN)
        do {
            let loop = try EventLoop()
            let session = try WatchSession(loop: loop, state: state, status: status)
            session.terminal = json || !Terminal.isThere ? nil : Terminal(alternateScreen: true)
            session.printsJSON = json
            try session.start()
            loop.run()
            session.terminal?.giveBack()
            if let code = session.end { throw code() }
        } catch let error as SystemError {
            throw Failure.failed(error.description)
        }
    }
}

/// A live table, or a stream of lines, until the user or the system ends it.
private final class WatchSession {
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH]
    /// The shortest time between refreshes, because each refresh reads every app's memory from the kernel.
    private static let pause = Nanoseconds.milliseconds(50)

    var terminal: Terminal?
    var printsJSON = false
    /// Prints an error and returns the exit code. Called after the terminal is restored; nil for success.
    private(set) var end: (() -> ExitCode)?

    private let loop: EventLoop
    private let socket: String
    private var link: ControlLink?
    /// The connection for `Watch`. A `Watch` never ends, so other calls need the other connection.
    private var stream: ControlLink?
    /// The guardian's pidfd; nil without a guardian. While the guardian lives, it restarts the system.
    private let guardian: Int32?
    private var apps: [AppSummary] = []
    private var status: SystemStatus
    private var isAsking = false
    private var isStale = false
    private var refreshAt: Nanoseconds?
    /// The time of the next attempt to reconnect, and the pause after that attempt.
    private var retryAt: Nanoseconds?
    private var retryPause = WatchSession.firstPause

    private static let firstPause = Nanoseconds.milliseconds(10)
    private static let longestPause = Nanoseconds.seconds(1)

    init(loop: EventLoop, state: StateOptions, status: SystemStatus) throws {
        self.loop = loop
        self.status = status
        socket = try ControlSocket.path(of: state.path, systemID: state.systemID())
        var descriptor: Int32 = -1
        let isHeld = status.guardian.map { croost_pidfd_open($0, &descriptor) == 0 } ?? false
        guardian = isHeld ? descriptor : nil
    }

    deinit { if let guardian { close(guardian) } }

    func start() throws(SystemError) {
        loop.onDeadline = { [unowned self] in timePassed() }
        if let guardian {
            try loop.add(guardian, events: .readable) { [unowned self] _ in
                loop.remove(guardian)
                // A remaining supervisor also ends, but its last decisions are received first.
                if retryAt != nil { systemHasGone() }
            }
        }
        guard try connect() else { return systemHasGone() }
        try loop.watchSignals(Self.signals) { [unowned self] in handle($0) }
        if let terminal {
            try loop.add(STDIN_FILENO, events: .readable) { [unowned self] _ in
                guard let typed = terminal.typed() else { return finish() }
                if typed.contains(where: { [0x71, 0x51, 0x04].contains($0) }) { finish() }
            }
        } else {
            // Without a reader, the output has no use.
            try? loop.add(STDOUT_FILENO, events: []) { [unowned self] _ in finish() }
        }
    }

    // MARK: The system

    /// Connects to the system. False if the system cannot be reached.
    private func connect() throws(SystemError) -> Bool {
        guard let one = ControlClient.connected(to: socket) else { return false }
        guard let other = ControlClient.connected(to: socket) else {
            close(one)
            return false
        }
        (link, stream) = try ControlLink.pair(one, other, loop: loop)
        link?.onEnd = { [unowned self] in disconnected() }
        stream?.onEnd = { [unowned self] in disconnected() }
        isAsking = false
        link?.ask(.status) { [unowned self] in if case .status(let status) = $0 { self.status = status } }
        stream?.ask(.watch) { [unowned self] in
            guard case .decision(let line) = $0 else { return }
            retryPause = Self.firstPause
            terminal == nil ? say(line) : changed()
        }
        return true
    }

    /// The supervisor is gone. The guardian restarts it, as after `roost restart`; without a guardian, the command
    /// ends.
    private func disconnected() {
        (link, stream) = (nil, nil)
        guard let guardian, loop.watches(guardian), croost_wait_for(guardian, Int16(POLLIN), 0) != 0 else {
            return systemHasGone()
        }
        retry()
        draw()
    }

    private func retry() {
        retryAt = EventLoop.now + retryPause
        retryPause = min(retryPause + retryPause, Self.longestPause)
        setDeadline()
    }

    private func systemHasGone() { finish { Failure.noSystem("the connection to the system was lost") } }

    private func timePassed() {
        let now = EventLoop.now
        if let at = retryAt, at <= now {
            retryAt = nil
            // Any failure is retried, not only a missing socket.
            if (try? connect()) != true { retry() }
        }
        if let at = refreshAt, at <= now {
            refreshAt = nil
            refresh()
        }
        setDeadline()
    }

    private func setDeadline() { loop.deadline = [refreshAt, retryAt].compactMap(\.self).min() }

    private func finish(_ code: (() -> ExitCode)? = nil) {
        if end == nil { end = code }
        loop.stop()
    }

    private func handle(_ signal: Int32) {
        switch signal {
        case SIGWINCH: draw()
        case SIGTSTP:
            terminal?.giveBack()
            kill(getpid(), SIGSTOP)
            terminal?.take()
            changed()
        case SIGINT: finish()
        default: finish { ExitCode(128 + signal) }
        }
    }

    private func say(_ line: DecisionLine) {
        if printsJSON {
            guard let text = try? Output.jsonLine(line) else { return }
            writeOutput(text + "\n")
        } else {
            writeOutput(Output.lines([line]) + "\n")
        }
    }

    // MARK: The table

    /// Schedules a refresh, which covers all changes until then.
    private func changed() {
        isStale = true
        if !isAsking { refreshAt = min(refreshAt ?? .distantFuture, EventLoop.now + Self.pause) }
        setDeadline()
    }

    private func refresh() {
        guard !isAsking, let link else { return }
        isAsking = true
        isStale = false
        link.ask(.list) { [unowned self] in
            isAsking = false
            if case .apps(let apps) = $0 { self.apps = apps }
            draw()
            // The passing of time is not a decision, so it needs its own refresh.
            if apps.contains(where: { $0.timeRemaining != nil }) { refreshAt = EventLoop.now + .seconds(1) }
            if isStale { changed() }
            setDeadline()
        }
    }

    private func draw() {
        guard let terminal else { return }
        let (columns, rows) = Terminal.size
        let running = apps.filter { $0.state != .notRunning }.count
        var lines = [
            link == nil
                ? "roost: the system is being restarted"
                : "roost: \(running) of \(apps.count) apps run, policy \(status.policy)"
        ]
        // If not all apps fit, running apps come first.
        let ordered =
            apps.count + 3 > rows
            ? apps.filter { $0.state != .notRunning } + apps.filter { $0.state == .notRunning } : apps
        lines += ProcessTable.lines(ordered.map(rounded), columns: columns)
        if lines.count > rows - 1 { lines = lines.prefix(max(1, rows - 2)) + ["…"] }
        var text = "\u{1B}[H"
        for line in lines { text += line.shortened(to: columns) + "\u{1B}[K\r\n" }
        terminal.write(text + "\u{1B}[J" + Color.dim.paint("q quits".shortened(to: columns)))
    }

    /// The app with its remaining time rounded up to whole seconds.
    private func rounded(_ app: AppSummary) -> AppSummary {
        var app = app
        app.timeRemaining = app.timeRemaining.map { .seconds(($0.rawValue + 999_999_999) / 1_000_000_000) }
        return app
    }
}
