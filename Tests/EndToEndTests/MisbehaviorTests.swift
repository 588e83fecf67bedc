import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Forbidden messages from an app or a stranger to the system. Only the sender pays for them.
    @Suite struct MisbehaviorTests {
        /// An app breaks its own connections. The app gets new connections, and another app is unaffected.
        @Test(arguments: ["close", "garbage", "oversize"])
        func ownConnections(kind: String) throws {
            try TestSystem.runWithBystander(script: "didBecomeActive misbehave \(kind)\n") { system in
                try system.untilPrinted(.counter, "misbehaved \(kind)")
                try system.untilPrinted(.counter, "Roost: connected again")
                let pid = try system.pid(.counter)
                try system.script(.counter, "")
                try system.suspend(.counter)
                #expect(try system.launch(.counter).pid == pid)
                #expect(
                    system.received(.counter).filter { $0 == "callback willResignActive" }.count == 1,
                    "the callback is sent once")
            }
        }

        @Test func foreignToken() throws {
            try TestSystem.runWithBystander(script: "didBecomeActive misbehave token\n") { system in
                let answer = try system.untilPrinted(.counter, "answered ")
                #expect(answer.contains(AppRefusal.unknownToken.rawValue), "\(answer)")
                try system.until(.counter, is: .active)
            }
        }

        /// An app may not control the system, even if nothing keeps it from connecting.
        @Test func controlFromWithinAnApp() throws {
            let open = ["--sandbox", "none"]
            try TestSystem.runWithBystander(script: "didBecomeActive misbehave control\n", adding: open) { system in
                #expect(try system.untilPrinted(.counter, "answered") == "answered ")
                try system.untilPrinted(.counter, "misbehaved control")
                #expect(try system.until(.counter, is: .active).state == .active)
                try system.until("the refusal is logged") {
                    system.systemLog.contains("a control connection was refused") ? true : nil
                }
            }
        }

        /// A token belongs to one launch, and to one pair of connections.
        @Test func replayedTokens() throws {
            try TestSystem.runWithBystander(script: "didBecomeActive misbehave again\n") { system in
                try system.untilPrinted(.counter, "misbehaved again")
                let answer = try system.untilPrinted(.counter, "answered ")
                #expect(answer.contains(AppRefusal.alreadyConnected.rawValue), "\(answer)")
                // The token of an ended launch, used by a later launch of the same app.
                try system.script(.counter, "didBecomeActive misbehave earlier\n")
                for _ in 1...2 {
                    try system.tell(.quit(.counter))
                    try system.until(.counter, is: .notRunning)
                    try system.launch(.counter)
                }
                let answers = try system.until("both answers are logged") {
                    let lines = system.log(.counter).filter { $0.hasPrefix("answered ") }
                    return lines.count == 2 ? lines : nil
                }
                #expect(answers[1].contains(AppRefusal.unknownToken.rawValue), "\(answers)")
                try system.suspend(.counter)
            }
        }

        /// An app that makes a thousand requests a second is ended. No other app is affected.
        @Test func tooManyRequests() throws {
            try TestSystem.runWithBystander { system in
                try system.script(.counter, "didBecomeActive misbehave flood\n")
                try system.tell(.home)
                try system.until(.counter, is: .suspended)
                try system.tell(.launch(.counter))
                let process = try system.process(.counter)
                let end = try system.until(.counter, is: .notRunning)
                #expect(end.lastEnd?.contains("too many requests, 0xd00d2bad") == true, "\(end.lastEnd ?? "")")
                #expect(process.isGone)
                #expect(try system.roost("ps", "--json").out.contains("0xd00d2bad"))
                try system.script(.counter, "")
                try system.launch(.counter)
            }
        }

        /// Messages at the apps' socket from a process that is not an app.
        @Test func strangers() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.launch(.counter)
                let environment = (Kernel.text("/proc/\(try system.pid(.counter))/environ") ?? "").split(
                    separator: "\0")
                let variable = AppEnvironment.tokenVariable + "="
                let stolen = try #require(environment.first { $0.hasPrefix(variable) }?.dropFirst(variable.count))
                let wrong = AppCall.identify(token: "0123456789abcdef0123456789abcdef").encoded()
                let refusals: [([UInt8], AppRefusal)] = [
                    (wrong, .unknownToken),
                    (AppCall.identify(token: String(stolen)).encoded(), .unknownToken),
                    (AppCall.attach(token: String(stolen), .new).encoded(), .unknownToken),
                    (AppCall.request(.endTask(TaskID(1))).encoded(), .notIdentified),
                ]
                for (said, refusal) in refusals {
                    let connection = try RawConnection(system.appSocket)
                    try connection.send(said)
                    let answer = try #require(try connection.next())
                    #expect(try AppRefusal(VarlinkReply(answer)) == refusal)
                    #expect(try connection.next() == nil, "the connection is closed after the refusal")
                }
                for garbage in ["{]\0", "\0", "[]\0", #"{"method":"roost.App.Nothing"}"# + "\0"] {
                    let connection = try RawConnection(system.appSocket)
                    try connection.send(Array(garbage.utf8))
                    while try connection.next() != nil {}
                }
                try sendWithoutEnd(to: system.appSocket)
                try sendWithoutEnd(to: system.controlSocket)
                // None of this has affected the app or the system.
                try system.untilCounted(.counter, more: 1)
                try system.suspend(.counter)
            }
        }

        /// Before a peer is identified, it may send 1,024 bytes, at either socket.
        @Test func unidentifiedPeersMaySendAKibibyte() throws {
            try TestSystem.run { system in
                for socket in [system.appSocket, system.controlSocket] {
                    func call(size: Int) -> [UInt8] {
                        let text = #"{"method":"org.varlink.service.GetInfo""#
                        return Array((text + String(repeating: " ", count: size - text.utf8.count - 2) + "}\0").utf8)
                    }
                    let short = try RawConnection(socket)
                    try short.send(call(size: 1024))
                    #expect(try VarlinkReply(#require(try short.next())).error == nil)
                    try short.send([UInt8(ascii: "{")])
                    #expect(try short.next() == nil, "the limit is for all messages together")
                    let long = try RawConnection(socket)
                    try long.send(call(size: 1025))
                    #expect(try long.next() == nil)
                }
            }
        }

        /// Invalid calls of an authorized caller are answered, and the connection stays usable.
        @Test func badCallsOfControl() throws {
            try TestSystem.run { system in
                let calls = [
                    #"{"method":"roost.Control.Nothing"}"#, #"{"method":"org.example.Other.Call"}"#,
                    #"{"method":"roost.Control.Launch","parameters":{"app":"../x"}}"#,
                    #"{"method":"roost.Control.Launch"}"#, #"{"method":7}"#, "no JSON at all",
                ]
                let connection = try RawConnection(control: system.controlSocket)
                for call in calls {
                    try connection.send(Array(call.utf8) + [0])
                    let answer = try #require(try connection.next(), "\(call)")
                    #expect(try VarlinkReply(answer).error != nil, "\(call)")
                }
                try connection.send(ControlCall.list.encoded())
                #expect(try VarlinkReply(#require(try connection.next())).error == nil)
            }
        }

        /// Sends a message that does not end. The system cuts it off, however slowly its sender notices.
        private func sendWithoutEnd(to socket: String) throws {
            let connection = try RawConnection(socket)
            let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 64 * 1024)
            #expect(throws: TestFailure.self) { for _ in 0..<64 { try connection.send(chunk) } }
        }
    }
}
