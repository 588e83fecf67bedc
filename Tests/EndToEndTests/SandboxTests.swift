import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

/// A sandbox as a system may have it here.
private enum Surroundings: String, CaseIterable, CustomTestStringConvertible {
    case uids = "root, uids and Landlock"
    case landlock = "root, Landlock alone"
    case ordinaryUser = "an ordinary user, Landlock"
    case none = "root, no sandbox"

    var testDescription: String { rawValue }
    var setUp: SetUp { self == .ordinaryUser ? .ordinaryUser : .asFound }
    var arguments: [String] {
        switch self {
        case .uids: ["--sandbox", "uids"]
        case .landlock: ["--sandbox", "landlock"]
        case .ordinaryUser: []
        case .none: ["--sandbox", "none"]
        }
    }

    /// Why it can't be had here; nil if it can.
    var obstacle: String? {
        if let obstacle = setUp.obstacle { return obstacle }
        if geteuid() != 0 { return "only root can give apps uids of their own" }
        return access(HostileApp.interpreter, X_OK) == 0 ? nil : "there is no \(HostileApp.interpreter)"
    }
}

extension EndToEnd {
    /// A hostile app at every level: what it sees, in errnos. `docs/security.md` explains each line.
    @Suite struct SandboxTests {
        /// What all levels allow: an app has to be able to live.
        private static let allowed = [
            "write in the container": "done", "make a link out of the container": "done",
            "read a system file": "done",
        ]
        /// What the limits stop at every level.
        private static let limited = [
            "open 5000 files": "EMFILE", "make a file of 5 GiB": "EFBIG", "have 1500 processes": "EAGAIN",
        ]
        private static let confined = [
            "write through the link": "EACCES", "write beside the container": "EACCES", "write in /tmp": "EACCES",
            "write its own program": "EACCES", "read another container": "EACCES", "list the containers": "EACCES",
            "read the store": "EACCES", "read its log": "EACCES", "read a person's file": "EACCES",
            "signal another app": "EPERM", "signal the supervisor": "EPERM", "trace another app": "EPERM",
            "read the supervisor's environment": "EACCES", "write to the supervisor's memory": "EACCES",
            "mount": "EPERM", "move to another cgroup": "EACCES",
        ]

        /// Without a sandbox root's app can do what root can.
        private static let unconfined = Dictionary(uniqueKeysWithValues: confined.keys.map { ($0, "done") })

        private static func expected(_ surroundings: Surroundings) -> [String: String] {
            let more: [String: String] =
                switch surroundings {
                case .uids:
                    [
                        "become root": "EPERM", "run a set-uid program": "EPERM", "use the control socket": "EACCES",
                        "raise its limits": "ValueError",
                    ]
                // Landlock holds no connections to sockets that have a path: the system refuses them. Uid 0 it is
                // already, and of no use to it.
                case .landlock:
                    [
                        "become root": "EALREADY", "run a set-uid program": "EPERM",
                        "use the control socket": "ECONNREFUSED", "raise its limits": "ValueError",
                    ]
                case .ordinaryUser:
                    [
                        "become root": "EPERM", "run a set-uid program": "EPERM",
                        "use the control socket": "ECONNREFUSED",
                        "raise its limits": "ValueError",
                    ]
                case .none:
                    [
                        "become root": "EALREADY", "run a set-uid program": "EPERM",
                        "use the control socket": "ECONNREFUSED", "raise its limits": "done",
                    ]
                }
            let attacks = surroundings == .none ? unconfined : confined
            return allowed.merging(limited) { $1 }.merging(attacks) { $1 }.merging(more) { $1 }
        }

        /// Whether this process has CAP_SYS_RESOURCE, the 24th.
        private static var mayRaiseLimits: Bool {
            let line = (Kernel.text("/proc/self/status") ?? "").split(separator: "\n").first { $0.hasPrefix("CapEff:") }
            let capabilities = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
            return capabilities & 1 << 24 != 0
        }

        @Test(arguments: Surroundings.allCases)
        fileprivate func aHostileApp(_ surroundings: Surroundings) throws {
            if let obstacle = surroundings.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(surroundings.setUp, adding: surroundings.arguments) { system in
                try system.install("Counter", as: .second)
                let victim = try #require(try system.launch(.second).pid)
                try "secret".write(
                    toFile: system.documents(.second) + "/secret", atomically: false, encoding: .utf8)
                let person = system.directory + "/person"
                try "private".write(toFile: person, atomically: false, encoding: .utf8)
                system.give(person)
                let supervisor = try #require(system.supervisor?.pid)
                let bundle = try HostileApp.bundle(
                    in: system,
                    places: [
                        "state": system.state, "victim": system.container(.second), "person": person,
                        "control": system.controlSocket,
                        "cgroup": Kernel.cgroup(of: supervisor) ?? "/nowhere",
                        "cgroups": Kernel.cgroupMounts.first ?? "/nowhere",
                    ], numbers: ["other": victim, "supervisor": supervisor])
                try system.tell(.install(path: bundle, replacing: false))
                try system.launch(HostileApp.identifier)
                // It waits for this one: its container is there only now.
                let program = system.documents(HostileApp.identifier)
                try FileManager.default.copyItem(atPath: "/usr/bin/id", toPath: program + "/draft")
                chmod(program + "/draft", 0o4755)
                rename(program + "/draft", program + "/set-uid")
                let results = try system.until("the hostile app has tried everything") {
                    HostileApp.results(in: system)
                }
                var expected = Self.expected(surroundings)
                #expect(Set(results.keys) == Set(expected.keys), "each attempt is told apart")
                // On a hybrid mount the pids controller is root's, and in some containers mounting is nobody's.
                if surroundings == .ordinaryUser { expected["have 1500 processes"] = nil }
                if surroundings == .none, SetUp.unified.obstacle != nil { expected["mount"] = nil }
                // Root of a virtual machine may be without CAP_SYS_RESOURCE.
                if surroundings == .none, !Self.mayRaiseLimits { expected["raise its limits"] = "ValueError" }
                for (attempt, outcome) in expected.sorted(by: { $0.key < $1.key }) {
                    #expect(results[attempt] == outcome, "\(attempt)")
                }
                let pid = try #require(try system.summary(HostileApp.identifier).pid)
                #expect(access("/tmp/roost-hostile-\(pid)", F_OK) != 0, "nothing is left")
                // It still is an app like any other.
                try system.suspend(HostileApp.identifier)
                try system.expectFrozen(HostileApp.identifier)
                try system.tell(.quit(HostileApp.identifier))
                try system.until(HostileApp.identifier, is: .notRunning)
            }
        }
    }
}
