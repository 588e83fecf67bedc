import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// An app with its own uid owns its files when it starts, also after an installation or an update. If the files
    /// cannot be given to the app, it is not launched.
    @Suite struct LaunchFilesTests {
        private static let identifier = BundleIdentifier.named("org.roost.test.Files")
        private static let fileCount = 500

        /// A bundle with an adopted script that prints its version and how many of the bundle's files it can read.
        private func bundle(version: Int, in system: TestSystem) throws -> String {
            let bundle = "\(system.directory)/bundles/Files\(version).app"
            try FileManager.default.createDirectory(atPath: bundle + "/files", withIntermediateDirectories: true)
            let plist = """
                <?xml version="1.0" encoding="UTF-8"?>
                <plist version="1.0"><dict>
                <key>CFBundleIdentifier</key><string>\(Self.identifier)</string>
                <key>CFBundleExecutable</key><string>count</string>
                </dict></plist>
                """
            try plist.write(toFile: bundle + "/Info.plist", atomically: false, encoding: .utf8)
            let script = """
                #!/bin/sh
                cd "$(dirname "$0")/files" && echo "\(version): $(cat * | wc -c) files"
                exec sleep 600
                """
            try script.write(toFile: bundle + "/count", atomically: false, encoding: .utf8)
            chmod(bundle + "/count", 0o755)
            for number in 0..<Self.fileCount {
                let path = "\(bundle)/files/\(number)"
                try "x".write(toFile: path, atomically: false, encoding: .utf8)
                chmod(path, 0o600)
            }
            return bundle
        }

        private func setImmutable(_ path: String, _ isSet: Bool, in system: TestSystem) throws -> Bool {
            try system.run(["chattr", isSet ? "+i" : "-i", path]).exit == .code(0)
        }

        @Test func anAppReadsAllOfItsBundle() throws {
            if geteuid() != 0 { try Test.cancel("only root can give apps their own uids") }
            try TestSystem.run(adding: ["--sandbox", "uids"]) { system in
                for version in 1...2 {
                    let path = try bundle(version: version, in: system)
                    try system.tell(.install(path: path, replacing: version > 1))
                    try system.launch(Self.identifier)
                    try system.untilPrinted(Self.identifier, "\(version): \(Self.fileCount) files")
                }
            }
        }

        /// An immutable file, which not even root may change, cannot be given to the app.
        @Test func filesThatCannotBeOwnedFailTheLaunch() throws {
            if geteuid() != 0 { try Test.cancel("only root can give apps their own uids") }
            try TestSystem.run(mayReportErrors: true, adding: ["--sandbox", "uids"]) { system in
                try system.tell(.install(path: bundle(version: 1, in: system), replacing: false))
                let file = "\(system.state)/bundles/\(Self.identifier)/Files1.app/files/7"
                guard try setImmutable(file, true, in: system) else {
                    try Test.cancel("the filesystem has no immutable files")
                }
                let command = try system.roost("launch", Self.identifier.rawValue)
                #expect(try setImmutable(file, false, in: system))
                #expect(command.exit == .code(1))
                #expect(
                    command.err.contains("cannot grant an app access to its bundle: \(file): Operation not permitted"),
                    "\(command.err)")
                #expect(try system.summary(Self.identifier).state == .notRunning)
                try system.launch(Self.identifier)
                try system.untilPrinted(Self.identifier, "1: \(Self.fileCount) files")
            }
        }
    }
}
