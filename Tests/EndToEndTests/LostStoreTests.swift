import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The store is damaged, empty, missing or unreadable. No document is lost, and the apps are found again.
    @Suite struct LostStoreTests {
        enum Loss: String, CaseIterable, CustomTestStringConvertible {
            case damaged, cutShort, empty, missing, withoutLog, unreadable

            var testDescription: String { rawValue }

            /// Whether the system still starts by itself after the loss.
            var startsByItself: Bool {
                switch self {
                case .empty, .missing, .withoutLog: true
                case .damaged, .cutShort, .unreadable: false
                }
            }
        }

        @Test(arguments: Loss.allCases)
        func noDocumentIsLost(loss: Loss) throws {
            try TestSystem.run(mayReportErrors: true) { system in
                try twoApps(system)
                try lose(loss, system)
                if !loss.startsByItself {
                    let (exit, _, err) = try system.run([TestSystem.program, "up"])
                    #expect(exit == .code(1), "\(err)")
                    #expect(err.contains(system.state + "/store.db"), "\(err)")
                    let advice = "`roost recover --state \(system.state)`"
                    #expect(err.contains(advice) == (loss != .unreadable), "\(err)")
                    let doctor = try system.roost("doctor")
                    #expect(doctor.exit == .code(1) && doctor.out.contains("problem  store"), "\(doctor)")
                    #expect(doctor.out.contains(advice) == (loss != .unreadable), "\(doctor)")
                    expectDocuments(system)
                    let recovered = try system.roost("recover")
                    guard loss != .unreadable else {
                        #expect(recovered.exit == .code(1) && recovered.err.contains("store.db"), "\(recovered)")
                        #expect(rmdir(system.state + "/store.db") == 0)
                        #expect(rename(system.state + "/kept", system.state + "/store.db") == 0)
                        try system.start()
                        return try expectBoth(system)
                    }
                    #expect(recovered.exit == .code(0), "\(recovered)")
                    let next = "`roost up --state \(system.state)`, which ends the apps that still run"
                    #expect(recovered.out.contains(next), "\(recovered)")
                    for app in [BundleIdentifier.counter, .second] {
                        #expect(recovered.out.contains("an app was found again app=\(app)\n"), "\(recovered)")
                    }
                    #expect(try lostAndFound(system).contains("store.db"))
                    expectDocuments(system)
                }
                try system.start()
                if loss.startsByItself { #expect(system.systemLog.contains("an app was found again")) }
                // A process that gets the app's old uid may not enter the container before the app is launched.
                #expect(try owner(system.container(.counter)) == geteuid())
                try expectBoth(system)
                #expect(try owner(precious(.counter, system)) == owner(system.container(.counter)))
            }
        }

        /// An app whose record is in the store's file, and an app whose record is only in the write-ahead log. Both
        /// apps run; the system does not.
        private func twoApps(_ system: TestSystem) throws {
            try system.install("Counter", as: .second)
            #expect(try system.terminate() == .code(0))
            try system.start()
            try system.install("Counter")
            for app in [BundleIdentifier.second, .counter] { try system.launch(app) }
            try system.crash(.both)
            for app in [BundleIdentifier.counter, .second] {
                try "precious".write(toFile: precious(app, system), atomically: true, encoding: .utf8)
            }
        }

        private func precious(_ app: BundleIdentifier, _ system: TestSystem) -> String {
            system.documents(app) + "/precious"
        }

        private func lose(_ loss: Loss, _ system: TestSystem) throws {
            let store = system.state + "/store.db"
            switch loss {
            case .damaged:
                let size = try #require(try FileManager.default.attributesOfItem(atPath: store)[.size] as? Int)
                try Data(repeating: 0x5A, count: size).write(to: URL(fileURLWithPath: store))
            case .cutShort: try #require(truncate(store, 6000) == 0 && unlink(store + "-wal") == 0)
            case .empty: try #require(truncate(store, 0) == 0)
            case .missing: try #require(unlink(store) == 0)
            case .withoutLog: try #require(unlink(store + "-wal") == 0)
            case .unreadable:
                try #require(rename(store, system.state + "/kept") == 0 && mkdir(store, 0o700) == 0)
            }
        }

        private func expectDocuments(_ system: TestSystem) {
            for app in [BundleIdentifier.counter, .second] {
                #expect(Kernel.text(precious(app, system)) == "precious")
            }
        }

        private func owner(_ path: String) throws -> uid_t {
            var status = stat()
            try #require(lstat(path, &status) == 0)
            return status.st_uid
        }

        private func lostAndFound(_ system: TestSystem) throws -> [String] {
            let names = try FileManager.default.contentsOfDirectory(atPath: system.state)
            return try names.filter { $0.hasPrefix("lost+found-") }.flatMap {
                try FileManager.default.subpathsOfDirectory(atPath: "\(system.state)/\($0)")
            }
        }

        /// Both apps are installed, and each finds its own documents.
        private func expectBoth(_ system: TestSystem) throws {
            for app in [BundleIdentifier.second, .counter] {
                #expect(try system.summary(app).identifier == app)
                try system.launch(app)
            }
            expectDocuments(system)
        }

        /// An app that cannot be installed again is moved with its data, and no other app can reach that.
        @Test func aBundleThatCannotBeRead() throws {
            try TestSystem.run { system in
                try twoApps(system)
                try lose(.missing, system)
                let bundle = "\(system.state)/bundles/\(BundleIdentifier.second)/\(BundleIdentifier.second).app"
                try #require(truncate(bundle + "/Info.plist", 0) == 0)
                try system.start()
                #expect(try system.summary(.counter).state == .notRunning)
                #expect(throws: (any Error).self) { try system.summary(.second) }
                let found = try lostAndFound(system)
                #expect(found.contains("containers/\(BundleIdentifier.second)/Documents/precious"), "\(found)")
                #expect(found.contains("bundles/\(BundleIdentifier.second)"), "\(found)")
                #expect(!found.contains { $0.contains("\(BundleIdentifier.counter)") }, "\(found)")
                #expect(system.systemLog.contains("files of an unknown app moved"), "\(system.systemLog)")
                // A new app with this identifier starts without data.
                try system.install("Counter", as: .second)
                #expect(Kernel.text(precious(.second, system)) == nil)
            }
        }

        /// A removal that could not be finished is recorded, and the next start finishes it.
        @Test func aRemovalThatIsCutOff() throws {
            if let obstacle = SetUp.unified.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(mayReportErrors: true) { system in
                try system.install("Counter")
                try system.install("Counter", as: .second)
                // Directly in the container: directories above a mount are moved while they are emptied.
                let inside = system.container(.counter) + "/mounted"
                try #require(mkdir(inside, 0o700) == 0)
                #expect(try system.run(["mount", "-t", "tmpfs", "none", inside]).exit == .code(0))
                defer { umount2(inside, Int32(MNT_DETACH)) }
                let (exit, _, err) = try system.roost("uninstall", "\(BundleIdentifier.counter)")
                #expect(exit == .code(1) && err.contains("mounted there"), "\(err)")
                #expect(access(system.container(.counter), F_OK) == 0)
                try system.crash()
                try #require(umount2(inside, Int32(MNT_DETACH)) == 0)
                try system.start()
                #expect(access(system.container(.counter), F_OK) != 0)
                #expect(system.systemLog.contains("the removal of an app was finished"), "\(system.systemLog)")
                #expect(try lostAndFound(system).isEmpty)
                try system.launch(.second)
            }
        }

        /// An unfinished installation, which was never confirmed to a caller, is undone. A bundle that came in another
        /// way is kept.
        @Test func anInstallationThatIsCutOff() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.install("Counter", as: .second)
                try system.crash()
                let bundles = system.state + "/bundles/"
                let copy = try system.run(
                    ["cp", "-a", bundles + "\(BundleIdentifier.second)", bundles + "\(BundleIdentifier.third)"])
                try #require(copy.exit == .code(0))
                try Data().write(to: URL(fileURLWithPath: bundles + ".unrecorded-\(BundleIdentifier.third)"))
                try system.start()
                let names = try FileManager.default.contentsOfDirectory(atPath: bundles).sorted()
                #expect(names == [BundleIdentifier.counter, .second].map(\.rawValue).sorted())
                try system.launch(.second)
            }
        }

        @Test func aWholeStoreIsLeftAlone() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                let running = try system.roost("recover")
                #expect(running.exit == .code(1) && running.err.contains("end it first"), "\(running)")
                #expect(try system.terminate() == .code(0))
                let (exit, out, _) = try system.roost("recover")
                #expect(exit == .code(0) && out == "nothing was wrong\n", "\(out)")
                try system.start()
                try system.launch(.counter)
            }
        }

        @Test func identifiersThatDifferByCaseAlone() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                let bundle = try system.copyOfExample("Counter", as: "Other")
                let plist = try #require(Kernel.text(bundle + "/Info.plist"))
                let shouted = BundleIdentifier.counter.rawValue.uppercased()
                try plist.replacingOccurrences(of: BundleIdentifier.counter.rawValue, with: shouted)
                    .write(toFile: bundle + "/Info.plist", atomically: true, encoding: .utf8)
                for arguments in [["install"], ["install", "--replace"]] {
                    let (exit, _, err) = try system.run([TestSystem.program] + arguments + [bundle])
                    #expect(exit == .code(1) && err.contains("by case alone"), "\(err)")
                }
                #expect(try system.roost("uninstall", "\(BundleIdentifier.counter)").exit == .code(0))
                #expect(try system.roost("install", bundle).exit == .code(0))
            }
        }
    }
}
