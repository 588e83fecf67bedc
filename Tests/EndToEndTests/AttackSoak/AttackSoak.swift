import CRoost
import Foundation
import Glibc
import LifeCycleModel
import RoostWire

/// A soak among attackers: five hostile apps, a stranger and a hostile server. Disks fill up, system calls fail, and
/// processes of the system are killed. Meanwhile the quiet app is used, and it may lose nothing.
final class AttackSoak {
    /// The attacks, by their names in `attackers.py`.
    private static let ways = ["nonsense", "requests", "downloads", "disk", "processes"]
    private static let document = String(repeating: "what a person wrote\n", count: 1000)
    /// Limits that are short enough to be reached often.
    static let settings = [
        "backgroundTime=2s", "expirationLead=1s", "expirationHandlers=2s", "adoptedBackgroundTime=1s",
        "supervisorAbsence=20s", "eventSlice=2s",
    ]

    let system: TestSystem
    private let quiet: QuietApp
    private let server: BadWebServer
    private var stranger: ChildProcess?
    private var generator: EndToEnd.SmallGenerator
    private let seed: UInt64
    private let began = croost_monotonic()
    private var done: [(at: Double, what: String)] = []
    private var counts: [String: Int] = [:]
    private var counted = 0
    private var rounds = 0
    private var unasked = 0

    private var attackers: [BundleIdentifier] { Self.ways.map { .named("org.roost.soak.attacker.\($0)") } }

    init(_ system: TestSystem, seed: UInt64) throws {
        self.system = system
        self.seed = seed
        generator = EndToEnd.SmallGenerator(seed: seed)
        quiet = try QuietApp()
        server = try BadWebServer()
        try quiet.install(in: system)
        for (way, app) in zip(Self.ways, attackers) {
            let preamble = "mode, server = \"\(way)\", \"http://localhost:\(server.port)\"\n"
            try ProgramBundle(identifier: app, program: "attackers", preamble: preamble).install(in: system)
        }
    }

    deinit { stranger?.kill() }

    private var elapsed: Double { Double(croost_monotonic() - began) / 1e9 }

    func note(_ what: String) {
        done.append((elapsed, what))
        counts[what, default: 0] += 1
    }

    // MARK: The run

    func run(for length: Double) throws {
        try use(countingLatency: false)
        let document = system.documents(QuietApp.identifier) + "/letter"
        try Self.document.write(toFile: document, atomically: true, encoding: .utf8)
        try startStranger()
        var resting = elapsed + 15
        while elapsed < length {
            if generator.next(below: 8) == 0 {
                try blow()
            } else {
                try act()
                try use(countingLatency: true)
            }
            try look()
            if elapsed > resting {
                try comeToRest()
                resting = elapsed + 15
            }
        }
        try comeToRest()
        stranger?.kill()
        guard try system.terminate() == .code(0) else { throw TestFailure(description: "roost up did not exit with 0") }
        guard Kernel.text(document) == Self.document else { throw TestFailure(description: "the document changed") }
        // A short run may come to no blow of a kind.
        guard length < 300 || AttackBlow.allCases.allSatisfy({ counts[$0.rawValue] != nil }) else {
            throw TestFailure(description: "not every attack was made")
        }
    }

    private func blow() throws {
        let blows = AttackBlow.allCases
        let blow = blows[Int(generator.next(below: UInt64(blows.count)))]
        let before = system.supervisor?.pid
        do {
            try strike(blow)
        } catch  where blow.mayEndSupervisor && (!(error is TestFailure) || before == nil || hasEnded(before)) {
            note("a call failed during: \(blow.rawValue)")
        }
        emptyDisk()
        try meet(before, mayBeNew: blow.mayEndSupervisor)
        try lookForTraps()
    }

    private func hasEnded(_ pid: Int32?) -> Bool { pid.flatMap { HeldProcess($0) }?.isGone ?? true }

    /// Fails if a supervisor trapped, which ends it by a signal other than SIGKILL, or if the guardian killed it for a hang.
    private func lookForTraps() throws {
        let traps = system.systemLog.split(separator: "\n").filter {
            $0.contains("the supervisor ended by signal") && !$0.contains("by signal \(SIGKILL);")
                || $0.contains("has made no progress for") && $0.contains("is killed")
        }
        if let trap = traps.last { throw TestFailure(description: String(trap)) }
    }

    /// Connects again if the supervisor is a new process. The supervisor may be new only after a fault that can end it.
    private func meet(_ before: Int32?, mayBeNew: Bool) throws {
        let isSame = (try? system.status().pid) == before
        guard !isSame else { return }
        guard mayBeNew else { throw TestFailure(description: "the supervisor ended without an attack") }
        try system.until("a supervisor answers", lookingAgainAfter: 0.1) {
            try? system.connect()
            return (try? system.status()) != nil ? true : nil
        }
        if system.supervisor?.pid != before { note("another supervisor") }
    }

    // MARK: User actions

    /// One action on an attacker. A refusal is a valid answer.
    func act() throws {
        let app = attackers[Int(generator.next(below: UInt64(attackers.count)))]
        let call: ControlCall =
            switch generator.next(below: 10) {
            case 0..<5: .launch(app)
            case 5..<7: .wake(app, .backgroundFetch)
            case 7: .quit(app)
            case 8: .memory(.warning)
            default: .home
            }
        try tell(call)
    }

