import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Somebody has taken the last thread that the system's user may have: what runs goes on, and what needs no new
    /// process is done.
    @Suite struct NoThreadLeftTests {
        @Test func callsAreAnsweredAndFilesAreRemoved() throws {
            try #require(SetUp.ordinaryUser.obstacle == nil)
            try TestSystem.run(.ordinaryUser, mayReportErrors: true) { system in
                for app in [BundleIdentifier.counter, .second] { try system.install("Counter", as: app) }
                try system.launch(.counter)
                let supervisor = try #require(system.supervisor)
                // Its user has more than one already.
                try #require(try system.run(lower(supervisor)).exit == .code(0))
                let before = try #require(threads(of: supervisor))
                try #require(try start(.second, in: system) == .systemFault, "there is no process to be had")
                // Removed on a thread that is there, and measured on another.
                let files = [system.container(.second), "\(system.state)/bundles/\(BundleIdentifier.second)"]
                #expect(files.contains { access($0, F_OK) == 0 })
                try system.tell(.uninstall(.second))
                #expect(files.allSatisfy { access($0, F_OK) != 0 })
                // The app that could not be started has taken its place in front.
                try system.until(.counter, is: .suspended)
                let copy = try system.copyOfExample("Counter", as: "Again")
                try system.tell(.install(path: copy, replacing: true))
                #expect(try system.roost("ps").exit == .code(0))
                #expect(threads(of: supervisor) == before, "none was made, and none has gone")
            }
        }

        private func start(_ app: BundleIdentifier, in system: TestSystem) throws -> ControlFailure.Code? {
            guard case .failed(let failure) = try system.ask(.launch(app)) else { return nil }
            return failure.code
        }

        /// As that user: not even root may do it to another's without CAP_SYS_RESOURCE.
        private func lower(_ process: HeldProcess) -> [String] {
            ["setpriv", "--reuid=\(SetUp.user)", "--regid=\(SetUp.user)", "--clear-groups"]
                + ["prlimit", "--pid", "\(process.pid)", "--nproc=1"]
        }

        private func threads(of process: HeldProcess) -> [String]? {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.pid)/task"))?.sorted()
        }
    }
}
