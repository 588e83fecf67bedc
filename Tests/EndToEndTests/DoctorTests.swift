import Foundation
import GPSDPeer
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// `roost doctor`: what it finds on a machine, and what it advises.
    @Suite struct DoctorTests {
        private struct Finding: Decodable {
            let about: String
            let level: String
            let found: String
            let advice: String?
        }

        private func doctor(
            _ system: TestSystem, _ arguments: String..., adding: [String: String] = [:],
            wrapping wrapper: [String] = []
        ) throws -> (exit: Exit, findings: [String: Finding]) {
            let (exit, out, err) = try system.run(
                wrapper + [TestSystem.program, "doctor", "--json"] + arguments, adding: adding)
            let list = try JSONDecoder().decode([Finding].self, from: Data(out.utf8))
            #expect(err.isEmpty && Set(list.map(\.about)).count == list.count && list.count > 10)
            #expect(exit == .code(list.contains { $0.level == "problem" } ? 1 : 0))
            for finding in list where finding.level == "problem" || finding.level == "warning" {
                #expect(!finding.found.isEmpty, "\(finding)")
            }
            return (exit, Dictionary(uniqueKeysWithValues: list.map { ($0.about, $0) }))
        }

        @Test func doctorLooks() throws {
            try TestSystem.run { system in
                let (exit, findings) = try doctor(system)
                #expect(exit == .code(0))
                // The uids follow from the system's id. For another system, no number is printed.
                let sandbox = try system.status().sandbox
                #expect(findings["sandbox"]?.found.hasPrefix(sandbox) == true, "\(sandbox)")
                let another = try doctor(system, "--state", system.directory + "/another").findings["sandbox"]
                #expect(another?.found.contains("uids from") == false, "\(another?.found ?? "")")
                #expect(
                    findings["system"]?.found.contains(
                        "pid \(system.supervisor?.pid ?? 0), guardian \(system.guardian?.pid ?? 0)") == true)
                #expect(findings["state directory"]?.found == system.state)
                #expect(findings["freezing"]?.found.contains(system.usesSignals ? "SIGSTOP" : "cgroup v2") == true)
                #expect(findings["runtime directory"]?.found == system.runtime + "/roost")
                let text = try system.roost("doctor").out
                #expect(text.split(separator: "\n").filter { $0.hasPrefix("ok  ") }.count > 5, "\(text)")
                try system.crash()
                let after = try doctor(system)
                #expect(after.findings["system"]?.found.contains("does not run") == true)
            }
        }

        /// Without gpsd no position is invented, and `doctor` says so (R-151).
        @Test(.whereGPSDIs) func doctorSaysWhetherGPSDAnswers() throws {
            let gpsd = try RealGPSD()
            try TestSystem.run(starting: false) { system in
                func positions(at address: String) throws -> Finding? {
                    try doctor(system, adding: ["ROOST_GPSD": address]).findings["positions"]
                }
                let found = try positions(at: "127.0.0.1:\(gpsd.port)")
                #expect(found?.level == "ok" && found?.found.contains("answers") == true, "\(found as Any)")
                let none = try positions(at: "127.0.0.1:1")
                #expect(
                    none?.level == "warning" && none?.found.contains("Connection refused") == true, "\(none as Any)")
                #expect(try !gpsd.hasClient(), "nothing is switched on")
            }
        }

        /// The default state directory. For root, apps with their own uids can reach it. For other users the directory
        /// is in their home.
        @Test func doctorNamesThePlaceThatGoesWithoutSaying() throws {
            try TestSystem.run(starting: false) { system in
                let usual = try place(system)
                #expect(usual.contains(getuid() == 0 ? "/var/lib/roost" : "/nowhere/.local/state/roost"), "\(usual)")
                let inStateHome = try place(system, "XDG_STATE_HOME=/nowhere/state")
                #expect(inStateHome.contains("/nowhere/state/roost"), "\(inStateHome)")
                let named = try place(system, "ROOST_STATE=/nowhere/roost")
                #expect(named.contains("/nowhere/roost"), "\(named)")
            }
        }

        @Test func doctorNamesThePlaceOfAnOrdinaryUser() throws {
            if let obstacle = SetUp.ordinaryUser.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(starting: false) { system in
                let another = try place(
                    system, as: ["setpriv", "--reuid=\(SetUp.user)", "--regid=\(SetUp.user)", "--clear-groups"])
                #expect(another.contains("/nowhere/.local/state/roost"), "\(another)")
            }
        }

        /// The state directory that `roost doctor` finds, with a home at /nowhere and only these variables to choose
        /// it.
        private func place(
            _ system: TestSystem, _ variables: String..., as wrapper: [String] = []
        ) throws -> String {
            let names = ["ROOST_STATE", "XDG_STATE_HOME"].flatMap { ["-u", $0] }
            return try doctor(system, wrapping: wrapper + ["env"] + names + ["HOME=/nowhere"] + variables)
                .findings["state directory"]?.found ?? ""
        }

        /// The level `none` means no sandbox, in the log, too.
        @Test func withoutASandboxTheLogSaysSo() throws {
            try TestSystem.run(adding: ["--sandbox", "none"]) { system in
                #expect(system.systemLog.contains("apps are not sandboxed"))
                #expect(!system.systemLog.contains("apps are sandboxed"))
            }
        }

        /// Landlock alone is less than the best level: doctor says why, and what to do.
        @Test func doctorSaysHowAppsComeByUids() throws {
            try TestSystem.run(starting: false) { system in
                let closed = try closedDirectory(in: system)
                let finding = try doctor(system, "--state", closed + "/state").findings["sandbox"]
                #expect(finding?.level == "warning")
                #expect(finding?.found.contains("apps share the system's uid") == true, "\(finding?.found ?? "")")
                #expect(finding?.found.contains(getuid() == 0 ? "cannot search \(closed)" : "only root") == true)
                #expect(finding?.advice?.contains(getuid() == 0 ? "/var/lib/roost" : "as root") == true)
            }
        }

        @Test func doctorFindsNoFaultWithAPlaceThatAppsCanEnter() throws {
            if getuid() != 0 { try Test.cancel("only root can give apps their own uids") }
            try TestSystem.run(starting: false) { system in
                let closed = try closedDirectory(in: system)
                chmod(closed, 0o711)
                let open = try doctor(system, "--state", closed + "/state", adding: ["XDG_RUNTIME_DIR": ""])
                let level = open.findings["sandbox"]
                #expect(level?.level == (level?.found.hasPrefix("uids") == true ? "ok" : "warning"))
                #expect(level?.found.contains(closed) == false, "\(level?.found ?? "")")
            }
        }

        /// Makes a directory that only the system's user may enter.
        private func closedDirectory(in system: TestSystem) throws -> String {
            let closed = system.directory + "/closed"
            try FileManager.default.createDirectory(
                atPath: closed, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            return closed
        }

        @Test func doctorFindsFault() throws {
            try TestSystem.run(starting: false) { system in
                try "mine".write(toFile: system.directory + "/file", atomically: true, encoding: .utf8)
                let noPlace = try doctor(system, adding: ["ROOST_CGROUP": "/nonexistent", "PATH": "/nonexistent"])
                #expect(noPlace.exit == .code(1))
                #expect(noPlace.findings["freezing"]?.level == "problem")
                #expect(noPlace.findings["Swift toolchain"]?.level == "warning")
                let state = try doctor(system, "--state", system.directory + "/file/place")
                #expect(state.exit == .code(1) && state.findings["state directory"]?.level == "problem")
                let foreign = try doctor(system, "--state", system.directory)
                #expect(
                    foreign.exit == .code(1) && foreign.findings["state directory"]?.advice?.contains("empty") == true)
                let long = "/" + String(repeating: "long/", count: 30)
                let runtime = try doctor(system, adding: ["XDG_RUNTIME_DIR": long])
                #expect(runtime.exit == .code(1) && runtime.findings["runtime directory"]?.level == "problem")
            }
        }

        @Test func doctorFindsThatSignalsStandInForCgroups() throws {
            if let obstacle = SetUp.signals.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(starting: false) { system in
                let signals = try doctor(system, wrapping: SetUp.signals.wrap([], subtree: nil))
                #expect(signals.findings["freezing"]?.level == "warning")
                #expect(signals.findings["freezing"]?.found.contains("SIGSTOP") == true)
                #expect(signals.findings["cgroup layout"]?.level == "warning")
            }
        }

        // MARK: Machines with a lot on them

        /// The kernel gives a list of locks in pieces. The lock of the system may be in any of them.
        @Test func doctorFindsTheSystemsLockAmongMany() throws {
            let locks = """
                import fcntl, os, subprocess, sys, tempfile
                files = []
                for processor in os.sched_getaffinity(0):
                    os.sched_setaffinity(0, {processor})
                    for _ in range(200):
                        files.append(tempfile.TemporaryFile())
                        fcntl.flock(files[-1], fcntl.LOCK_EX)
                sys.exit(subprocess.run(sys.argv[1:]).returncode)
                """
            try TestSystem.run { system in
                let (_, findings) = try doctor(system, wrapping: ["/usr/bin/python3", "-c", locks])
                #expect(findings["store"]?.found == "in use by the system that runs")
            }
        }

        /// The kernel gives the list of mounts in pieces, too.
        @Test func doctorFindsACgroupMountAmongMany() throws {
            if let obstacle = SetUp.unified.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(starting: false) { system in
                let place = system.directory + "/mounts"
                let mounts = """
                    mkdir "$0" && mount -t tmpfs none "$0" && cd "$0" &&
                    for number in $(seq 200); do mkdir $number && mount --bind $number $number || exit 1; done
                    mkdir last && mount -t cgroup2 none last && cd / && exec "$@"
                    """
                let (_, findings) = try doctor(system, wrapping: ["unshare", "-m", "sh", "-c", mounts, place])
                let found = findings["cgroup layout"]?.found
                #expect(found?.contains(place + "/last") == true, "\(found ?? "")")
            }
        }
    }
}
