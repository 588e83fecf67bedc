import Foundation
import Glibc
import LifeCycleModel
import RoostWire

/// Apps in a test's system: installing them, scripting them, and reading their output.
extension TestSystem {
    // MARK: Installing

    /// Copies an example to a place where the test may change it, and returns the copy's path.
    func copyOfExample(_ example: String, as name: String? = nil) throws -> String {
        let (files, original) = (FileManager.default, try Examples.directory() + "/\(example).app")
        let copy = "\(directory)/bundles/\(name ?? example).app"
        try files.createDirectory(atPath: copy, withIntermediateDirectories: true)
        give(copy)
        for file in try files.contentsOfDirectory(atPath: original) {
            // Not `copyItem`, which tries to preserve the owner, possibly another user.
            let mode = try files.attributesOfItem(atPath: "\(original)/\(file)")[.posixPermissions] ?? 0o644
            let made = files.createFile(
                atPath: "\(copy)/\(file)", contents: files.contents(atPath: "\(original)/\(file)"),
                attributes: [.posixPermissions: mode])
            guard made else { throw TestFailure(description: "\(copy)/\(file) can't be written") }
            give("\(copy)/\(file)")
        }
        return copy
    }

    /// Installs an example, under another identifier if one is given, with `script` for its callbacks. Counter may also
    /// have a scene, more or fewer background modes, and further keys.
    func install(
        _ example: String, as identifier: BundleIdentifier? = nil, script: String = "", withScene: Bool = false,
        modes: [String] = [], without left: [String] = [], keys: String = ""
    ) throws {
        let bundle = try copyOfExample(example, as: identifier?.rawValue)
        let app = identifier ?? .named("org.roost.example." + example)
        let plist = bundle + "/Info.plist"
        var text = (Kernel.text(plist) ?? "")
            .replacingOccurrences(of: "org.roost.example.\(example)", with: app.rawValue)
        let more = modes.map { "<string>\($0)</string>" }.joined()
        text = text.replacingOccurrences(of: "<array>", with: "<array>" + more)
        for mode in left { text = text.replacingOccurrences(of: "<string>\(mode)</string>", with: "") }
        text = text.replacingOccurrences(
            of: "</dict>\n</plist>", with: keys + (withScene ? Self.scenes : "") + "</dict></plist>")
        try text.write(toFile: plist, atomically: false, encoding: .utf8)
        try tell(.install(path: bundle, replacing: false))
        try FileManager.default.createDirectory(atPath: documents(app), withIntermediateDirectories: true)
        for path in [container(app), documents(app)] {
            give(path)
            chmod(path, 0o700)
        }
        follow(documents(app))
        try self.script(app, script)
    }

