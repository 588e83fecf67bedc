import CRoost
import Foundation
import Glibc
import LifeCycleModel
import RoostWire

/// One soak: a system, its apps, the random numbers, the expectation, and the history.
final class Soak {
    /// Limits that are short enough to be reached often, and long enough for a busy machine.
    static let settings = [
        "backgroundTime=3s", "expirationLead=1s", "expirationHandlers=3s", "adoptedBackgroundTime=1s",
        "enterBackground=10s", "supervisorAbsence=12s",
        "eventSlice=3s",
    ]

    let system: TestSystem
    let seed: UInt64
    let apps: [SoakApp]
    let oracle: SoakOracle
    let journals: SoakJournals
    var expected = SoakExpectation()
    private(set) var weather = SoakWeather.stormy
    private var generator: EndToEnd.SmallGenerator
    private let began = croost_monotonic()
    private var done: [(at: Double, what: String)] = []
    private var acts = 0
    private var counts: [String: Int] = [:]

    init(_ system: TestSystem, seed: UInt64, appCount: Int) throws {
        self.system = system
        self.seed = seed
        apps = try SoakApp.some(appCount)
        generator = EndToEnd.SmallGenerator(seed: seed)
        oracle = SoakOracle(system, apps: apps)
        journals = SoakJournals(system)
        for app in apps { try system.install(app.example, as: app.identifier, script: app.scripts.first ?? "") }
        expected.isInstalled(apps.map(\.identifier))
        try adoptSettings()
    }

    /// Seconds since the start.
    var elapsed: Double { Double(croost_monotonic() - began) / 1e9 }

    func roll(_ bound: UInt64) -> UInt64 { generator.next(below: bound) }

    // MARK: The run

    func run(for length: Double) throws {
        // A short run also starts with some violence.
        var weatherUntil = elapsed + 5
        let finish = elapsed + length
        while elapsed < finish {
            if elapsed >= weatherUntil {
                weather = SoakWeather.allCases[Int(roll(3))]
                weatherUntil = elapsed + Double(5 + roll(UInt64(max(5, length / 30))))
            }
            let act = nextAct()
            note("\(act)")
            counts[act.kind, default: 0] += 1
            acts += 1
            try perform(act)
            try look()
            // A user's pace, and sometimes no pause at all.
            let pause = roll(4) == 0 ? 0 : Double(roll(300)) / 1000
            if pause > 0 { waitForAny(of: [], until: Deadline(after: pause)) }
        }
        try comeToRest()
        note("the end")
        try end(startingAgain: false)
        try journals.finish()
    }

    /// Checks everything. If a worry lasts for too long, no action follows until all is well.
    private func look() throws {
        try oracle.look(&expected)
        guard oracle.isWorried else { return }
        note("wait for \(oracle.worries.joined(separator: "; "))")
        try system.until("every expectation is met", lookingAgainAfter: 0.05) {
            try oracle.look(&expected)
            return oracle.isCalm ? true : nil
        }
    }

    /// Waits until all is quiet: the screen is unlocked, no app is in the foreground, and every running app is
    /// suspended.
    private func comeToRest() throws {
        note("come to rest")
        if expected.isLocked { try perform(.call(.unlock)) }
        try perform(.call(.dismiss))
        try perform(.call(.home))
        try system.until("every app is suspended or has ended", lookingAgainAfter: 0.05) {
            try oracle.look(&expected)
            return oracle.isAtRest && oracle.isCalm ? true : nil
        }
    }

    // MARK: Acts

    private func perform(_ act: SoakAct) throws {
        switch act {
        case .call(let call): try make(call)
        case .update(let index):
            let app = apps[index].identifier
            try system.tell(.install(path: bundle(app), replacing: true))
        case .reinstall(let index):
            let app = apps[index].identifier
            try system.tell(.uninstall(app))
            try installAgain(apps[index])
        case .script(let index, let text): try system.script(apps[index].identifier, text)
        case .killApp(let index):
            if let pid = try system.summary(apps[index].identifier).pid { HeldProcess(pid)?.send(SIGKILL) }
        case .killSupervisor:
            try hurt { system.supervisor?.send(SIGKILL) }
        case .killDuring(let call):
            expected.isUnknown(after: call)
            if case .uninstall(let app) = call { oracle.resetCount(app) }
            try hurt {
                try system.begin(call)
                system.supervisor?.send(SIGKILL)
            }
            try adoptWhatIsUnknown()
        case .kill(let victim):
            if victim != .supervisor { try oracle.exitsAreUnseen() }
            try system.crash(victim)
            try comeBack()
        case .abandon: try abandon()
        case .killAndThaw: try killAndThaw()
        case .restart:
            guard case .restarting = try system.ask(.restart) else { return }
            try system.untilUpAgain()
            try isBack()
        case .terminate: try end(startingAgain: true)
        }
    }

    private func make(_ call: ControlCall) throws {
        do {
            try system.tell(call)
            expected.happened(call)
        } catch let failure as ControlFailure where failure.code == .refused {
            counts["acts that were refused", default: 0] += 1
            done.append((elapsed, "  refused: \(failure)"))
        }
    }

