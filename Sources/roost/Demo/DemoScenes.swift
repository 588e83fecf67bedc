import FoundationEssentials
import LifeCycleModel
import RoostWire

/// The scenes, in order, with the exact expected texts.
extension DemoStage {
    private static let launch = [
        "not running → inactive", "receives didFinishLaunching", "receives didBecomeActive", "inactive → active",
    ]
    private static let leave = [
        "receives willResignActive", "active → inactive", "receives didEnterBackground", "inactive → background",
    ]
    private static let comeBack = [
        "receives willEnterForeground", "suspended → background", "background → inactive", "receives didBecomeActive",
        "inactive → active",
    ]

    mutating func play(apps: String) throws {
        try install(apps)
        try theFourScenarios()
        try tasks()
        try theRules()
        try theUserAndTheSystem()
    }

    private mutating func install(_ apps: String) throws {
        title("Install the example apps")
        for app in ["Notepad", "TwoTasks", "Overstayer", "EndlessLoop", "OptOut", "Counter", "Clock"] {
            try act("install \(app).app", .install(path: "\(apps)/\(app).app", replacing: false))
        }
    }

    private mutating func theFourScenarios() throws {
        title("1. Launch: not running → inactive → active")
        try act("open Notepad", .launch(id("Notepad")))
        try expect("Notepad", Self.launch, until: "state", "→ active")

        title("2. Home: active → inactive → background; its task ends, so it is suspended")
        try act("home", .home)
        try expect("Notepad", Self.leave + ["background → suspended"], until: "state", "→ suspended")

        title("3. Back again: thawed, background → inactive → active")
        try act("open Notepad", .launch(id("Notepad")))
        try expect("Notepad", Self.comeBack, until: "state", "→ active")

        title("4. Another app comes to the foreground: active → inactive → background → suspended")
        try act("open Counter", .launch(id("Counter")))
        try expect("Notepad", Self.leave + ["background → suspended"], until: "state", "→ suspended")
    }

    private mutating func tasks() throws {
        title("5. Two finite-length tasks: suspended at once when the last has ended")
        try act("open TwoTasks", .launch(id("TwoTasks")))
        try expect("TwoTasks", Self.launch, until: "state", "→ active")
        try act("home", .home)
        try expect("TwoTasks", Self.leave + ["background → suspended"], until: "state", "→ suspended")

        title("6. A task that is never ended: its handler is called, then the app is killed")
        try act("open Overstayer", .launch(id("Overstayer")))
        try expect("Overstayer", Self.launch, until: "state", "→ active")
        try act("home", .home)
        try expect(
            "Overstayer",
            Self.leave + [
                "background time is nearly up: expiration handlers of \"overstay\"", "receives expirationHandlers",
                "ended: it did not end its background tasks in time, 0x2182bad2 (signal 9)",
                "background → not running",
            ], until: "state", "→ not running")
    }

    private mutating func theRules() throws {
        title("7. An endless loop in didEnterBackground: the watchdog")
        try act("open EndlessLoop", .launch(id("EndlessLoop")))
        try expect("EndlessLoop", Self.launch, until: "state", "→ active")
        try act("home", .home)
        try expect(
            "EndlessLoop",
            Self.leave + [
                "ended: it did not return from didEnterBackground in time, 0x8badf00d (signal 9)",
                "background → not running",
            ], until: "state", "→ not running")

        title("8. An app that opted out of the background: Home ends it")
        try act("open OptOut", .launch(id("OptOut")))
        try expect("OptOut", Self.launch, until: "state", "→ active")
        try act("home", .home)
        try expect(
            "OptOut",
            [
                "receives willResignActive", "active → inactive", "receives willTerminate",
                "ended: it exits when it leaves the foreground (exit code 0)", "inactive → not running",
            ], until: "state", "→ not running")
    }

    private mutating func theUserAndTheSystem() throws {
        title("9. Woken in the background, then swiped away: no push reaches it")
        try act("a location for Counter", .wake(id("Counter"), .locationMonitoring))
        try expect(
            "Counter", ["suspended → background", "background → suspended"],
            until: "state", "→ suspended")
        try act("swipe Counter away", .quit(id("Counter")))
        try expect(
            "Counter",
            ["ended: the user swiped it away (signal 9)", "suspended → not running"],
            until: "state", "→ not running")
        announce("a push for Counter")
        check(try system.refuses(.wake(id("Counter"), .remoteNotification)), "refused")

        title("10. An app built without RoostKit: adopted, and suspended as well")
        try act("open Clock", .launch(id("Clock")))
        try expect("Clock", ["not running → inactive", "inactive → active"], until: "state", "→ active")
        try act("home", .home)
        try expect(
            "Clock", ["active → inactive", "inactive → background", "background → suspended"],
            until: "state", "→ suspended")

        try theSystemItself()
    }

    private mutating func theSystemItself() throws {
        title("11. SIGKILL for the system itself: its apps survive, and are found again")
        try act("open TwoTasks", .launch(id("TwoTasks")))
        try expect("TwoTasks", Self.comeBack, until: "state", "→ active")
        let frozen = try system.app(Self.identifier("Notepad"))?.pid ?? 0
        let running = try system.app(Self.identifier("TwoTasks"))?.pid ?? 0
        announce("SIGKILL: the supervisor")
        try system.killSupervisor()
        check(isRunning(frozen), "Notepad, pid \(frozen), still exists")
        check(isRunning(running), "TwoTasks, pid \(running), still exists")
        announce("its guardian restarts it")
        try wait(for: "TwoTasks", toBe: .active)
        check(
            try system.app(Self.identifier("TwoTasks"))?.pid == running,
            "TwoTasks has reconnected by itself, pid \(running)")
        try act("open Notepad", .launch(id("Notepad")))
        try expect(
            "Notepad",
            [
                "suspended → background", "receives willEnterForeground", "background → inactive",
                "receives didBecomeActive",
                "inactive → active",
            ], until: "state", "→ active")
        check(try system.app(Self.identifier("Notepad"))?.pid == frozen, "the same process, pid \(frozen)")

        title("12. SIGTERM for the system: running apps receive willTerminate, suspended apps do not")
        announce("SIGTERM for roost up")
        system.terminate()
        try expect(
            "Notepad", ["receives willResignActive", "active → inactive", "receives willTerminate"], until: "callback",
            "willTerminate")
        try system.waitForEnd()
        check(!isRunning(frozen) && !isRunning(running), "nothing is left of Notepad and TwoTasks")
    }

    /// Whether the process exists and is not a zombie.
    private func isRunning(_ pid: Int32) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let state = stat.split(separator: ")").last?.split(separator: " ").first
        else { return false }
        return state != "Z"
    }

    private func id(_ app: String) -> BundleIdentifier {
        guard let identifier = BundleIdentifier(Self.identifier(app)) else {
            preconditionFailure("letters and full stops only")
        }
        return identifier
    }
}
