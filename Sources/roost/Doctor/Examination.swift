import FoundationEssentials
import Glibc
import LifeCycleModel
import LifeCycleText
import RoostLinux
import RoostPorts
import RoostRuntime
import RoostStore
import RoostWire

/// All checks of `roost doctor`, in order.
struct Examination {
    let state: StateOptions
    private let environment = LinuxProcesses.ownEnvironment

    init(state: StateOptions) { self.state = state }

    var findings: [Finding] {
        var findings = [system]
        findings += Machine(environment: environment).findings
        findings += [
            sandbox, openFiles, stateDirectory, store, freeDisk, runtimeDirectory, positions, sound, leftovers,
            toolchain,
        ]
        return findings
    }

    // MARK: The system

    private var system: Finding {
        let about = "system"
        let id: String
        do throws(SystemError) {
            guard let found = try StateDirectory.systemID(of: state.path) else {
                return .ok(about, "none has run for \(state.path); this is Roost \(RoostVersion.current)")
            }
            id = found
        } catch {
            return .problem(about, error.description, nil)
        }
        guard let socket = try? ControlSocket.running(of: state.path, systemID: id) else {
            return notAnswering(about, id)
        }
        let client = ControlClient(socket.descriptor)
        guard (try? client.send(.status)) != nil,
            let reply = try? client.next(answering: .status, within: .seconds(5)), case .status(let status) = reply
        else {
            return .problem(
                about, "\(id) has a control socket but does not answer",
                "read its log; `kill -TERM` shuts it down in order")
        }
        let guardian = status.guardian.map { ", guardian \($0)" } ?? ", without a guardian"
        let found = "\(id) runs, pid \(status.pid)\(guardian), version \(status.version), policy \(status.policy)"
        guard status.version == RoostVersion.current else {
            return .warning(
                about, found + "; this is \(RoostVersion.current)",
                "\(state.command("restart")) restarts the system, its apps untouched")
        }
        return .ok(about, found + (status.sandbox.isEmpty ? "" : ", sandbox: \(status.sandbox)"))
    }

    private func notAnswering(_ about: String, _ id: String) -> Finding {
        do {
            try StateDirectory.whileIdle(state.path) {}
            if let left = FrozenApps.sentence(in: state.path) {
                return .warning(
                    about, "\(id) does not run; \(left)", "\(state.command("up")), or \(state.command("thaw"))")
            }
            if let guardian = HeldDirectory.guardian(of: state.path) {
                return .warning(
                    about, "\(id) has no supervisor: its guardian, pid \(guardian), is restarting it",
                    "try again in a moment; if it does not start, read the log of `roost up`")
            }
            return .ok(about, "\(id) does not run; this is Roost \(RoostVersion.current)")
        } catch {
            return .problem(
                about, "\(id) holds \(state.path), but its socket is not found from here",
                "it is starting or ending, or its directory for sockets was removed")
        }
    }

    /// The sandbox that a system started now would use.
    private var sandbox: Finding {
        let about = "sandbox"
        do throws(SystemError) {
            let known = try? StateDirectory.systemID(of: state.path)
            let id = known ?? String(repeating: "0", count: 12)
            let place = try RuntimeDirectory(systemID: id, environment: environment).path
            let sandbox = try Sandbox(
                .auto, systemID: id, stateDirectory: state.path, runtimeDirectory: place, environment: environment)
            let found = ([known == nil ? sandbox.kinds : sandbox.summary] + sandbox.shortcomings).joined(
                separator: "; ")
            let danger =
                switch sandbox.level {
                case .uids: ""
                case .landlock: "untrusted apps may reach more than you expect"
                case .none: "run no untrusted app: it can do everything that user \(geteuid()) can"
                }
            guard !danger.isEmpty else { return .ok(about, found) }
            return .warning(about, found, "\(danger) (docs/security.md); \(Self.wayToUsers)")
        } catch {
            return .problem(about, error.description, nil)
        }
    }

    /// Advice for a uid per app.
    private static var wayToUsers: String {
        guard geteuid() == 0 else { return "to give each app its own uid, run the system as root: `sudo roost up`" }
        return "to give each app its own uid, use the default directories (\(StateOptions.ofRoot), and /run/roost if "
            + "XDG_RUNTIME_DIR is not set), or name others that every user can enter"
    }

    // MARK: Limits and locations

    private var openFiles: Finding {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let about = "open files"
        // Each running app needs a pidfd, its cgroup's events, two connections, a log and a kept socket. The system needs
        // some more.
        let apps = limit.rlim_max > 64 ? (limit.rlim_max - 64) / 6 : 0
        guard limit.rlim_max < 4096 else {
            return .ok(about, "\(limit.rlim_cur), and up to \(limit.rlim_max) for the system, which raises it itself")
        }
        return .warning(
            about, "no more than \(limit.rlim_max), enough for about \(apps) apps at once",
            "raise the hard limit: LimitNOFILE= in the unit, or ulimit -Hn")
    }

