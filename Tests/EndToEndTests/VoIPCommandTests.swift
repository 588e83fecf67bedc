import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The commands `roost call` and `roost push --type voip` (R-87, R-172, R-174).
    @Suite struct VoIPCommandTests {
        @Test func withoutACallEachActionIsRefused() throws {
            try TestSystem.run { system in
                for (word, text) in [
                    ("answer", "cannot answer a call: no call rings"),
                    ("decline", "cannot decline a call: no call rings"), ("end", "cannot end a call: no call is on"),
                    ("hold", "cannot put a call on hold: no call is connected"),
                    ("resume", "cannot resume a call: no call is on hold"),
                    ("mute", "cannot mute a call: no call is on"),
                    ("unmute", "cannot unmute a call: no call that is on is muted"),
                ] {
                    let (exit, out, err) = try system.roost("call", word)
                    #expect(exit == .code(1) && out.isEmpty && err.contains(text), "\(out)\(err)")
                }
                let json = try system.roost("call", "answer", "--json")
                #expect(json.exit == .code(1) && json.out.contains(#""code":"refused""#), "\(json.out)")
            }
        }

        /// A call of `roost audio call` concerns the sound alone: the user has nothing to answer or to end.
        @Test func aCallThatNoAppHasReportedIsNotTheUsers() throws {
            try TestSystem.run { system in
                #expect(try system.roost("audio", "call", "begin").exit == .code(0))
                for word in ["answer", "end"] {
                    let exit = try system.roost("call", word).exit
                    #expect(exit == .code(1), "\(word)")
                }
            }
        }

        @Test(arguments: [
            (["call"], "action"), (["call", "start"], "- decline"), (["call", "start"], "- unmute"),
            (["call", "answer", "end"], "'end'"),
            (["push", "--type", "voip", "org.example.Phone"], "--payload"),
            (["push", "--type", "voip", "org.example.Phone", "a.json", "--payload", "b.json"], "--payload"),
            (["push", "--type", "voip", "not..one", "a.json"], "not..one"),
            (["push", "--type", "sms", "org.example.Phone", "a.json"], "'voip'"),
            (["wake", "org.example.Phone", "--reason", "voipPush"], "'voipPush'"),
        ])
        func wrongArguments(arguments: [String], word: String) throws {
            try TestSystem.run(starting: false) { system in
                let (exit, _, err) = try system.run([TestSystem.program] + arguments)
                #expect(exit == .code(64), "\(err)")
                #expect(err.contains(word) && err.contains("Usage: roost"), "\(err)")
                #expect(!FileManager.default.fileExists(atPath: system.state), "no state is created")
            }
        }

        /// Any JSON object is a payload. Each fault is named, and the payload is not sent.
        @Test func thePayloadIsChecked() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                let counter = BundleIdentifier.counter.rawValue
                let file = system.directory + "/payload.json"
                func push(_ payload: String, to app: String) throws -> (exit: Exit, text: String) {
                    try payload.write(toFile: file, atomically: true, encoding: .utf8)
                    let (exit, _, text) = try system.roost("push", "--type", "voip", app, file)
                    return (exit, text)
                }
                let tooLarge = "{\"x\":\"" + String(repeating: "y", count: 5120) + "\"}"
                for (payload, word) in [
                    ("", "PayloadEmpty"), ("[]", "not a JSON object"), ("{}{}", "not a JSON object"),
                    (tooLarge, "more than the 5120 there may be (PayloadTooLarge)"),
                ] {
                    let (exit, text) = try push(payload, to: counter)
                    #expect(exit == .code(1) && text.contains(word), "\(payload.prefix(40)): \(exit) \(text)")
                    #expect(text.hasPrefix("roost: cannot send the payload in \(file): "), "\(text)")
                }
                let before = try system.why(.counter)
                #expect(before.allSatisfy { $0.kind != "voip" })
                let unregistered = try push("{\"aps\":7}\n", to: counter)
                #expect(
                    unregistered.exit == .code(1)
                        && unregistered.text.contains("the app has not registered for VoIP pushes"),
                    "\(unregistered.text)")
                #expect(try system.why(.counter).last?.kind == "voip")
                let unknown = try push("{}", to: "org.example.None")
                #expect(unknown.exit == .code(1) && unknown.text.contains("org.example.None"), "\(unknown.text)")
            }
        }

        /// The option `--payload` is another form of the argument, for each type.
        @Test func theFileIsAnArgumentOrAnOption() throws {
            try TestSystem.run(starting: false) { system in
                for type in ["notification", "voip"] {
                    for file in [["/dev/null"], ["--payload", "/dev/null"]] {
                        let (exit, _, err) = try system.run(
                            [TestSystem.program, "push", "org.example.Phone", "--type", type] + file)
                        #expect(exit == .code(1) && err.contains("PayloadEmpty"), "\(type) \(file): \(err)")
                    }
                }
            }
        }
    }
}