    private func bundle(_ app: BundleIdentifier) -> String { "\(system.directory)/bundles/\(app).app" }

    private func installAgain(_ app: SoakApp) throws {
        oracle.resetCount(app.identifier)
        try system.tell(.install(path: bundle(app.identifier), replacing: false))
        expected.isInstalled([app.identifier])
        expected.isUnknown(app.identifier)
        let documents = system.documents(app.identifier)
        try FileManager.default.createDirectory(atPath: documents, withIntermediateDirectories: true)
        system.give(documents)
        chmod(documents, 0o700)
    }

    // MARK: Violence

    /// Makes the supervisor end. The guardian starts another supervisor.
    private func hurt(_ blow: () throws -> Void) throws {
        let supervisor = system.supervisor
        try oracle.birthsAreUnseen()
        try blow()
        try supervisor?.waitUntilGone()
        try system.untilUpAgain()
        try isBack()
    }

    private func comeBack() throws {
        try journals.keep()
        try system.start()
        try isBack()
    }

    /// Checks the new supervisor once it answers.
    private func isBack() throws {
        oracle.supervisorIsNew()
        try journals.keep()
        try oracle.look(&expected)
        try compareSettings()
    }

    private func abandon() throws {
        let supervisor = system.supervisor
        try oracle.exitsAreUnseen()
        try system.crash(.guardian)
        try supervisor?.waitUntilGone()
        try oracle.expectNothingFrozen("the supervisor has given up")
        try comeBack()
    }

    private func killAndThaw() throws {
        try oracle.exitsAreUnseen()
        try system.crash(.both)
        let (exit, _, errors) = try system.roost("thaw")
        guard exit == .code(0) else { throw TestFailure(description: "roost thaw: \(errors)") }
        try oracle.expectNothingFrozen("roost thaw")
        try comeBack()
    }

    private func end(startingAgain: Bool) throws {
        let exit = try system.terminate()
        guard exit == .code(0) else { throw TestFailure(description: "roost up ended with \(exit)") }
        try oracle.expectNothingLeft()
        // The foreground app and the suspended apps have ended; no app is notified of that now.
        if startingAgain { try comeBack() } else { try journals.keep() }
    }

    // MARK: Pending work

    private var settingsNow: [String: String] {
        get throws {
            guard case .settings(let summary) = try system.ask(.settings) else { return [:] }
            return Dictionary(summary.settings.filter { $0.app == nil }.map { ($0.name, $0.value) }) { $1 }
        }
    }

    private func adoptSettings() throws { expected.settings = try settingsNow }

    private func compareSettings() throws {
        let now = try settingsNow
        for (name, value) in expected.settings where !expected.unknownSettings.contains(name) && now[name] != value {
            throw TestFailure(description: "\(name) was set to \(value) and is \(now[name] ?? "not there")")
        }
    }

    /// After an interrupted call: adopts the state, which the call has changed or not.
    private func adoptWhatIsUnknown() throws {
        try adoptSettings()
        expected.unknownSettings = []
        guard case .apps(let listed) = try system.ask(.list) else { return }
        for app in apps where !listed.contains(where: { $0.identifier == app.identifier }) {
            // The app was being uninstalled.
            try installAgain(app)
        }
    }

    // MARK: Reporting

    private func note(_ what: String) { done.append((elapsed, what)) }

    /// How often each thing was done, and the measurements.
    var tally: String {
        let lines = counts.sorted { $0.key < $1.key }.map { "  \($0.value) × \($0.key)" }
        return "soak: seed \(seed), \(apps.count) apps, \(Int(elapsed)) s, \(acts) acts\n"
            + lines.joined(separator: "\n") + "\n"
            + oracle.figures + "\n" + journals.figures
    }

    /// The error, and how to repeat it. Keeps the logs and journals.
    func account(of error: any Error) -> String {
        let kept = NSTemporaryDirectory() + "roost-soak-\(seed)-\(getpid())"
        let files = FileManager.default
        try? files.createDirectory(atPath: kept, withIntermediateDirectories: true)
        for name in (try? files.contentsOfDirectory(atPath: system.directory)) ?? [] where name.hasSuffix(".log") {
            try? files.copyItem(atPath: "\(system.directory)/\(name)", toPath: "\(kept)/\(name)")
        }
        for folder in ["logs", "journal"] {
            try? files.copyItem(atPath: "\(system.state)/\(folder)", toPath: "\(kept)/\(folder)")
        }
        let acts = done.map { String(format: "%9.3f  ", $0.at) + $0.what }
        try? acts.joined(separator: "\n").write(toFile: kept + "/acts.txt", atomically: true, encoding: .utf8)
        return """
            after \(elapsed) s of a soak with ROOST_SEED=\(seed) and \(apps.count) apps: \(error)
            — unexpected: \(oracle.worries.joined(separator: "\n  "))
            — the last acts:
            \(acts.suffix(40).joined(separator: "\n"))
            — logs, journals and all acts are in \(kept)
            """
    }
}
