import ArgumentParser
import LifeCycleModel
import RoostWire

/// Lists background downloads, and applies user actions to them.
struct Transfers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfers",
        abstract:
            "Show background downloads, their progress and what they wait for; pause, resume or cancel them.",
        discussion: """
            An app's background URLSession passes its downloads to the system, which continues them while the app is \
            suspended or not running. To trust a server whose certificate is not signed by one of the system's roots, name a \
            PEM file with its root in $ROOST_TLS_ROOT, in the environment of `roost up`.
            """,
        subcommands: [
            ListTransfers.self, PauseTransfers.self, ResumeTransfers.self, CancelTransfers.self, BeginTransfers.self,
        ],
        defaultSubcommand: ListTransfers.self)
}

struct ListTransfers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the downloads.")

    @OptionGroup var state: StateOptions
    @OptionGroup var app: MaybeAppArgument
    @Flag(help: "Show them as they change, until no download is active or until Ctrl-C.")
    var follow = false
    @Flag(help: "Print JSON; with --follow a line for each that has changed.")
    var json = false

    func run() throws {
        if follow { return try TransferFollower(state: state, app: app.app, json: json).run() }
        let transfers = try ControlClient(to: state).transfers(of: app.app)
        if json { return print(try Output.json(transfers)) }
        print(transfers.isEmpty ? "there are no downloads" : Output.table(TransferTable.rows(transfers)))
    }
}

/// The downloads that a command acts on.
enum TransferTarget: Hashable {
    case one(TransferID)
    case app(BundleIdentifier)
    case all

    /// Reads `1.2.3`, an app's identifier, or `all`.
    static func argument(_ text: String) throws -> TransferTarget {
        if text == "all" { return .all }
        if let id = TransferID(text) { return .one(id) }
        // Text of digits and periods only is meant as the number of a download, not as an identifier.
        if let app = BundleIdentifier(text), text.contains(where: { !$0.isNumber && $0 != "." }) { return .app(app) }
        throw ValidationError(
            "\"\(text)\" is no download: give the number `roost transfers` shows, as 1.1.3, an app's bundle identifier "
                + "for all of its, or all")
    }
}

/// The arguments of commands that act on downloads.
struct TransferActionOptions: ParsableArguments {
    @OptionGroup var state: StateOptions
    @Argument(
        help: ArgumentHelp(
            "A download by its number, as 1.1.3; all of an app, by its bundle identifier; or all.", valueName: "which"),
        completion: InstalledApps.completion, transform: TransferTarget.argument)
    var target: TransferTarget
    @OptionGroup var output: OutputOptions

    /// Applies the action to each download. Fails if no transfer can be changed.
    func perform(_ action: TransferUserAction, done: String) throws {
        let client = try ControlClient(to: state)
        let ids = try ids(client, action)
        var count = 0
        var decisions: [DecisionLine] = []
        var refusal: String?
        for start in stride(from: 0, to: ids.count, by: TransferControl.mostTransfers) {
            let some = Array(ids[start..<min(ids.count, start + TransferControl.mostTransfers)])
            switch try client.answer(to: .transfer(.userAction(some, action))) {
            case .failed(let failure): refusal = failure.message
            case .transferred(let number, let lines):
                count += number
                decisions += lines
            default: break
            }
        }
        guard count > 0 else { throw Failure.failed(refusal ?? nothing(to: action)) }
        if output.json { return print(try Output.json(decisions)) }
        if !decisions.isEmpty { print(Output.lines(decisions)) }
        print("\(done): \(count) of \(ids.count) download\(ids.count == 1 ? "" : "s")")
    }

    private func ids(_ client: ControlClient, _ action: TransferUserAction) throws -> [TransferID] {
        let app: BundleIdentifier?
        switch target {
        case .one(let id): return [id]
        case .app(let identifier): app = identifier
        case .all: app = nil
        }
        // Completed downloads only wait for their app.
        let ids = try client.transfers(of: app).filter { ["waiting", "running"].contains($0.state) }
            .compactMap { TransferID($0.id) }
        guard !ids.isEmpty else { throw Failure.failed(nothing(to: action)) }
        return ids
    }

    private func nothing(to action: TransferUserAction) -> String {
        let whose = if case .app(let app) = target { " of \(app)" } else { "" }
        return switch action {
        case .now: "there is no download\(whose) to start"
        case .pause, .resume, .cancel: "there is no download\(whose) to \(action.rawValue)"
        }
    }
}

struct PauseTransfers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause downloads until they are resumed; the bytes received so far are kept.")
    @OptionGroup var options: TransferActionOptions
    func run() throws { try options.perform(.pause, done: "paused") }
}

struct ResumeTransfers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Resume paused downloads.")
    @OptionGroup var options: TransferActionOptions
    func run() throws { try options.perform(.resume, done: "resumed") }
}

struct CancelTransfers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel downloads; their apps are notified.")
    @OptionGroup var options: TransferActionOptions
    func run() throws { try options.perform(.cancel, done: "canceled") }
}

/// Begins downloads at once.
struct BeginTransfers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "now", abstract: "Start downloads now, without waiting for Wi-Fi or power, if there is a network.")
    @OptionGroup var options: TransferActionOptions
    func run() throws { try options.perform(.now, done: "started, or next in the queue") }
}

extension ControlClient {
    /// All downloads, or an app's downloads.
    func transfers(of app: BundleIdentifier?) throws -> [TransferStatus] {
        var transfers: [TransferStatus] = []
        var after: TransferID?
        while true {
            guard case .transfers(let page) = try ask(.transfer(.list(app: app, after: after))) else {
                return transfers
            }
            transfers += page.transfers
            guard !page.isLast, let last = page.transfers.last.flatMap({ TransferID($0.id) }) else { return transfers }
            after = last
        }
    }
}