    private var stateDirectory: Finding {
        let about = "state directory"
        if FileManager.default.fileExists(atPath: state.path) {
            guard access(state.path, R_OK | W_OK | X_OK) == 0 else {
                let reason = String(cString: strerror(errno))
                return .problem(
                    about, "cannot write to \(state.path): \(reason)",
                    "make it yours, or name another with --state or $ROOST_STATE")
            }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: state.path)) ?? []
            guard names.contains("format") || names.allSatisfy({ ["lock", "format.new"].contains($0) }) else {
                return .problem(
                    about, "\(state.path) holds files, but none of them is Roost's", "choose an empty directory")
            }
            return .ok(about, state.path)
        }
        var isDirectory = false
        _ = FileManager.default.fileExists(atPath: existing(state.path), isDirectory: &isDirectory)
        guard isDirectory else {
            return .problem(
                about, "cannot create \(state.path): \(existing(state.path)) is not a directory",
                "name another with --state or $ROOST_STATE")
        }
        guard access(existing(state.path), W_OK | X_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            return .problem(
                about, "cannot create \(state.path): \(reason)",
                "name another with --state or $ROOST_STATE")
        }
        return .ok(about, "\(state.path), which the first \(state.command("up")) creates")
    }

    /// A check of the store's copy, so that nothing is changed. The copy is read as in `roost up`, but without the
    /// lock.
    private var store: Finding {
        let about = "store"
        let inUse = Finding.ok(about, "in use by the system that runs")
        if HeldDirectory.isHeld(state.path) { return inUse }
        do throws(SystemError) {
            guard try SQLiteStore.kept(at: state.path + "/store.db") != nil else { return .ok(about, "none yet") }
            return .ok(about, "no damage found")
        } catch {
            // A system that was started meanwhile may have changed the store during the copy.
            return HeldDirectory.isHeld(state.path) ? inUse : .problem(about, error.description, nil)
        }
    }

    /// The nearest existing directory at or above a path.
    private func existing(_ path: String) -> String {
        var path = path
        while path.count > 1, !FileManager.default.fileExists(atPath: path) {
            path = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
            if path.isEmpty { path = "/" }
        }
        return path
    }

    private var freeDisk: Finding {
        let about = "free disk"
        let place = existing(state.path)
        var status = statvfs()
        guard statvfs(place, &status) == 0 else {
            return .warning(about, "the free space of \(place) is unknown: \(String(cString: strerror(errno)))", nil)
        }
        let free = Int64(clamping: status.f_bavail) * Int64(clamping: status.f_frsize)
        let found = "\(SizeText.text(free)) for \(place)"
        if free < 64 << 20 {
            return .problem(about, found, "free disk space: on a full disk nothing can be installed or stored")
        }
        if free < 512 << 20 || (status.f_files > 0 && status.f_favail < 10_000) {
            return .warning(about, found + ", \(status.f_favail) files", "make room before it is full")
        }
        return .ok(about, found)
    }

    private var runtimeDirectory: Finding {
        let about = "runtime directory"
        let directory: RuntimeDirectory
        do throws(SystemError) {
            directory = try RuntimeDirectory(systemID: String(repeating: "0", count: 12), environment: environment)
        } catch {
            return .problem(about, error.description, nil)
        }
        let parent = String(directory.path.dropLast(13))
        let place = existing(parent)
        guard access(place, W_OK | X_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            return .problem(
                about, "cannot write to \(place): \(reason)",
                "set XDG_RUNTIME_DIR to a directory of yours")
        }
        return .ok(about, parent)
    }

    private var positions: Finding {
        let settings = SystemEnvironment(environment)
        return Positions(address: settings.gpsd, isChosen: settings.choosesGPSD).finding
    }

    private var sound: Finding { Sound(environment: environment).finding }

    // MARK: Leftovers

    private var leftovers: Finding {
        let about = "leftovers"
        let own = try? StateDirectory.systemID(of: state.path)
        let silent = LinuxProcesses.idleSystemIDs(environment: environment).filter { $0 != own }
        let abandoned = OwnSystem.abandoned
        guard silent.isEmpty, abandoned.isEmpty else {
            var found: [String] = []
            if !silent.isEmpty { found.append("cgroups of systems that do not run: " + list(silent)) }
            if !abandoned.isEmpty { found.append("directories of lost systems: " + list(abandoned)) }
            let advice = [
                silent.isEmpty ? nil : "`roost thaw --all` thaws the apps that they left frozen",
                abandoned.isEmpty ? nil : "remove the directories",
            ].compactMap(\.self)
            return .warning(about, found.joined(separator: "; "), advice.joined(separator: "; "))
        }
        return .ok(about, "none")
    }

    private func list(_ names: [String]) -> String {
        names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
    }

    private var toolchain: Finding {
        let about = "Swift toolchain"
        let places = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/swift" }
        guard let found = places.first(where: { access($0, X_OK) == 0 }) else {
            return .warning(
                about, "there is no swift in PATH: `roost run` cannot build packages",
                "install Swift 6.3 or newer from https://www.swift.org/install")
        }
        return .ok(about, found)
    }
}
