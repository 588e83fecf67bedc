import CRoost
import Foundation
import Glibc
import LifeCycleModel
import RoostWire

/// Checks the system from outside, and reports every deviation.
///
/// Some deviations fail the soak at once: a lost action of the user, or an end that no app here can cause. The others
/// may be temporary, because an app that was just left still runs. Each is a worry, which has to end before patience
/// does.
final class SoakOracle {
    /// How long a worry may last, in seconds. Allows for background time, watchdogs and a busy machine.
    static let patience = 25.0
    /// After this many seconds of a worry, no action follows until all is well.
    private static let worrying = 8.0

    let system: TestSystem
    let apps: [SoakApp]
    private var since: [String: Int64] = [:]
    private var listed: [AppSummary] = []
    /// The system's cgroup, which contains those of its apps.
    private var cgroup = ""
    private var looks = 0
    private var readCount = 0
    private var counters: [BundleIdentifier: Int] = [:]
    private var newestLaunch: [BundleIdentifier: Int32] = [:]
    /// The guardian died after these launches, so their ends and earlier ones were not observed.
    private var unseenUpTo: [BundleIdentifier: Int32] = [:]
    private var lastEnds: [BundleIdentifier: String] = [:]
    private var ends: [String: Int] = [:]
    private var measures = SoakMeasures()

    init(_ system: TestSystem, apps: [SoakApp]) {
        self.system = system
        self.apps = apps
    }

