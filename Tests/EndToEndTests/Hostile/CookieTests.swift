import Glibc
import RoostWire
import Testing

extension EndToEnd {
    /// The cookie, which a caller at the control socket needs in addition to its cgroup.
    @Suite struct CookieTests {
        private func cookie(_ system: TestSystem) throws -> String {
            try #require(Kernel.text(system.socketDirectory + "/cookie"))
        }

        @Test func theCookieIsPrivateAndChangesAtEachStart() throws {
            try TestSystem.run { system in
                let first = try cookie(system)
                #expect(first.count == 33)
                var status = stat()
                #expect(lstat(system.socketDirectory + "/cookie", &status) == 0 && status.st_mode == S_IFREG | 0o600)
                try system.crashAndRestart()
                #expect(try cookie(system) != first)
                // The old cookie no longer opens anything.
                let connection = try RawConnection(system.controlSocket)
                try connection.send(ControlCall.authenticate(cookie: String(first.dropLast())).encoded())
                try connection.send(ControlCall.list.encoded())
                let answer = try VarlinkReply(#require(try connection.next()))
                #expect(try ControlReply(answer, to: .list) == .notAuthenticated)
                #expect(try system.roost("ps").exit == .code(0))
                #expect(try system.terminate() == .code(0))
                #expect(access(system.socketDirectory, F_OK) != 0, "the socket directory is removed")
            }
        }

        /// Without cgroups, the system does not recognize an app's child that has its own session. Only the cookie
        /// keeps the child out.
        @Test func theCookieKeepsOutUnrecognizedApps() throws {
            if let obstacle = SetUp.signals.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(.signals, adding: ["--sandbox", "landlock"]) { system in
                #expect(system.usesSignals)
                let bundle = try HostileApp.bundle(
                    in: system, making: [.useControlSocket, .readCookie, .commandFromSession],
                    places: ["control": system.controlSocket, "cookie": system.socketDirectory + "/cookie"],
                    numbers: [:])
                try system.tell(.install(path: bundle, replacing: false))
                try system.launch(HostileApp.identifier)
                let outcomes = try system.until("every attack has been tried") { HostileApp.outcomes(in: system) }
                #expect(outcomes[Attack.useControlSocket.name] == "ECONNREFUSED")
                #expect(outcomes[Attack.readCookie.name] == "EACCES")
                #expect(outcomes[Attack.commandFromSession.name] == "NotAuthenticated")
            }
        }

        /// The error of the command line says that the cookie is missing.
        @Test func aMissingCookieIsReported() throws {
            try TestSystem.run { system in
                try #require(unlink(system.socketDirectory + "/cookie") == 0)
                let (exit, _, err) = try system.roost("ps")
                #expect(exit == .code(1) && err.contains("cookie"), "\(exit) \(err)")
            }
        }
    }
}
