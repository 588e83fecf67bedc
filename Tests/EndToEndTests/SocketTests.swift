import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension BundleIdentifier {
    fileprivate static let phone = named("org.roost.test.OldPhone")
}

extension TestSystem {
    /// Installs the app of Tests/SocketTestApp, opens it, and returns its connection to the server.
    fileprivate func openPhone(_ server: LineServer, modes: [String] = ["voip"]) throws -> LineConnection {
        try installTestApp(
            "SocketTestApp", as: .phone, modes: modes, keys: "<key>Port</key><string>\(server.port)</string>")
        try launch(.phone)
        return try server.next()
    }

    /// The same in the background, with its socket kept.
    fileprivate func suspendPhone(_ server: LineServer) throws -> LineConnection {
        let connection = try openPhone(server)
        try untilPrinted(.phone, "kept")
        try suspend(.phone)
        return connection
    }

    /// Sends a line to the suspended app, and waits until the app has answered and is frozen again.
    fileprivate func expectAnswer(on connection: LineConnection, to line: String = "hello") throws {
        try connection.send(line)
        #expect(try connection.next() == "echo \(line)")
        try until(.phone, is: .suspended)
        try expectFrozen(.phone)
    }

    /// The number of decisions about the app that begin with this text.
    fileprivate func count(_ text: String) throws -> Int { try why(.phone).count { $0.text.hasPrefix(text) } }

    /// Waits until the app is launched again after its end, and returns its new connection.
    fileprivate func untilPhoneIsBack(_ server: LineServer, from printed: Int) throws -> LineConnection {
        let connection = try server.next()
        try untilPrinted(.phone, "launched in the background", from: printed)
        try untilPrinted(.phone, "kept", from: printed)
        try until(.phone, is: .suspended)
        return connection
    }
}

extension EndToEnd {
    /// Kept sockets and keep-alive handlers with real processes and connections (R-167 to R-170, R-175).
    @Suite struct SocketTests {
        /// The app has its own uid, or that of the system's ordinary user, or is stopped by a signal.
        @Test(arguments: [SetUp.asFound, .ordinaryUser, .signals])
        func dataWakesTheApp(setUp: SetUp) throws {
            if let obstacle = setUp.obstacle { try Test.cancel("\(obstacle)") }
            let server = try LineServer()
            try TestSystem.run(setUp) { system in
                let connection = try system.suspendPhone(server)
                let pid = try system.pid(.phone)
                for line in ["one", "two"] { try system.expectAnswer(on: connection, to: line) }
                #expect(try system.pid(.phone) == pid)
                #expect(try system.count("woken for voip") >= 2)
                #expect(try system.count("data has arrived on socket") >= 2)
            }
        }

        /// The app closes its descriptor when it runs.
        @Test func theEndOfTheConnectionWakesTheAppOnce() throws {
            let server = try LineServer()
            try TestSystem.run { system in
                let connection = try system.suspendPhone(server)
                connection.end()
                try system.untilPrinted(.phone, "the peer has ended the connection")
                try system.until(.phone, is: .suspended)
                try system.expectFrozen(.phone)
                #expect(try system.count("woken for voip") == 1)
                #expect(try system.count("the connection of socket") == 1)
            }
        }

        @Test func anAppThatIsWokenTooOftenIsKilled() throws {
            let server = try LineServer()
            // The app has enough time to answer, so that each line wakes it once.
            try TestSystem.run(settings: ["voipWakes=2", "eventSlice=2s"]) { system in
                let connection = try system.suspendPhone(server)
                for line in ["one", "two"] { try system.expectAnswer(on: connection, to: line) }
                try connection.send("three")
                let end = try system.until(.phone, is: .notRunning).lastEnd
                #expect(end?.contains("0xbad22222") == true, "\(end ?? "")")
                try connection.untilEnded()
                #expect(try system.count("is launched again") == 0)
            }
        }

