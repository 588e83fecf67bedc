import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Another process has taken the last thread that the system's user may have. Running apps continue, and so does
    /// all work that needs no new process.
    @Suite struct NoThreadLeftTests {
        @Test func callsAreAnsweredAndFilesAreRemoved() throws {
            try #require(SetUp.ordinaryUser.obstacle == nil)
            try TestSystem.run(.ordinaryUser, mayReportErrors: true) { system in
                for app in [BundleIdentifier.counter, .second] { try system.install("Counter", as: app) }
                try system.launch(.counter)
                let supervisor = try #require(system.supervisor)
                // The user already has more than one thread.
                try #require(try system.run(lower(supervisor)).exit == .code(0))
                let before = try #require(threads(of: supervisor))
                try #require(try start(.second, in: system) == .systemFault, "no process can be created")
                // The files are removed on one existing thread, and measured on another.
                let files = [system.container(.second), "\(system.state)/bundles/\(BundleIdentifier.second)"]
                #expect(files.contains { access($0, F_OK) == 0 })
                try system.tell(.uninstall(.second))
                #expect(files.allSatisfy { access($0, F_OK) != 0 })
                // The app that could not be started has taken its place in the foreground.
                try system.until(.counter, is: .suspended)
                let copy = try system.copyOfExample("Counter", as: "Again")
                try system.tell(.install(path: copy, replacing: true))
                #expect(try system.roost("ps").exit == .code(0))
                #expect(threads(of: supervisor) == before, "the number of threads is unchanged")
            }
        }

        private func start(_ app: BundleIdentifier, in system: TestSystem) throws -> ControlFailure.Code? {
            guard case .failed(let failure) = try system.ask(.launch(app)) else { return nil }
            return failure.code
        }

        /// Runs as the process's own user: without CAP_SYS_RESOURCE, not even root may lower another user's limit.
        private func lower(_ process: HeldProcess) -> [String] {
            ["setpriv", "--reuid=\(SetUp.user)", "--regid=\(SetUp.user)", "--clear-groups"]
                + ["prlimit", "--pid", "\(process.pid)", "--nproc=1"]
        }

        private func threads(of process: HeldProcess) -> [String]? {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.pid)/task"))?.sorted()
        }
    }
}
