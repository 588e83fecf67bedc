import ArgumentParser
import FoundationEssentials
import Glibc
import LifeCycleModel
import RoostPorts
import RoostRuntime
import RoostWire

/// Shows the apps as they change.
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the table of `ps` as it changes; in a pipe, every decision as a line.",
        discussion: "Ends with q, Ctrl-C, or the system's end.")

    @OptionGroup var state: StateOptions
    @Flag(help: "Print each decision as a line of JSON.")
    var json = false

    func run() throws {
        // The client says why where it can't connect, and is given up again.
        _ = try ControlClient(to: state)
        EventLoop.holdBack(WatchSession.signals)
        signal(SIGPIPE, SIG_IGN)
        do {
            let loop = try EventLoop()
            let session = try WatchSession(loop: loop, state: state)
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

/// A live table, or a stream of lines, until somebody has seen enough.
private final class WatchSession {
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH]
    /// No two looks at the table are nearer than this: each asks the kernel for every app's memory.
    private static let pause = Nanoseconds.milliseconds(50)

    var terminal: Terminal?
    var printsJSON = false
    /// Makes the exit code, and says what is wrong: once the terminal is given back.
    private(set) var end: (() -> ExitCode)?

    private let loop: EventLoop
    private let link: ControlLink
    /// A connection whose first call never ends is no good for others.
    private let stream: ControlLink
    private var apps: [AppSummary] = []
    private var status: SystemStatus?
    private var isAsking = false
    private var isStale = false

    init(loop: EventLoop, state: StateOptions) throws {
        self.loop = loop
        link = try ControlLink(ControlClient.descriptor(for: state), loop: loop)
        stream = try ControlLink(ControlClient.descriptor(for: state), loop: loop)
    }

    func start() throws(SystemError) {
        stream.onEnd = { [unowned self] in finish { Failure.noSystem("the system has gone") } }
        link.onEnd = stream.onEnd
        try loop.watchSignals(Self.signals) { [unowned self] in handle($0) }
        if let terminal {
            try loop.add(STDIN_FILENO, events: .readable) { [unowned self] _ in
                guard let typed = terminal.typed() else { return finish() }
                if typed.contains(where: { [0x71, 0x51, 0x04].contains($0) }) { finish() }
            }
            loop.onDeadline = { [unowned self] in refresh() }
            link.ask(.status) { [unowned self] in if case .status(let status) = $0 { self.status = status } }
        } else {
            // Where the reader goes, there is nothing left to do.
            try? loop.add(STDOUT_FILENO, events: []) { [unowned self] _ in finish() }
        }
        stream.ask(.watch) { [unowned self] in
            guard case .decision(let line) = $0 else { return }
            terminal == nil ? say(line) : changed()
        }
    }

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
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let data = try? encoder.encode(line) else { return }
            writeOutput(String(decoding: data, as: UTF8.self) + "\n")
        } else {
            writeOutput(Output.lines([line]) + "\n")
        }
    }

    // MARK: The table

    /// Looks soon; what changes meanwhile is seen with it.
    private func changed() {
        isStale = true
        if !isAsking { loop.deadline = min(loop.deadline ?? .distantFuture, EventLoop.now + Self.pause) }
    }

    private func refresh() {
        guard !isAsking else { return }
        isAsking = true
        isStale = false
        link.ask(.list) { [unowned self] in
            isAsking = false
            if case .apps(let apps) = $0 { self.apps = apps }
            draw()
            // Nobody says that time goes by.
            if apps.contains(where: { $0.timeRemaining != nil }) { loop.deadline = EventLoop.now + .seconds(1) }
            if isStale { changed() }
        }
    }

    private func draw() {
        guard let terminal else { return }
        let (columns, rows) = Terminal.size
        let running = apps.filter { $0.state != .notRunning }.count
        var lines = ["roost: \(running) of \(apps.count) apps run, policy \(status?.policy ?? "?")"]
        let table = ProcessTable.rows(apps.map(rounded))
        lines += Output.table(table).split(separator: "\n").map(String.init)
        if lines.count > rows - 1 { lines = lines.prefix(max(1, rows - 2)) + ["…"] }
        var text = "\u{1B}[H"
        for line in lines { text += line.shortened(to: columns) + "\u{1B}[K\r\n" }
        terminal.write(text + "\u{1B}[J" + Colour.dim.paint("q quits".shortened(to: columns)))
    }

    /// What is left in whole seconds, as a person reads it.
    private func rounded(_ app: AppSummary) -> AppSummary {
        var app = app
        app.timeRemaining = app.timeRemaining.map { .seconds(($0.rawValue + 999_999_999) / 1_000_000_000) }
        return app
    }
}