    /// Installs a test app of this package, which has no bundle of its own. The bundle also gets these files.
    func installTestApp(
        _ executable: String, as identifier: BundleIdentifier, modes: [String] = [], keys: String = "",
        files: [(name: String, content: Data)] = []
    ) throws {
        let bundle = "\(directory)/bundles/\(executable).app"
        let built = URL(fileURLWithPath: Self.program).deletingLastPathComponent().appendingPathComponent(executable)
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: built.path, toPath: "\(bundle)/\(executable)")
        try """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>\(identifier)</string>
        <key>CFBundleExecutable</key><string>\(executable)</string>
        <key>UIBackgroundModes</key><array>\(modes.map { "<string>\($0)</string>" }.joined())</array>
        \(keys)
        </dict></plist>
        """.write(toFile: bundle + "/Info.plist", atomically: true, encoding: .utf8)
        for file in files { try file.content.write(to: URL(fileURLWithPath: "\(bundle)/\(file.name)")) }
        for name in ["", executable, "Info.plist"] + files.map(\.name) { give("\(bundle)/\(name)") }
        try tell(.install(path: bundle, replacing: false))
    }

    private static let scenes = """
        <key>UIApplicationSceneManifest</key><dict>
        <key>UIApplicationSupportsMultipleScenes</key><false/>
        <key>UISceneConfigurations</key><dict><key>UIWindowSceneSessionRoleApplication</key><array><dict>
        <key>UISceneConfigurationName</key><string>Default Configuration</string>
        <key>UISceneDelegateClassName</key><string>Counter.SceneDelegate</string>
        </dict></array></dict></dict>
        """

    /// Sets Counter's script for its callbacks from now on.
    func script(_ app: BundleIdentifier, _ text: String) throws {
        let file = documents(app) + "/script"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        give(file)
    }

    // MARK: Files

    func container(_ app: BundleIdentifier) -> String { "\(state)/containers/\(app)" }
    func documents(_ app: BundleIdentifier) -> String { container(app) + "/Documents" }

    /// The lines that an app has printed. An app may write a line in several parts, so the last one counts once it is
    /// complete.
    func log(_ app: BundleIdentifier) -> [String] {
        let text = Kernel.text("\(state)/logs/\(app).log") ?? ""
        return text[..<(text.lastIndex(of: "\n") ?? text.startIndex)].split(separator: "\n").map(String.init)
    }

    /// The callbacks and notifications that Counter has printed from its line `first` on, without the time remaining.
    /// Those of a clock that was set are left out: the machine's clock may be set during any test.
    func callbacks(_ app: BundleIdentifier, from first: Int = 0) -> [String] {
        log(app).dropFirst(first).filter { $0.hasPrefix("callback ") || $0.hasPrefix("notification ") }
            .filter { !$0.contains(" significantTimeChange") }
            .map { line in line.range(of: " remaining=").map { String(line[..<$0.lowerBound]) } ?? line }
    }

    /// The same without the states: `callback didBecomeActive`.
    func received(_ app: BundleIdentifier, from first: Int = 0) -> [String] {
        callbacks(app, from: first).map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
    }

    /// Waits until an app has printed a line with this prefix, from its line `first` on; returns the line.
    @discardableResult
    func untilPrinted(_ app: BundleIdentifier, _ start: String, from first: Int = 0) throws -> String {
        try until("\(app) prints \"\(start)\"") { log(app).dropFirst(first).first { $0.hasPrefix(start) } }
    }

    /// Counter's count according to its file; nil if there is no file.
    func count(_ app: BundleIdentifier) -> Int? { Kernel.text(documents(app) + "/counter").flatMap { Int($0) } }

    /// Waits until Counter has counted this many times more.
    func untilCounted(_ app: BundleIdentifier, more: Int) throws {
        let first = try until("\(app) counts") { count(app) }
        try until("\(app) counts \(more) times") { (count(app) ?? 0) >= first + more ? true : nil }
    }

    /// Makes a pipe at which Counter waits in `wait name`.
    func makeGate(_ app: BundleIdentifier, _ name: String = "gate") throws {
        let path = documents(app) + "/" + name
        guard mkfifo(path, 0o600) == 0 else { throw TestFailure(description: "\(path): \(errno)") }
        give(path)
    }

    /// Lets Counter continue. Counter must be waiting, because opening a pipe blocks until the other end is open.
    func openGate(_ app: BundleIdentifier, _ name: String = "gate") throws {
        let path = documents(app) + "/" + name
        let deadline = Deadline()
        while !deadline.isOver {
            let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if descriptor >= 0 {
                close(descriptor)
                return
            }
            // Counter has announced the wait, and is about to open the pipe.
            sched_yield()
        }
        throw TestFailure(description: "no process waits at \(path)")
    }

    // MARK: States

    /// Waits until the system reports that an app is in this state.
    @discardableResult func until(_ app: BundleIdentifier, is state: AppState) throws -> AppSummary {
        try until("\(app) is \(state.name)") {
            let summary = try summary(app)
            return summary.state == state ? summary : nil
        }
    }

    func pid(_ app: BundleIdentifier) throws -> Int32 {
        guard let pid = try summary(app).pid else { throw TestFailure(description: "\(app) has no process") }
        return pid
    }

    func process(_ app: BundleIdentifier) throws -> HeldProcess {
        let pid = try pid(app)
        guard let process = HeldProcess(pid) else { throw TestFailure(description: "there is no process \(pid)") }
        return process
    }

    /// Opens an app and waits until it is active.
    @discardableResult func launch(_ app: BundleIdentifier) throws -> AppSummary {
        try tell(.launch(app))
        return try until(app, is: .active)
    }

    /// Opens Counter, which is not active, and waits until it has printed that it is.
    @discardableResult func openApp(_ app: BundleIdentifier) throws -> AppSummary {
        let printed = log(app).count
        try tell(.launch(app))
        return try untilActive(app, from: printed)
    }

    /// Waits until Counter is active and has printed it, from its line `first` on.
    @discardableResult func untilActive(_ app: BundleIdentifier, from first: Int) throws -> AppSummary {
        try untilPrinted(app, "notification didBecomeActive", from: first)
        return try until(app, is: .active)
    }

    /// Waits until Counter works in the background, and has printed it.
    func untilInBackground(_ app: BundleIdentifier, from first: Int = 0) throws {
        try untilPrinted(app, "notification didEnterBackground", from: first)
        try until(app, is: .background)
    }

    /// Goes home and waits until an app is suspended, according to the system and the kernel.
    @discardableResult func suspend(_ app: BundleIdentifier) throws -> AppSummary {
        try tell(.home)
        let summary = try until(app, is: .suspended)
        try expectFrozen(app)
        return summary
    }

    /// Whether the kernel reports that an app is stopped: by its cgroup, or without one by its state letter.
    func isFrozen(_ app: BundleIdentifier) throws -> Bool {
        let pid = try pid(app)
        if usesSignals { return Kernel.state(of: pid) == "T" }
        guard let cgroup = Kernel.cgroup(of: pid), cgroup.contains("/roost-") else { return false }
        return Kernel.isFrozen(cgroup: cgroup)
    }

    func expectFrozen(_ app: BundleIdentifier) throws {
        guard try isFrozen(app) else {
            throw TestFailure(description: "\(app) is reported as suspended, but not frozen")
        }
    }

    func expectRunning(_ app: BundleIdentifier) throws {
        guard try !isFrozen(app) else { throw TestFailure(description: "\(app) is frozen, but should run") }
    }
}
