import Foundation
import Glibc
import LifeCycleModel
import RoostWire

/// The kernel's view of the apps, to compare with the system's.
enum SoakKernel {
    /// The beginning of each complaint from `outsiders`.
    static let outsider = "outside: "

    /// The name of an app and its launch.
    static func name(_ app: AppSummary) -> String { "\(app.identifier)" + (app.launch.map { ".\($0)" } ?? "") }

    static func children(of cgroup: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: cgroup)) ?? []).filter { $0.contains(".") }
            .map { "\(cgroup)/\($0)" }.filter { access($0 + "/cgroup.procs", F_OK) == 0 }
    }

    /// Reports if the system and the kernel disagree about an app.
    static func complaints(_ app: AppSummary) -> [String] {
        guard let pid = app.pid else {
            return app.state == .notRunning ? [] : ["\(name(app)) is \(app.state) without a process"]
        }
        guard let place = app.place, app.state != .notRunning else {
            return ["\(name(app)) is \(app.state) and has process \(pid)"]
        }
        var complaints: [String] = []
        let isFrozen = Kernel.isFrozen(cgroup: place)
        if !Kernel.processes(in: place).contains(pid) {
            complaints.append("\(name(app)) has process \(pid), which is not in its cgroup")
        }
        switch app.state {
        case .suspended where !isFrozen: complaints.append("\(name(app)) is suspended, but not frozen")
        case .active where isFrozen, .inactive where isFrozen, .background where isFrozen:
            complaints.append("\(name(app)) is \(app.state), but frozen")
        // The app's tasks, wakes and callbacks all come to an end.
        case .background: complaints.append("\(name(app)) stays in the background")
        case .notRunning, .suspended, .active, .inactive: break
        }
        return complaints
    }

    /// Processes in the system's cgroups that belong to no app.
    static func strays(below cgroup: String, _ apps: [AppSummary]) -> [String] {
        let places = Set(apps.compactMap(\.place))
        return children(of: cgroup).filter { !places.contains($0) }.flatMap { child in
            Kernel.processes(in: child).map { "process \($0) is in \(child), which belongs to no app" }
        }
    }

    /// Processes of this system or its apps that are outside its cgroups, except the system itself.
    static func outsiders(_ system: TestSystem, below cgroup: String?) -> [String] {
        let known = [getpid(), system.guardian?.pid, system.supervisor?.pid].compactMap { $0 }
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { Int32($0) }.filter { !known.contains($0) }.compactMap { pid in
            guard Kernel.text("/proc/\(pid)/environ")?.contains("=\(system.directory)/") == true,
                Kernel.state(of: pid) != nil
            else { return nil }
            if let cgroup, Kernel.cgroup(of: pid)?.hasPrefix(cgroup + "/") == true { return nil }
            let command = (Kernel.text("/proc/\(pid)/cmdline") ?? "").split(separator: "\0").joined(separator: " ")
            // A command that the soak itself has started.
            if command.contains(" replay /") { return nil }
            return outsider + "process \(pid) (\(command))"
        }
    }
}