    /// Opens the attacker that downloads.
    func startDownloads() throws { try tell(.launch(.named("org.roost.soak.attacker.downloads"))) }

    private func tell(_ call: ControlCall) throws {
        do {
            try system.tell(call)
            counts["acts", default: 0] += 1
        } catch let failure as ControlFailure {
            note("refused: \(failure.code)")
        }
    }

    /// Uses the quiet app if it has a process. A failing machine may be unable to start a new one.
    func useIfRunning(countingLatency: Bool) throws {
        if try system.summary(QuietApp.identifier).pid != nil { try use(countingLatency: countingLatency) }
    }

    /// Opens the quiet app and goes home again; both callbacks reach the app.
    private func use(countingLatency: Bool) throws {
        try tell(.home)
        try system.until("the quiet app is not active", lookingAgainAfter: 0.02) {
            try system.summary(QuietApp.identifier).state == .active ? nil : true
        }
        quiet.forgetCallbacks()
        for (call, callback) in [
            (ControlCall.launch(QuietApp.identifier), "didBecomeActive"), (.home, "willResignActive"),
        ] {
            let isRunning = try system.summary(QuietApp.identifier).pid != nil
            let start = croost_monotonic()
            try tell(call)
            let came = try quiet.waitForCallback(callback)
            // The start of a process and its interpreter is not part of a callback's latency.
            if countingLatency, isRunning { quiet.count(from: start, to: came) }
        }
    }

    // MARK: Conditions

    private func look() throws {
        rounds += 1
        guard case .apps(let listed) = try system.ask(.list) else {
            throw TestFailure(description: "the system does not list its apps")
        }
        let missing = Set(attackers + [QuietApp.identifier]).subtracting(listed.map(\.identifier))
        guard missing.isEmpty else { throw TestFailure(description: "\(missing) are no longer installed") }
        let now = system.count(QuietApp.identifier) ?? 0
        guard now >= counted else { throw TestFailure(description: "the count was \(counted), and is now \(now)") }
        counted = now
    }

    /// Every attacker is swiped away. Afterwards the system and the kernel agree about each app, and no process is
    /// left.
    private func comeToRest() throws {
        note("come to rest")
        for app in attackers { try tell(.quit(app)) }
        try tell(.home)
        var complaints: [String] = []
        do {
            try system.until("the kernel agrees with the system", lookingAgainAfter: 0.1) { () -> Bool? in
                guard case .apps(let listed) = try system.ask(.list) else { return nil }
                let cgroup = try system.status().mechanism.components(separatedBy: " at ").last ?? ""
                complaints = listed.flatMap { SoakKernel.complaints($0) } + SoakKernel.strays(below: cgroup, listed)
                return complaints.isEmpty ? true : nil
            }
        } catch {
            throw TestFailure(description: "\(complaints.joined(separator: "; ")): \(error)")
        }
    }

    /// Another user of the machine, without rights over the system, attacks the socket for apps.
    private func startStranger() throws {
        let program = system.directory + "/stranger.py"
        let text = try String(contentsOfFile: ProgramBundle.source("attackers"), encoding: .utf8)
        try ("mode, server = \"nonsense\", \"\"\n" + text).write(toFile: program, atomically: true, encoding: .utf8)
        chmod(program, 0o644)
        var environment = system.environment
        environment["ROOST_SOCKET"] = system.appSocket
        environment["ROOST_TOKEN"] = nil
        stranger = try ChildProcess(
            [
                "setpriv", "--reuid=\(SetUp.user)", "--regid=\(SetUp.user)", "--clear-groups", "/usr/bin/python3",
                program,
            ], environment: environment, output: system.directory + "/stranger.txt")
    }

    // MARK: Reporting

    /// How often each thing was done, and the quiet app's latency.
    var tally: String {
        let lines = counts.sorted { $0.key < $1.key }.map { "  \($0.value) × \($0.key)" }
        let latency = [50, 90, 99].map { String(format: "p%d %.1f ms", $0, quiet.percentile($0)) }
        return "attacks: seed \(seed), \(Int(elapsed)) s, \(rounds) rounds\n" + lines.joined(separator: "\n")
            + "\n  \(quiet.latencies.count) callbacks of the quiet app: \(latency.joined(separator: ", "))"
    }

    /// The error, and the actions before it.
    func account(of error: any Error) -> String {
        let acts = done.suffix(30).map { String(format: "%9.3f  ", $0.at) + $0.what }
        var decisions: [DecisionLine] = []
        if case .decisions(let lines)? = try? system.ask(.why(QuietApp.identifier)) { decisions = lines }
        let log = "\(system.state)/logs/\(QuietApp.identifier).log"
        return """
            after \(elapsed) s of attacks with ROOST_SEED=\(seed): \(error)
            \(acts.joined(separator: "\n"))
            — the quiet app:
            \(decisions.suffix(30).map { "\($0.time.rawValue / 1_000_000) \($0.text)" }.joined(separator: "\n"))
            \((Kernel.text(log) ?? "").suffix(2000))
            — the system says:
            \(system.systemLog.suffix(2000))
            """
    }
}
