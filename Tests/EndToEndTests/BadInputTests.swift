import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Requests that cannot be fulfilled: the caller gets a clear message, and everything else continues.
    @Suite struct BadInputTests {
        /// A command line, its exit code, and words that its message contains.
        private struct Row {
            var command: [String]
            var exit: Int32 = 1
            var words: [String]
        }

        private static let third = BundleIdentifier.third.rawValue
        private static let second = BundleIdentifier.second.rawValue

        private static let atTheHomeScreen: [Row] = [
            Row(command: ["home"], words: ["home screen is in the foreground", "open an app first"]),
            Row(command: ["dismiss"], words: ["nothing interrupts"]),
            Row(command: ["accept", second], words: ["nothing interrupts"]),
            Row(command: ["interrupt", "--kind", "alert"], words: ["home screen"]),
            Row(command: ["unlock"], words: ["not locked"]),
            Row(command: ["switch", third], words: ["not in the switcher", "launch it"]),
            Row(command: ["send", third, "--text", "x"], words: ["not running"]),
            Row(command: ["wake", third, "--reason", "user"], exit: 64, words: ["'user'", "location"]),
            Row(command: ["wake", third, "--reason", "voip"], words: ["UIBackgroundModes"]),
            Row(command: ["wake", third, "--reason", "teleport"], exit: 64, words: ["teleport", "location"]),
            Row(command: ["launch", "com.example.앱"], exit: 64, words: ["bundle identifier"]),
            Row(command: ["launch", "-x.example"], exit: 64, words: ["<app>"]),
            Row(command: ["install", "/"], words: [".app"]),
            Row(command: ["install", "/nonexistent/\nA.app"], words: ["/nonexistent/", "A.app"]),
            Row(command: ["uninstall", "org.example.None"], words: ["no app", "org.example.None"]),
            Row(command: ["why", "org.example.None"], words: ["org.example.None"]),
            Row(command: ["transfers", "org.example.None"], words: ["no app", "org.example.None"]),
            Row(command: ["transfers", "pause", "1.1.1"], words: ["no transfer 1.1.1", "roost transfers"]),
            Row(command: ["transfers", "cancel", third], words: ["no download of \(third)", "cancel"]),
            Row(command: ["transfers", "now", "all"], words: ["no download", "start"]),
            Row(command: ["transfers", "pause", "org.example.None"], words: ["no app", "org.example.None"]),
            Row(command: ["transfers", "pause", "1.1"], exit: 64, words: ["1.1", "is no download"]),
            Row(command: ["transfers", "resume"], exit: 64, words: ["<which>"]),
        ]

        private static let withTheScreenLocked: [Row] = [
            Row(command: ["lock"], words: ["locked"]),
            Row(command: ["switch"], words: ["screen is locked", "unlock it first"]),
            Row(command: ["switch", second], words: ["screen is locked"]),
            Row(command: ["interrupt"], words: ["screen is locked"]),
            Row(command: ["launch", third], words: ["screen is locked"]),
            Row(command: ["send", third, "--touch", "1,1"], words: ["not running"]),
            Row(command: ["dismiss"], words: ["nothing interrupts"]),
            Row(command: ["accept"], words: ["nothing interrupts"]),
        ]

        private static let withAnAppInterrupted: [Row] = [
            Row(command: ["interrupt"], words: ["already interrupted", "dismiss"]),
            Row(command: ["accept", "org.example.None"], words: ["org.example.None"]),
            Row(command: ["switch", third], words: ["not in the switcher"]),
        ]

        @Test func commands() throws {
            try TestSystem.runWithBystander { system in
                try system.install("Counter", as: .third)
                try system.until(.counter, is: .active)
                try system.suspend(.counter)
                try refuse(Self.atTheHomeScreen, system)
                try system.tell(.lock)
                try refuse(Self.withTheScreenLocked, system)
                try system.tell(.unlock)
                try system.tell(.launch(.counter))
                try system.until(.counter, is: .active)
                try system.tell(.interrupt(.call))
                try system.until(.counter, is: .inactive)
                try refuse(Self.withAnAppInterrupted, system)
                try system.tell(.dismiss)
                try system.until(.counter, is: .active)
            }
        }

        /// Each command is refused as its row says, and no app's state changes. The apps have to be at rest.
        private func refuse(_ rows: [Row], _ system: TestSystem) throws {
            for row in rows {
                let states = try states(system)
                let (exit, out, err) = try system.run([TestSystem.program] + row.command)
                #expect(exit == .code(row.exit) && out.isEmpty, "\(row.command): \(out)\(err)")
                for word in row.words { #expect(err.contains(word), "\(row.command): \(err)") }
                #expect(try self.states(system) == states, "\(row.command)")
            }
        }

        private func states(_ system: TestSystem) throws -> [AppState] {
            guard case .apps(let apps) = try system.ask(.list) else { return [] }
            return apps.map(\.state)
        }

        // MARK: Calls of the control socket that no command makes

        private static let invalid = "org.varlink.service.InvalidParameter"
        private static let failed = "roost.Control.Failed"

        private static let longText = String(repeating: "x", count: 20_000)
        private static let longPath = "/" + String(repeating: "x", count: 5000)
        private static let longName = String(repeating: "a", count: 300)

        /// A method, its parameters, the error, and a word of the error.
        private static let calls: [(method: String, parameters: String, error: String, word: String)] = [
            ("Set", #"{"name":"bogus","value":"on"}"#, failed, "there is no setting"),
            ("Set", #"{"name":"passcode","value":"maybe"}"#, failed, "on, off"),
            ("Set", #"{"name":"batteryLevel","value":"1e2"}"#, failed, "0 to 100"),
            ("Set", #"{"name":"batteryLevel","value":"٣"}"#, failed, "0 to 100"),
            ("Set", #"{"name":"batteryLevel","value":"-1"}"#, failed, "0 to 100"),
            ("Set", #"{"name":"autoLock","value":"0s"}"#, failed, "never"),
            ("Set", #"{"name":"autoLock","value":"99999999999999999999s"}"#, failed, "never"),
            ("Set", #"{"name":"passcode","value":"on","app":"org.roost.example.Counter"}"#, failed, "badSetting"),
            ("Set", #"{"name":"backgroundRefresh","value":"on","app":"org.example.None"}"#, failed, "noSuchApp"),
            ("Set", #"{"name":7,"value":"on"}"#, invalid, "name"),
            ("Set", #"{"name":"passcode"}"#, invalid, "value"),
            ("Install", #"{"path":"relative.app"}"#, invalid, "path"),
            ("Install", #"{"path":""}"#, invalid, "path"),
            ("Install", #"{"path":"/a\u0000b"}"#, invalid, "path"),
            ("Install", #"{"path":"\#(longPath)"}"#, invalid, "path"),
            ("Install", #"{"path":"/dev/null","replacing":"yes"}"#, invalid, "replacing"),
            ("Interrupt", #"{"kind":"boredom"}"#, invalid, "kind"),
            ("Interrupt", #"{}"#, invalid, "kind"),
            ("Memory", #"{"pressure":7}"#, invalid, "pressure"),
            ("Switch", #"{"app":""}"#, invalid, "app"),
            ("Switch", #"{"app":["org.roost.example.Counter"]}"#, invalid, "app"),
            ("Launch", #"{"app":"\#(longName)"}"#, invalid, "app"),
            ("Launch", #"[]"#, invalid, "parameters"),
            ("Launch", #""org.roost.example.Counter""#, invalid, "parameters"),
            ("Wake", #"{"app":"org.roost.example.Counter","reason":"user"}"#, failed, "refused"),
            ("Send", #"{"app":"org.roost.example.Counter","input":{}}"#, invalid, "input"),
            ("Send", #"{"app":"org.roost.example.Counter","input":{"text":""}}"#, invalid, "input"),
            (
                "Send",
                #"{"app":"org.roost.example.Counter","input":{"text":"\#(longText)"}}"#,
                invalid, "input"
            ),
            ("Send", #"{"app":"org.roost.example.Counter","input":{"touch":{"x":1e300,"y":0}}}"#, invalid, "touch"),
            (
                "Send", #"{"app":"org.roost.example.Counter","input":{"touch":{"x":9223372036854775808,"y":0}}}"#,
                invalid, "touch"
            ),
            (
                "Send", #"{"app":"org.roost.example.Counter","input":{"touch":{"x":1,"y":0},"text":"x"}}"#, invalid,
                "input"
            ),
            ("Watch", #"{}"#, invalid, "more"),
            ("Wake", #"{"app":"org.roost.example.Counter","reason":"urlSession"}"#, invalid, "reason"),
            ("Wake", #"{"app":"org.roost.example.Counter","reason":"voipPush"}"#, invalid, "reason"),
            ("PushVoIP", #"{"app":"org.roost.example.Counter","payload":"[]"}"#, invalid, "payload"),
            ("PushVoIP", #"{"app":"org.example.None","payload":"{}"}"#, failed, "noSuchApp"),
            ("PushVoIP", #"{"app":"org.roost.example.Counter","payload":"{}"}"#, failed, "refused"),
            ("ActOnCall", #"{"action":"pause"}"#, invalid, "action"),
            ("ActOnCall", #"{"action":"answer"}"#, failed, "refused"),
            ("Transfers", #"{"app":"org.example.None"}"#, failed, "noSuchApp"),
            ("Transfers", #"{"after":"first"}"#, invalid, "after"),
            ("Transfers", #"{"after":"1.1.99999999999999999999"}"#, invalid, "after"),
            ("Transfer", #"{"ids":["1.1.1"],"action":"pause"}"#, failed, "noSuchTransfer"),
            ("Transfer", #"{"ids":[],"action":"pause"}"#, invalid, "ids"),
            ("Transfer", #"{"ids":["1.1.1"],"action":"faster"}"#, invalid, "action"),
        ]

        @Test func callsOfTheControlSocket() throws {
            try TestSystem.runWithBystander { system in
                try system.until(.counter, is: .active)
                let before = try system.roost("settings", "--json").out
                let connection = try RawConnection(control: system.controlSocket)
                for (method, parameters, error, word) in Self.calls {
                    let call = #"{"method":"roost.Control.\#(method)","parameters":\#(parameters)}"#
                    try connection.send(Array(call.utf8) + [0])
                    let bytes = try #require(try connection.next(), "\(call.prefix(200))")
                    let text = String(decoding: bytes, as: UTF8.self)
                    #expect(try VarlinkReply(bytes).error == error, "\(call.prefix(200)): \(text)")
                    #expect(text.contains(word), "\(call.prefix(200)): \(text)")
                }
                #expect(try system.roost("settings", "--json").out == before)
            }
        }

        /// Bytes that are not a call. At most they cost the connection that they came on.
        private static let garbage: [(what: String, bytes: [UInt8])] = [
            ("nothing", []), ("a number", Array("7".utf8)), ("an array", Array("[]".utf8)),
            ("an open brace", Array("{".utf8)), ("no text", [0xFF, 0xFE, 0x80]),
            ("half a surrogate", Array(#"{"method":"\ud800"}"#.utf8)),
            ("one key twice", Array(#"{"method":"roost.Control.Nothing","method":"roost.Control.Never"}"#.utf8)),
            ("a deep array", Array(many("[", 200_000).utf8)), ("a deep object", Array(many(#"{"a":"#, 40_000).utf8)),
            ("a long number", Array(#"{"method":1\#(many("0", 200_000))}"#.utf8)),
            ("a long name", Array(#"{"method":"\#(longText)"}"#.utf8)),
            ("a byte order mark", Array("\u{FEFF}{}".utf8)),
        ]

        private static func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

        @Test func garbage() throws {
            try TestSystem.runWithBystander { system in
                let supervisor = try #require(system.supervisor)
                for socket in [system.controlSocket, system.appSocket] {
                    for (what, bytes) in Self.garbage {
                        let isControl = socket == system.controlSocket
                        let connection = try isControl ? RawConnection(control: socket) : RawConnection(socket)
                        // The system may cut a stranger off in the middle of the message.
                        try? connection.send(bytes + [0])
                        let answer = try connection.next()
                        if let answer { #expect(try VarlinkReply(answer).error != nil, "\(what)") }
                        try system.ask(.list)
                    }
                    // 100 MiB of one message: the system cuts it off long before its end.
                    let before = Kernel.largestResident(of: supervisor.pid) ?? 0
                    let connection = try RawConnection(socket)
                    let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 64 * 1024)
                    #expect(throws: TestFailure.self) { for _ in 0..<1600 { try connection.send(chunk) } }
                    let after = try #require(Kernel.largestResident(of: supervisor.pid))
                    #expect(after - before < 8 << 20, "memory has grown from \(before) to \(after) bytes")
                }
                #expect(!supervisor.isGone)
            }
        }

        /// Three hundred silent connections keep no other caller out, neither at the apps' socket nor at the control
        /// socket. They disturb no other process.
        @Test func manyConnections() throws {
            try TestSystem.runWithBystander { system in
                try withExtendedLifetime((1...300).map { _ in try RawConnection(system.appSocket) }) {
                    try system.install("Counter", as: .third)
                    try system.launch(.third)
                    #expect(try system.roost("ps").exit == .code(0))
                }
                try withExtendedLifetime((1...300).map { _ in try RawConnection(system.controlSocket) }) {
                    try system.launch(.counter)
                    let (exit, out, err) = try system.roost("ps", "--json")
                    #expect(exit == .code(0) && out.contains("\(BundleIdentifier.third)"), "\(err)")
                }
                #expect(try system.roost("ps").exit == .code(0))
            }
        }
    }
}