    /// The present worries, the oldest first.
    var worries: [String] { since.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key) }
    /// Whether a worry has lasted for too long.
    var isWorried: Bool { since.values.contains { age($0) > Self.worrying } }
    /// Whether every worry is so new that it may end in a moment, like that about an app's counter.
    var isCalm: Bool { since.values.allSatisfy { age($0) < 1 } }
    /// Whether no app runs or is about to run.
    var isAtRest: Bool { listed.allSatisfy { $0.state == .suspended || $0.state == .notRunning } }

    var figures: String {
        let ends = ends.sorted { $0.key < $1.key }.map { "    \($0.value) × \($0.key)" }.joined(separator: "\n")
        return "  \(looks) looks\n  ends:\n\(ends)\n\(measures.figures)"
    }

    private func age(_ start: Int64) -> Double { Double(croost_monotonic() - start) / 1e9 }

    // MARK: Input of the soak

    /// The app has a new container.
    func resetCount(_ app: BundleIdentifier) { counters[app] = nil }

    /// The guardian is about to die, so the ends of the running apps will not be observed.
    func exitsAreUnseen() throws {
        try readEnds()
        for app in apps.map(\.identifier) { unseenUpTo[app] = newestLaunch[app] ?? 0 }
    }

    /// The supervisor is about to die. The supervisor may just be starting an app whose process is not known yet.
    func birthsAreUnseen() throws {
        try readEnds()
        for app in listed where app.pid == nil { unseenUpTo[app.identifier] = (newestLaunch[app.identifier] ?? 0) + 1 }
    }

    /// The new supervisor waits for the apps that ran. No app becomes active until each of them has reconnected or was
    /// given up.
    func supervisorIsNew() {
        since = since.mapValues { _ in croost_monotonic() }
        readCount = 0
        measures.supervisorIsNew()
    }

    // MARK: Looking

    func look(_ expected: inout SoakExpectation) throws {
        looks += 1
        guard case .apps(let listed) = try system.ask(.list), case .status(let status) = try system.ask(.status) else {
            throw TestFailure(description: "the system does not report its state")
        }
        guard status.pid == system.supervisor?.pid else {
            throw TestFailure(description: "the supervisor was replaced without a kill")
        }
        self.listed = listed
        cgroup = status.mechanism.components(separatedBy: " at ").last ?? ""
        let lost = expected.compare(listed, isLocked: status.isLocked)
        guard lost.isEmpty else { throw TestFailure(description: lost.joined(separator: "; ")) }
        try readEnds()
        var complaints = listed.flatMap { SoakKernel.complaints($0) } + foreground(status)
        complaints += SoakKernel.strays(below: cgroup, listed)
        // These checks read all of /proc and of the disk.
        if looks % 20 == 0 { complaints += SoakKernel.outsiders(system, below: cgroup) }
        complaints += try counting()
        if looks % 50 == 0 { try measures.measureDisk(system) }
        try measures.measure(system, running: listed.count { $0.pid != nil })
        try worry(complaints, kept: looks % 20 == 0 ? nil : SoakKernel.outsider)
    }

    /// Updates the worries. Worries that start with `kept` were not checked this time.
    private func worry(_ complaints: [String], kept: String?) throws {
        let now = croost_monotonic()
        var next = since.filter { worry in kept.map { worry.key.hasPrefix($0) } ?? false }
        for complaint in complaints { next[complaint] = since[complaint] ?? now }
        since = next
        let hopeless = complaints.filter { next[$0].map { age($0) > Self.patience } ?? false }
        guard hopeless.isEmpty else {
            throw TestFailure(
                description: "unresolved after \(Self.patience) s: \(hopeless.joined(separator: "; "))\n"
                    + listed.map { "\($0.identifier) \($0.state) \($0.assertions)" }.joined(separator: "\n"))
        }
    }

    /// The foreground app has to be active, and no other app may be.
    private func foreground(_ status: SystemStatus) -> [String] {
        var complaints: [String] = []
        for app in listed where app.state == .active && (app.identifier != status.foreground || status.isLocked) {
            complaints.append("\(SoakKernel.name(app)) is active, but not in the foreground")
        }
        if let foreground = status.foreground, !status.isLocked, status.interruption == nil,
            let app = listed.first(where: { $0.identifier == foreground }), app.state != .active
        {
            complaints.append("\(SoakKernel.name(app)) is in the foreground, but not active")
        }
        return complaints
    }

    /// An app's counter never decreases, and the counter of an active app increases.
    private func counting() throws -> [String] {
        var complaints: [String] = []
        for app in apps where app.counts {
            let (before, now) = (counters[app.identifier], system.count(app.identifier))
            if let before, now.map({ $0 < before }) ?? true {
                let text = now.map(String.init) ?? "nothing"
                throw TestFailure(description: "\(app.identifier) had counted to \(before), and now it is \(text)")
            }
            counters[app.identifier] = now
            if let active = listed.first(where: { $0.identifier == app.identifier && $0.state == .active }) {
                complaints.append("\(SoakKernel.name(active)) is active, but does not count beyond \(now ?? 0)")
            }
        }
        return complaints
    }

    // MARK: Ends

    private func readEnds() throws {
        let decisions = try system.drainDecisions()
        for line in decisions.dropFirst(readCount) {
            guard let app = line.app, let launch = line.launch else { continue }
            newestLaunch[app] = max(newestLaunch[app] ?? 0, launch)
            if line.kind == "ended" { try judge(line.text, app, launch) }
        }
        readCount = decisions.count
        for app in listed {
            if let launch = app.launch { newestLaunch[app.identifier] = max(newestLaunch[app.identifier] ?? 0, launch) }
            if let end = app.lastEnd, end != lastEnds[app.identifier] {
                lastEnds[app.identifier] = end
                try judge(end, app.identifier, newestLaunch[app.identifier] ?? 0, isCounted: false)
            }
        }
    }

    /// Fails on an end whose cause no app here can have.
    private func judge(_ end: String, _ app: BundleIdentifier, _ launch: Int32, isCounted: Bool = true) throws {
        if isCounted { ends[end, default: 0] += 1 }
        let isUnknown = end.contains("exit status unknown") || end.contains("the cause is unknown")
        let isSeen = unseenUpTo[app].map { launch > $0 } ?? true
        let isHanging = apps.contains { $0.identifier == app && $0.hangs }
        let isOdd =
            ["did not freeze", "could not be started", "too many", "larger than"].contains { end.contains($0) }
            || (["did not reconnect", "did not return from"].contains { end.contains($0) } && !isHanging)
        guard isOdd || (isUnknown && isSeen) else { return }
        throw TestFailure(description: "\(app) (launch \(launch)) ended unexpectedly: \(end)")
    }

    // MARK: Without a system

    /// No system runs, so no app that is left may be frozen.
    func expectNothingFrozen(_ after: String) throws {
        for child in SoakKernel.children(of: cgroup) where !Kernel.processes(in: child).isEmpty {
            guard !Kernel.isFrozen(cgroup: child) else {
                throw TestFailure(description: "\(child) is still frozen after \(after)")
            }
        }
    }

    /// The system has ended as it should: no process and no cgroup is left.
    func expectNothingLeft() throws {
        since = [:]
        try system.until("no cgroup or process is left", lookingAgainAfter: 0.05) {
            access(cgroup, F_OK) != 0 && SoakKernel.outsiders(system, below: nil).isEmpty ? true : nil
        }
    }
}
