import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The system and its environment: apps' files, thawing without the system, and third-party clients.
    @Suite struct OutsideTests {
        @Test func filesLandInTheContainer() throws {
            try TestSystem.run { system in
                try system.install("Counter", script: "didBecomeActive files\n")
                try system.launch(.counter)
                try system.untilPrinted(.counter, "place defaults written")
                let container = system.container(.counter)
                var places: [String: String] = [:]
                for line in system.log(.counter) where line.hasPrefix("place ") {
                    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
                    places[words[1]] = words[2]
                }
                #expect(places["home"] == container)
                #expect(places["documents"] == container + "/Documents/documents.txt")
                #expect(places["temporary"] == container + "/tmp/temporary.txt")
                for name in ["documents", "caches", "support", "temporary"] {
                    let path = try #require(places[name])
                    #expect(path.hasPrefix(container + "/"), "\(path)")
                    #expect(Kernel.text(path) == name)
                }
                let inside = FileManager.default.enumerator(atPath: container)?.compactMap { $0 as? String } ?? []
                let preferences = inside.filter { $0.hasSuffix(".plist") }
                #expect(!preferences.isEmpty && preferences.allSatisfy { $0.hasPrefix("Library/") }, "\(inside)")
            }
        }

        /// The system has ended and its apps are frozen: one command thaws them.
        @Test(.whereCgroupsFreeze) func thawWithoutASystem() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.launch(.counter)
                try system.suspend(.counter)
                let process = try system.process(.counter)
                let cgroup = try #require(Kernel.cgroup(of: process.pid))
                try system.crash()
                #expect(Kernel.isFrozen(cgroup: cgroup))
                let (exit, out, err) = try system.roost("thaw")
                #expect(exit == .code(0) && out.contains("thawed"), "\(out)\(err)")
                #expect(!Kernel.isFrozen(cgroup: cgroup))
                try system.untilCounted(.counter, more: 2)
                #expect(try system.roost("thaw").out == "nothing is frozen\n")
                // The next system finds the app running, and takes it for what it was: suspended.
                try system.start()
                #expect(try system.until(.counter, is: .suspended).pid == process.pid)
                try system.expectFrozen(.counter)
            }
        }

        /// `--all` means every system of the machine. In this test the command sees only the test's own cgroup, so that
        /// it does not thaw the developer's apps.
        @Test(.whereCgroupsFreeze) func thawAll() throws {
            if let obstacle = SetUp.unified.obstacle { try Test.cancel("\(obstacle)") }
            if let obstacle = SetUp.ordinaryUser.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(inSubtree: true) { system in
                try system.install("Counter")
                try system.launch(.counter)
                try system.suspend(.counter)
                let cgroup = try #require(Kernel.cgroup(of: system.pid(.counter)))
                // The system runs, but neither its sockets nor its state directory are where the command looks.
                let (exit, out, err) = try thawAll(system)
                #expect(exit == .code(0) && out == "nothing else is frozen\n", "\(out)\(err)")
                #expect(err.contains("the system \(system.systemID) is running"), "\(err)")
                #expect(Kernel.isFrozen(cgroup: cgroup))
                // Another user's command does not touch the system.
                let asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
                let stranger = try thawAll(system, asUser: asNobody)
                #expect(stranger.exit == .code(0) && stranger.out == "nothing is frozen\n", "\(stranger)")
                #expect(stranger.err.isEmpty, "\(stranger.err)")
                try system.crash()
                let (exit2, out2, err2) = try thawAll(system)
                #expect(exit2 == .code(0) && out2.contains("/view/roost-"), "\(out2)\(err2)")
                #expect(!Kernel.isFrozen(cgroup: cgroup))
                try system.untilCounted(.counter, more: 2)
            }
        }

        private func thawAll(
            _ system: TestSystem, asUser: [String] = []
        ) throws -> (exit: Exit, out: String, err: String) {
            let view = system.directory + "/view"
            mkdir(view, 0o711)
            let hide = Kernel.cgroupMounts.map { "umount -l '\($0)' && " }.joined()
            let wrapper = [
                "unshare", "-m", "sh", "-c",
                "mount --bind '\(system.subtree ?? "")' '\(view)' && \(hide) exec \"$0\" \"$@\"",
            ]
            let elsewhere = system.directory + "/none"
            return try system.run(
                wrapper + asUser + [TestSystem.program, "thaw", "--all"],
                adding: ["ROOST_CGROUP": "", "ROOST_STATE": elsewhere, "XDG_RUNTIME_DIR": elsewhere])
        }

        /// A suspended app that another process thaws is frozen again, and `roost why` says so.
        @Test(.whereCgroupsFreeze) func anAppThawedByAnotherProcessIsFrozenAgain() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.launch(.counter)
                try system.suspend(.counter)
                let cgroup = try #require(Kernel.cgroup(of: system.pid(.counter)))
                for round in 1...2 {
                    try "0".write(toFile: cgroup + "/cgroup.freeze", atomically: false, encoding: .utf8)
                    try system.until("the app is frozen again") {
                        let thaws = try system.why(.counter).count { $0.kind == "thawed" }
                        return try thaws >= round && system.summary(.counter).state == .suspended ? true : nil
                    }
                    try system.expectFrozen(.counter)
                }
                #expect(try system.launch(.counter).state == .active)
                try system.expectRunning(.counter)
                #expect(try system.why(.counter).count { $0.kind == "thawed" } == 2, "its own thaw is not reported")
            }
        }

        /// A third-party varlink client: the Python package of that name.
        @Test func foreignVarlinkClient() throws {
            try TestSystem.run { system in
                let python: String
                do {
                    python = try pythonWithVarlink(system)
                } catch  where ProcessInfo.processInfo.environment["CI"] != "true" {
                    try Test.cancel("the Python package varlink is unavailable: \(error)")
                }
                try system.install("Counter")
                let script = system.directory + "/client.py"
                try Self.client.write(toFile: script, atomically: false, encoding: .utf8)
                let (exit, out, err) = try system.run([python, script, system.controlSocket])
                #expect(exit == .code(0), "\(err)")
                #expect(
                    out.split(separator: "\n") == [
                        "vendor Roost", "interfaces org.varlink.service roost.Control", "described roost.Control",
                        "refused roost.Control.NotAuthenticated",
                        "listed org.roost.example.Counter notRunning", "watching", "launched launched",
                        "refused roost.Control.Failed noSuchApp",
                    ], "\(out)\(err)")
                try system.until(.counter, is: .active)
            }
        }

        private func pythonWithVarlink(_ system: TestSystem) throws -> String {
            if try system.run(["python3", "-c", "import varlink"]).exit == .code(0) { return "python3" }
            let place = system.directory + "/venv"
            for command in [["python3", "-m", "venv", place], [place + "/bin/pip", "install", "-q", "varlink"]] {
                let (exit, _, err) = try system.run(command)
                guard exit == .code(0) else { throw TestFailure(description: "\(command): \(err.suffix(300))") }
            }
            return place + "/bin/python3"
        }

        private static let client = """
            import sys
            import varlink

            client = varlink.Client.new_with_address("unix:" + sys.argv[1])
            service = client.open("org.varlink.service")
            answer = service.GetInfo()
            print("vendor", answer["vendor"])
            print("interfaces", *sorted(answer["interfaces"]))
            described = service.GetInterfaceDescription("roost.Control")["description"]
            print("described", varlink.Interface(described).name)
            control = client.open("roost.Control")
            try:
                control.List()
            except varlink.VarlinkError as error:
                print("refused", error.error())
            with open(sys.argv[1].removesuffix("control") + "cookie") as file:
                cookie = file.read().strip()
            control.Authenticate(cookie)
            for app in control.List()["apps"]:
                print("listed", app["identifier"], app["state"])
            watch = client.open("roost.Control")
            watch.Authenticate(cookie)
            decisions = watch.Watch(_more=True)
            print(next(decisions)["decision"]["kind"])
            control.Launch("org.roost.example.Counter")
            print("launched", next(decisions)["decision"]["kind"])
            try:
                control.Launch("org.example.Nothing")
            except varlink.VarlinkError as error:
                print("refused", error.error(), error.parameters()["code"])
            """
    }
}
