import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// A hostile app at every level that the machine offers. The outcomes make the table in `docs/security.md`.
    @Suite struct HostileAppTests {
        @Test(arguments: Situation.allCases)
        fileprivate func aHostileApp(_ situation: Situation) throws {
            if let obstacle = situation.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(situation.setUp, adding: ["--sandbox", situation.level]) { system in
                let outcomes = try Self.attack(system)
                #expect(
                    Set(outcomes.keys) == Set(AttackTable.rows.map(\.attack.name)), "each attack is reported by name")
                for row in AttackTable.rows {
                    let (outcome, expected) = (outcomes[row.attack.name] ?? "nothing", row.expected(situation))
                    #expect(expected.contains(outcome), "\(row.attack.name)")
                }
                var document = try SecurityTable()
                let table = document.with(outcomes, of: situation)
                if SecurityTable.isToBeWritten { try document.write(table) }
                #expect(
                    document.text == table,
                    "docs/security.md differs: run this test once with ROOST_WRITE_SECURITY_TABLE=1")
                let pid = try #require(try system.summary(HostileApp.identifier).pid)
                #expect(access("/tmp/roost-hostile-\(pid)", F_OK) != 0, "no file is left in /tmp")
                // The hostile app is still an ordinary app.
                try system.suspend(HostileApp.identifier)
                try system.expectFrozen(HostileApp.identifier)
                try system.tell(.quit(HostileApp.identifier))
                try system.until(HostileApp.identifier, is: .notRunning)
            }
        }

        /// Lets the app make all attacks while another app runs. Returns the outcomes by the attacks' names.
        private static func attack(_ system: TestSystem) throws -> [String: String] {
            try system.install("Counter", as: .second)
            let victim = try #require(try system.launch(.second).pid)
            try "secret".write(toFile: system.documents(.second) + "/secret", atomically: false, encoding: .utf8)
            let person = system.directory + "/person"
            try "private".write(toFile: person, atomically: false, encoding: .utf8)
            system.give(person)
            let supervisor = try #require(system.supervisor?.pid)
            let segment = shmget(0, 4096, 0o666)
            try #require(segment >= 0)
            defer { shmctl(segment, IPC_RMID, nil) }
            let bundle = try HostileApp.bundle(
                in: system, making: AttackTable.rows.map(\.attack),
                places: [
                    "state": system.state, "victim": system.container(.second), "person": person,
                    "control": system.controlSocket, "cookie": system.socketDirectory + "/cookie",
                    "cgroup": Kernel.cgroup(of: supervisor) ?? "/nowhere",
                    "cgroups": Kernel.cgroupMounts.first ?? "/nowhere",
                ], numbers: ["other": victim, "supervisor": supervisor, "segment": segment])
            try system.tell(.install(path: bundle, replacing: false))
            try system.launch(HostileApp.identifier)
            // The app waits for this file, whose place, the container, exists only now.
            let program = system.documents(HostileApp.identifier)
            try FileManager.default.copyItem(atPath: "/usr/bin/id", toPath: program + "/draft")
            chmod(program + "/draft", 0o4755)
            rename(program + "/draft", program + "/set-uid")
            return try system.until("the hostile app has tried everything") { HostileApp.outcomes(in: system) }
        }
    }
}
