import CRoost
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// A stranger passes a TCP socket that has unsent data and a linger time of years, and closes its own copy. The
    /// process that closes the last copy sleeps in the kernel. The socket is refused, or closed in a process that
    /// nothing waits for.
    @Suite struct PassedSocketTests {
        enum Way: String, CaseIterable, CustomTestStringConvertible {
            case refused = "where the kernel refuses it"
            case received = "where it has to be taken and closed"

            var testDescription: String { rawValue }

            /// The reason why this machine cannot offer the situation; nil if it can.
            var obstacle: String? {
                if let obstacle = Attacker.obstacle { return obstacle }
                return self == .refused && !Self.kernelRefuses ? "this takes Linux 6.16" : nil
            }

            private static let kernelRefuses: Bool = {
                let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
                defer { close(probe) }
                return croost_refuse_descriptors(probe) == 0
            }()

            /// The outcome that an attacker sees.
            var outcome: String { self == .refused ? "EPERM" : "passed" }
        }

        private static let means = #"""
            def lingering():
                listening = socket.socket()
                listening.bind(("127.0.0.1", 0))
                listening.listen(1)
                sender = socket.socket()
                sender.connect(listening.getsockname())
                sender.setblocking(False)
                try:
                    while True:
                        sender.send(bytes(65536))
                except BlockingIOError:
                    pass
                sender.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 30000))
                return listening, sender

            kept = []

            def attack(name, connection, word=b" "):
                # The one that listens stays open: whoever closes the other last waits for it.
                listening, sender = lingering()
                kept.append((listening, connection))
                try:
                    socket.send_fds(connection, [word], [sender.fileno()])
                    outcome = "passed"
                except OSError as error:
                    outcome = errno.errorcode[error.errno]
                if outcome != "passed":
                    # Our own close would wait as well.
                    sender.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 0, 0))
                sender.close()
                tell(name + ": " + outcome)

            """#

        private func run(
            _ way: Way, _ setUp: SetUp = .asFound, adding arguments: [String] = [],
            _ body: (TestSystem) throws -> Void
        ) throws {
            if let obstacle = way.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(setUp, starting: false, adding: arguments) { system in
                if way == .received { system.addedEnvironment["ROOST_DESCRIPTORS"] = "receive" }
                try system.start()
                try system.install("Counter")
                try body(system)
                // During the attack, earlier and new clients are served, and an app is launched.
                try system.ask(.list)
                #expect(try system.roost("ps").exit == .code(0))
                try system.launch(.counter)
                #expect(try system.summary(.counter).state == .active)
                #expect(system.supervisor?.isGone == false)
            }
        }

        /// Before the peer is identified: at both sockets, with a byte and with a whole call, and with a connection
        /// that is closed at once.
        @Test(arguments: Way.allCases) func anUnidentifiedPeerPassesASocket(_ way: Way) throws {
            try run(way) { system in
                let output = system.directory + "/attacks"
                let attacker = try Attacker.start(
                    Self.means + #"""
                        for name, path in (("apps", apps), ("control", control)):
                            attack(name + ", a byte", connect(path))
                            attack(name + ", a call", connect(path), message("org.varlink.service.GetInfo"))
                            gone = connect(path)
                            attack(name + ", and gone", gone)
                            gone.close()
                        tell("attacked")
                        signal.pause()
                        """#, in: system, output: output)
                defer { attacker.kill() }
                let lines = try system.until("the attack is over") {
                    let lines = (Kernel.text(output) ?? "").split(separator: "\n")
                    return lines.last == "attacked" ? lines.dropLast() : nil
                }
                #expect(lines.count == 6 && lines.allSatisfy { $0.hasSuffix(": \(way.outcome)") }, "\(lines)")
            }
        }

        /// From an app that the system knows, within its sandbox, at every level.
        @Test(arguments: Way.allCases, Situation.allCases)
        func anAppPassesASocket(_ way: Way, _ situation: Situation) throws {
            if let obstacle = situation.obstacle { try Test.cancel("\(obstacle)") }
            try run(way, situation.setUp, adding: ["--sandbox", situation.level]) { system in
                try Attacker.launch(
                    Self.means + #"""
                        attack("unknown", connect(apps))
                        attack("known", identify())
                        attack("callbacks", callbacks)
                        tell("attacked")
                        signal.pause()
                        """#, in: system)
                let lines = try system.until("the attack is over") {
                    let lines = system.log(Attacker.identifier)
                    return lines.last == "attacked" ? lines.dropLast() : nil
                }
                #expect(lines.count == 3 && lines.allSatisfy { $0.hasSuffix(": \(way.outcome)") }, "\(lines)")
            }
        }
    }
}
