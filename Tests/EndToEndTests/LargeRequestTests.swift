import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// An app that leaves as much data with the system as it can.
    @Suite struct LargeRequestTests {
        /// A thousand downloads with requests of the largest size, 136 KiB. The system persists 16 MiB of an app's
        /// requests: more than the first hundred, and less than two hundred. The app is notified of each request beyond
        /// that.
        private static let program = #"""
            import collections

            received, failed = collections.deque(), {}
            networks = {"cellular": True, "constrained": True, "expensive": True}
            configuration = {
                "connectionsPerHost": 6, "fields": [], "isDiscretionary": False, "networks": networks,
                "requestTimeout": 60000000000, "resourceTimeout": 600000000000, "sendsLaunchEvents": True}
            request = {
                "body": "A" * 98304, "fields": [{"name": "X", "value": "v" * 32000}], "method": "POST",
                "networks": networks, "url": "http://localhost:1/" + "u" * 8000}

            # In the place of the usual one: what is sent is sent by one thread.
            def acknowledge():
                rest = b""
                while more := callbacks.recv(65536):
                    *messages, rest = (rest + more).split(b"\0")
                    received.extend(json.loads(said)["parameters"] for said in messages)

            def act(kind, **parts):
                call(requests, "roost.App.Transfer", {"session": "s", "act": {"kind": kind, **parts}}, oneway=True)

            def hear():
                while received:
                    parameters = received.popleft()
                    if "callback" in parameters:
                        call(requests, "roost.App.Acknowledge",
                             {"callback": parameters["callback"]["id"], "open": []}, oneway=True)
                    news = parameters.get("transfer", {}).get("news", {})
                    if news.get("kind") == "failed":
                        failed[news["task"]] = news["failure"]["code"]
                        act("acknowledge", tasks=[news["task"]])
                # 50 in a second: an app may say three times as many KiB.
                time.sleep(0.02)

            identify()
            act("open", configuration=configuration)
            for number in range(1, 1001):
                act("make", task=number, request=request)
                hear()
            while not all(number in failed for number in range(201, 1001)):
                hear()
            tell("failed with %s, the first at %s a hundred" % (
                sorted(set(failed.values())), "above" if min(failed) > 100 else "below"))
            while True:
                hear()
            """#

        @Test func aThousandLargeDownloads() throws {
            if let obstacle = Attacker.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run { system in
                try system.install("Counter")
                let supervisor = try #require(system.supervisor?.pid)
                let before = try #require(Kernel.largestResident(of: supervisor))
                try Attacker.launch(Self.program, in: system)
                // Sending so much may take any time.
                let said = try system.until("the app has received every failure", within: 10 * Deadline.patience) {
                    system.log(Attacker.identifier).first { $0.hasPrefix("failed ") }
                }
                #expect(said == "failed with [-1], the first at above a hundred")
                #expect(try system.transfers().count > 100)
                // The app may leave 16 MiB. The journal is encoded in memory, too, so the process grew by 96 MiB.
                let grown = try #require(Kernel.largestResident(of: supervisor)) - before
                #expect(grown < 160 << 20, "\(grown) bytes")
                let store = size(system.state + "/store.db") + size(system.state + "/store.db-wal")
                #expect(store > 12 << 20 && store < 64 << 20, "\(store) bytes")
                let folder = system.state + "/journal"
                let journals = try FileManager.default.contentsOfDirectory(atPath: folder).map {
                    size(folder + "/" + $0)
                }
                #expect(!journals.isEmpty && journals.count <= 5)
                #expect(journals.allSatisfy { $0 <= 64 << 20 }, "\(journals)")

                // Another app is opened while all of this is removed, and the user waits.
                try system.launch(.counter)
                try system.tell(.uninstall(Attacker.identifier))
                #expect(try system.transfers().isEmpty)
                #expect(access(system.container(Attacker.identifier), F_OK) != 0)
                try system.until(.counter, is: .active)
                #expect(system.supervisor?.pid == supervisor && system.supervisor?.isGone == false)
            }
        }

        private func size(_ path: String) -> Int {
            var status = stat()
            return stat(path, &status) == 0 ? Int(status.st_size) : 0
        }
    }
}
