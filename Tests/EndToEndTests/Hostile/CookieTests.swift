import Glibc
import RoostWire
import Testing

extension EndToEnd {
    /// What a caller at the control socket needs besides its cgroup.
    @Suite struct CookieTests {
        private func cookie(_ system: TestSystem) throws -> String {
            try #require(Kernel.text(system.socketDirectory + "/cookie"))
        }

        @Test func itIsForTheUserAloneAndDrawnAgainAtEachStart() throws {
            try TestSystem.run { system in
                let first = try cookie(system)
                #expect(first.count == 33)
                var status = stat()
                #expect(lstat(system.socketDirectory + "/cookie", &status) == 0 && status.st_mode == S_IFREG | 0o600)
                try system.crashAndRestart()
                #expect(try cookie(system) != first)
                // The former one opens nothing.
                let connection = try RawConnection(system.controlSocket)
                try connection.send(ControlCall.authenticate(cookie: String(first.dropLast())).encoded())
                try connection.send(ControlCall.list.encoded())
                let answer = try VarlinkReply(#require(try connection.next()))
                #expect(try ControlReply(answer, to: .list) == .notAuthenticated)
                #expect(try system.roost("ps").exit == .code(0))
                #expect(try system.terminate() == .code(0))
                #expect(access(system.socketDirectory, F_OK) != 0, "nothing is left beside the sockets")
            }
        }

        /// The command line says what it lacks.
        @Test func withoutItTheCommandLineSaysWhy() throws {
            try TestSystem.run { system in
                try #require(unlink(system.socketDirectory + "/cookie") == 0)
                let (exit, _, err) = try system.roost("ps")
                #expect(exit == .code(1) && err.contains("cookie"), "\(exit) \(err)")
            }
        }
    }
}
