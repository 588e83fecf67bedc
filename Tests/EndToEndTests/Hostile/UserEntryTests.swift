import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// An app with its own uid has an entry in the user database, so programs that look it up work.
    @Suite struct UserEntryTests {
        private static let identifier = BundleIdentifier.named("org.roost.test.Named")

        /// Runs an adopted shell script that executes `commands`, and then waits.
        private func run(_ commands: String, in system: TestSystem) throws -> [String] {
            let bundle = "\(system.directory)/bundles/Named.app"
            try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
            let plist = """
                <?xml version="1.0" encoding="UTF-8"?>
                <plist version="1.0"><dict>
                <key>CFBundleIdentifier</key><string>\(Self.identifier)</string>
                <key>CFBundleExecutable</key><string>named</string>
                </dict></plist>
                """
            try plist.write(toFile: bundle + "/Info.plist", atomically: false, encoding: .utf8)
            try "#!/bin/sh\n\(commands)\necho finished\nexec sleep 600\n".write(
                toFile: bundle + "/named", atomically: false, encoding: .utf8)
            chmod(bundle + "/named", 0o755)
            try system.tell(.install(path: bundle, replacing: false))
            try system.launch(Self.identifier)
            return try system.until("the script has finished") {
                let lines = system.log(Self.identifier)
                return lines.contains("finished") ? lines : nil
            }
        }

        private func uidsObstacle() -> String? {
            geteuid() == 0 ? nil : "only root can give apps their own uids"
        }

        @Test func theEntryIsTheAppsAlone() throws {
            if let obstacle = uidsObstacle() { try Test.cancel("\(obstacle)") }
            try TestSystem.run(adding: ["--sandbox", "uids"]) { system in
                let before = [Kernel.text("/etc/passwd"), Kernel.text("/etc/group")]
                let lines = try run(
                    "whoami; id -gn; getent passwd $(id -u) | cut -d: -f6; grep -c . /etc/passwd", in: system)
                let name = try #require(lines.first)
                #expect(name.hasPrefix("roost-") && lines[1] == name, "\(lines)")
                #expect(lines[2] == system.container(Self.identifier))
                let machines = (before[0] ?? "").split(separator: "\n").count
                #expect(lines[3] == "\(machines + 1)")
                #expect(
                    [Kernel.text("/etc/passwd"), Kernel.text("/etc/group")] == before, "both files are unchanged")
                #expect(getpwnam(name) == nil)
                #expect(try system.terminate() == .code(0))
                #expect(access(system.socketDirectory, F_OK) != 0, "the socket directory is removed")
            }
        }

        /// Postgres looks up its user's name, and refuses to run as root.
        @Test(.wherePostgresIsInstalled) func aDatabaseIsMade() throws {
            if let obstacle = uidsObstacle() { try Test.cancel("\(obstacle)") }
            let program = try #require(Postgres.initdb, "there is no initdb here: apt-get install postgresql")
            try TestSystem.run(adding: ["--sandbox", "uids"]) { system in
                let lines = try run("\(program) -D \"$HOME/Documents/data\" --no-sync && echo made", in: system)
                #expect(lines.contains("made"), "\(lines)")
            }
        }
    }
}