        /// The end of the process ends its connections. The app is launched again, unless it has exited with code 0.
        @Test func anAppThatEndsInTheBackgroundIsLaunchedAgain() throws {
            let server = try LineServer()
            // The app has enough time to keep its new socket.
            try TestSystem.run(settings: ["eventSlice=2s"]) { system in
                var connection = try system.suspendPhone(server)
                for isCrash in [false, true] {
                    let printed = system.log(.phone).count
                    if isCrash { try connection.send("crash") } else { try system.process(.phone).send(SIGKILL) }
                    try connection.untilEnded()
                    connection = try system.untilPhoneIsBack(server, from: printed)
                    try system.expectAnswer(on: connection)
                }
                #expect(try system.count("launched into the background for voip") == 2)
                try connection.send("exit")
                try connection.untilEnded()
                let end = try system.until(.phone, is: .notRunning).lastEnd
                #expect(end?.contains("exit code 0") == true, "\(end ?? "")")
                #expect(try system.count("launched into the background for voip") == 2)
            }
        }

        /// In the foreground the user opens the app again if need be.
        @Test func anAppThatEndsInTheForegroundIsNotLaunchedAgain() throws {
            let server = try LineServer()
            try TestSystem.run { system in
                let connection = try system.openPhone(server)
                try system.untilPrinted(.phone, "kept")
                try system.process(.phone).send(SIGKILL)
                try connection.untilEnded()
                try system.until(.phone, is: .notRunning)
                #expect(try system.count("launched into the background for voip") == 0)
            }
        }

        /// The app stays frozen meanwhile. Data that comes while no system runs wakes it once a system runs again.
        @Test(arguments: [TestSystem.Victim.supervisor, .both], [false, true])
        func aKeptSocketOutlivesTheSystem(victim: TestSystem.Victim, isSentMeanwhile: Bool) throws {
            let server = try LineServer()
            try TestSystem.run { system in
                let connection = try system.suspendPhone(server)
                let pid = try system.pid(.phone)
                try system.crash(victim)
                #expect(!connection.hasEnded)
                if isSentMeanwhile { try connection.send("early") }
                try system.start()
                if isSentMeanwhile { #expect(try connection.next() == "echo early") }
                try system.until(.phone, is: .suspended)
                try system.expectAnswer(on: connection)
                #expect(try system.pid(.phone) == pid)
                connection.end()
                try system.untilPrinted(.phone, "the peer has ended the connection")
            }
        }

        /// Each call thaws the app, which is suspended again after its time.
        @Test func theKeepAliveHandlerIsCalled() throws {
            let server = try LineServer()
            try TestSystem.run(settings: ["keepAliveFloor=3s", "eventSlice=1s"]) { system in
                let connection = try system.openPhone(server)
                try system.untilPrinted(.phone, "kept")
                try connection.send("keep-alive")
                #expect(try system.untilPrinted(.phone, "keep-alive 3") == "keep-alive 3 true")
                try system.suspend(.phone)
                for count in 1...2 {
                    try system.until("call \(count) of the keep-alive handler") {
                        system.log(.phone).count { $0 == "keep alive" } >= count ? true : nil
                    }
                    try system.until(.phone, is: .suspended)
                }
            }
        }

        @Test func onlyAVoIPAppKeepsOneSocket() throws {
            let server = try LineServer()
            try TestSystem.run { system in
                let first = try system.openPhone(server)
                #expect(try system.untilPrinted(.phone, "keep-alive") == "keep-alive false true")
                try system.untilPrinted(.phone, "kept")
                try first.send("second")
                let second = try server.next()
                #expect(try system.untilPrinted(.phone, "not kept") == "not kept: tooMany")
                // The first is dropped and closed: the system's descriptor does not keep the connection open.
                try first.send("drop")
                try first.untilEnded()
                try second.send("second")
                let third = try server.next()
                try system.until("the third socket is kept") {
                    system.log(.phone).count { $0 == "kept" } == 2 ? true : nil
                }
                try system.suspend(.phone)
                try system.expectAnswer(on: third)
            }
            try TestSystem.run { system in
                let connection = try system.openPhone(server, modes: [])
                #expect(try system.untilPrinted(.phone, "keep-alive") == "keep-alive false false")
                #expect(try system.untilPrinted(.phone, "not kept") == "not kept: modeNotDeclared")
                // The app drops the socket of a connection that the server has ended.
                withExtendedLifetime(connection) {}
            }
        }
    }
}
