import ArgumentParser
import LifeCycleModel
import RoostWire

/// Shows background downloads, and acts on them.
struct Transfers: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Show the background downloads: how far each is, and what it waits for; pause, resume or cancel them.",
        discussion: """
            An app's background URLSession hands its downloads to the system, which carries them on while the app is \
            suspended or not running. A server whose certificate the system's roots do not vouch for is trusted where \
            $ROOST_TLS_ROOT, in the environment of `roost up`, names a PEM file with a root of its own.
            """,
        subcommands: [
            ListTransfers.self, PauseTransfers.self, ResumeTransfers.self, CancelTransfers.self, BeginTransfers.self,
        ],
        defaultSubcommand: ListTransfers.self)
}

/// Lists them.
struct ListTransfers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the downloads there are.")

    @OptionGroup var state: StateOptions
    @OptionGroup var app: MaybeAppArgument
    @Flag(help: "Show them as they change, until none moves or Ctrl-C.")
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

/// Which downloads are meant.
enum TransferTarget: Hashable {
    case one(TransferID)
    case app(BundleIdentifier)
    case all

    /// Reads `1.2.3`, an app's identifier, or `all`.
    static func argument(_ text: String) throws -> TransferTarget {
        if text == "all" { return .all }
        if let id = TransferID(text) { return .one(id) }
        // Digits and full stops alone are a number that no download has.
        if let app = BundleIdentifier(text), text.contains(where: { !$0.isNumber && $0 != "." }) { return .app(app) }
        throw ValidationError(
            "\"\(text)\" is no download: give the number `roost transfers` shows, as 1.1.3, an app's bundle identifier "
                + "for all of its, or all")
    }
}

/// What the commands that act on downloads take.
struct TransferWishOptions: ParsableArguments {
    @OptionGroup var state: StateOptions
    @Argument(
        help: ArgumentHelp(
            "A download by its number, as 1.1.3; all of an app, by its bundle identifier; or all.", valueName: "which"),
        completion: InstalledApps.completion, transform: TransferTarget.argument)
    var target: TransferTarget
    @OptionGroup var output: OutputOptions

    /// Does it with each; fails where it could be done with none.
    func carry(out wish: TransferWish, told done: String) throws {
        let client = try ControlClient(to: state)
        let ids = try ids(client, wish)
        var count = 0
        var decisions: [DecisionLine] = []
        var refusal: String?
        for start in stride(from: 0, to: ids.count, by: TransferControl.mostTransfers) {
            let some = Array(ids[start..<min(ids.count, start + TransferControl.mostTransfers)])
            switch try client.answer(to: .transfer(.wish(some, wish))) {
            case .failed(let failure): refusal = failure.message
            case .transferred(let number, let lines):
                count += number
                decisions += lines
            default: break
            }
        }
        guard count > 0 else { throw Failure.failed(refusal ?? nothing(to: wish)) }
        if output.json { return print(try Output.json(decisions)) }
        if !decisions.isEmpty { print(Output.lines(decisions)) }
        print("\(done): \(count) of \(ids.count) download\(ids.count == 1 ? "" : "s")")
    }

    private func ids(_ client: ControlClient, _ wish: TransferWish) throws -> [TransferID] {
        let app: BundleIdentifier?
        switch target {
        case .one(let id): return [id]
        case .app(let identifier): app = identifier
        case .all: app = nil
        }
        // What has come to its end only waits for the app to take it.
        let ids = try client.transfers(of: app).filter { ["waiting", "running"].contains($0.state) }
            .compactMap { TransferID($0.id) }
        guard !ids.isEmpty else { throw Failure.failed(nothing(to: wish)) }
        return ids
    }

    private func nothing(to wish: TransferWish) -> String {
        let whose = if case .app(let app) = target { " of \(app)" } else { "" }
        return switch wish {
        case .now: "no download\(whose) is there to begin"
        case .pause, .resume, .cancel: "no download\(whose) is there to \(wish.rawValue)"
        }
    }
}

/// Lets downloads rest.
struct PauseTransfers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Let downloads rest until they are resumed; what has arrived is kept.")
    @OptionGroup var options: TransferWishOptions
    func run() throws { try options.carry(out: .pause, told: "paused") }
}

/// Lets them go on.
struct ResumeTransfers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Let downloads that were paused go on.")
    @OptionGroup var options: TransferWishOptions
    func run() throws { try options.carry(out: .resume, told: "resumed") }
}

/// Cancels them.
struct CancelTransfers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel downloads; their apps are told.")
    @OptionGroup var options: TransferWishOptions
    func run() throws { try options.carry(out: .cancel, told: "cancelled") }
}

/// Begins them.
struct BeginTransfers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "now", abstract: "Begin downloads at once, whatever they wait for, if there is a network at all.")
    @OptionGroup var options: TransferWishOptions
    func run() throws { try options.carry(out: .now, told: "begun, or next in turn") }
}

extension ControlClient {
    /// Every download, or every one of an app.
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
