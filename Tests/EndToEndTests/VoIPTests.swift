import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension BundleIdentifier {
    fileprivate static let phone = named("org.roost.test.Phone")
}

extension TestSystem {
    /// Installs the app of Tests/VoIPTestApp or of Tests/BadVoIPTestApp, opens it, and waits for its token.
    fileprivate func openPhone(_ executable: String = "VoIPTestApp", keys: String = "") throws {
        try installTestApp(executable, as: .phone, modes: ["voip"], keys: keys)
        try launch(.phone)
        try untilPrinted(.phone, "token")
    }

    /// The same, in the background.
    fileprivate func suspendPhone(_ executable: String = "VoIPTestApp") throws -> AppSummary {
        try openPhone(executable)
        return try suspend(.phone)
    }

    /// Opens the app, which calls Ada, and goes home once she has answered. Returns the app's pid.
    fileprivate func leavePhoneDuringItsCall(to callee: String = "Ada") throws -> Int32 {
        try openPhone(keys: "<key>Callee</key><string>\(callee)</string>")
        try untilPrinted(.phone, "started a call to \(callee)")
        try untilPrinted(.phone, "calling \(callee)")
        try untilPrinted(.phone, "sound on")
        try tell(.home)
        try until(.phone, is: .background)
        try untilHeldByItsCall()
        return try pid(.phone)
    }

    @discardableResult
    fileprivate func push(_ payload: String = #"{"caller": "Ada"}"#) throws -> (exit: Exit, out: String, err: String) {
        let file = directory + "/payload.json"
        try payload.write(toFile: file, atomically: true, encoding: .utf8)
        return try roost("push", "--type", "voip", BundleIdentifier.phone.rawValue, file)
    }

    fileprivate func call(_ action: String) throws {
        let done = try roost("call", action)
        #expect(done.exit == .code(0), "\(done.err)")
    }

    /// The decisions about the app's pushes and calls.
    fileprivate func said() throws -> [String] { try why(.phone).filter { $0.kind == "voip" }.map(\.text) }

    /// Waits until a decision about the app's pushes and calls has this end.
    fileprivate func untilSaid(_ end: String) throws {
        try until("roost why says \"\(end)\"") { try said().contains { $0.hasSuffix(end) } ? true : nil }
    }

    /// Waits until nothing but its call keeps the app running.
    fileprivate func untilHeldByItsCall() throws {
        // The end of another hold is no event.
        try until("only its call holds the app", lookingAgainAfter: 0.1) {
            try summary(.phone).assertions == ["a phone call"] ? true : nil
        }
        try expectRunning(.phone)
    }

    fileprivate func killPhone() throws {
        let process = try process(.phone)
        process.send(SIGKILL)
        try process.waitUntilGone()
        try until(.phone, is: .notRunning)
    }
}

extension EndToEnd {
    /// VoIP pushes and calls with real processes (R-129, R-130, R-171 to R-174).
    @Suite struct VoIPTests {
        /// A push thaws the process. The process is not frozen until the call is over.
        @Test func aCallIsAnsweredAndEnded() throws {
            try TestSystem.run { system in
                let first = try system.suspendPhone()
                let pushed = try system.push()
                #expect(pushed.exit == .code(0), "\(pushed.err)")
                try system.untilPrinted(.phone, "Ada calls")
                try system.untilHeldByItsCall()
                try system.call("answer")
                try system.untilPrinted(.phone, "sound on")
                try system.untilHeldByItsCall()
                try system.call("end")
                try system.untilPrinted(.phone, "sound off")
                #expect(try system.until(.phone, is: .suspended).pid == first.pid)
                try system.expectFrozen(.phone)
                let said = try system.said()
                for end in ["it rings", "it is on", "it was declined or ended"] {
                    #expect(said.contains { $0.hasSuffix(": " + end) }, "\(said)")
                }
            }
        }

        /// The app begins the call itself. It runs in the background until the call is over, also while the call is on
        /// hold.
        @Test func anOutgoingCallIsHeldAndEnded() throws {
            try TestSystem.run { system in
                let pid = try system.leavePhoneDuringItsCall()
                try system.call("hold")
                try system.untilPrinted(.phone, "on hold")
                try system.untilPrinted(.phone, "sound off")
                try system.untilHeldByItsCall()
                var printed = system.log(.phone).count
                try system.call("resume")
                try system.untilPrinted(.phone, "resumed", from: printed)
                try system.untilPrinted(.phone, "sound on", from: printed)
                try system.untilHeldByItsCall()
                printed = system.log(.phone).count
                try system.call("end")
                try system.untilPrinted(.phone, "ended", from: printed)
                try system.untilPrinted(.phone, "sound off", from: printed)
                #expect(try system.until(.phone, is: .suspended).pid == pid)
                try system.expectFrozen(.phone)
                let said = try system.said()
                for end in [": it is on", " is on hold", " is no longer on hold", ": it was declined or ended"] {
                    #expect(said.contains { $0.hasSuffix(end) }, "\(said)")
                }
            }
        }

        @Test func anOutgoingCallIsMuted() throws {
            try TestSystem.run { system in
                _ = try system.leavePhoneDuringItsCall()
                try system.call("mute")
                try system.untilPrinted(.phone, "muted")
                try system.untilSaid(" is muted")
                try system.call("unmute")
                try system.untilPrinted(.phone, "unmuted")
                try system.untilSaid(" is no longer muted")
                try system.untilHeldByItsCall()
                #expect(!system.log(.phone).contains("sound off"), "the muted call has its sound")
                try system.call("end")
                try system.until(.phone, is: .suspended)
                try system.expectFrozen(.phone)
            }
        }

        /// The call on hold goes through a crash of each process of the system, and is resumed after that.
        @Test func aCallOnHoldOutlivesTheSystem() throws {
            try TestSystem.run { system in
                let pid = try system.leavePhoneDuringItsCall()
                try system.call("hold")
                try system.untilPrinted(.phone, "sound off")
                for victim in [TestSystem.Victim.supervisor, .both] {
                    try system.crashAndRestart(victim)
                    try system.untilHeldByItsCall()
                }
                let printed = system.log(.phone).count
                try system.call("resume")
                try system.untilPrinted(.phone, "sound on", from: printed)
                try system.call("end")
                try system.untilPrinted(.phone, "sound off", from: printed)
                #expect(try system.until(.phone, is: .suspended).pid == pid)
                try system.expectFrozen(.phone)
                #expect(system.log(.phone).count { $0.hasPrefix("started a call") } == 1)
            }
        }

        /// The app has no process, or the user has swiped it away.
        @Test func aPushLaunchesTheApp() throws {
            try TestSystem.run(settings: ["launchesVoIPAtStart=false"]) { system in
                try system.openPhone("BadVoIPTestApp")
                try system.tell(.home)
                for isForceQuit in [false, true] {
                    if isForceQuit { try system.tell(.quit(.phone)) } else { try system.killPhone() }
                    try system.until(.phone, is: .notRunning)
                    let printed = system.log(.phone).count
                    try system.push()
                    try system.untilPrinted(.phone, "launched in the background", from: printed)
                    try system.untilPrinted(.phone, "rings", from: printed)
                    try system.untilHeldByItsCall()
                    try system.call("decline")
                    try system.untilPrinted(.phone, "end", from: printed)
                    try system.until(.phone, is: .suspended)
                    try system.expectFrozen(.phone)
                }
            }
        }

        /// After three misses no push arrives.
        @Test func anAppThatReportsNoCallIsKilled() throws {
            try TestSystem.run { system in
                _ = try system.suspendPhone("BadVoIPTestApp")
                for miss in 1...3 {
                    try system.push(#"{"silent": true}"#)
                    try system.until("the app has missed call \(miss)") {
                        try system.why(.phone).count { $0.text.hasPrefix("reported no call for a VoIP push") } == miss
                            ? true : nil
                    }
                    let end = try system.until(.phone, is: .notRunning).lastEnd
                    #expect(end?.contains("it reported no call for a VoIP push, 0xbaadca11") == true, "\(end ?? "")")
                }
                let (exit, _, err) = try system.push()
                #expect(exit == .code(1) && err.contains("the app reported no call for too many pushes"), "\(err)")
                #expect(try system.summary(.phone).state == .notRunning)
            }
        }

        @Test func aFailedAnswerEndsTheCall() throws {
            try TestSystem.run { system in
                _ = try system.suspendPhone("BadVoIPTestApp")
                try system.push(#"{"failsAnswer": true}"#)
                try system.untilPrinted(.phone, "rings")
                try system.call("answer")
                try system.untilPrinted(.phone, "answer")
                try system.until(.phone, is: .suspended)
                try system.expectFrozen(.phone)
                let said = try system.why(.phone).map(\.text)
                #expect(said.contains { $0.hasSuffix("is over: the app could not answer or start it") }, "\(said)")
            }
        }

        /// The app performs nothing, and does not call the completion handler of the push.
        @Test func anActionTimesOut() throws {
            try TestSystem.run(settings: ["callAction=200ms", "voipPush=3s"]) { system in
                _ = try system.suspendPhone("BadVoIPTestApp")
                try system.push(#"{"slow": true}"#)
                try system.untilPrinted(.phone, "rings")
                try system.call("answer")
                try system.untilPrinted(.phone, "too late")
                try system.until(.phone, is: .suspended)
                try system.expectFrozen(.phone)
                #expect(system.log(.phone).contains("too late"), "the action is complete")
            }
        }

        /// The call goes through a crash of each process of the system, and is ended after that.
        @Test func aCallOutlivesTheSystem() throws {
            try TestSystem.run { system in
                let first = try system.suspendPhone()
                try system.push()
                try system.untilPrinted(.phone, "Ada calls")
                try system.call("answer")
                try system.untilPrinted(.phone, "sound on")
                for victim in [TestSystem.Victim.supervisor, .both] {
                    try system.crashAndRestart(victim)
                    try system.untilHeldByItsCall()
                }
                try system.call("end")
                try system.untilPrinted(.phone, "sound off")
                #expect(try system.until(.phone, is: .suspended).pid == first.pid)
                try system.expectFrozen(.phone)
                #expect(system.log(.phone).filter { $0 == "sound on" }.count == 1)
            }
        }

        /// The provider of the app has its token, so that the token is on disk. Pushes arrive after a restart, too.
        @Test func theTokenOutlivesTheSystem() throws {
            try TestSystem.run(settings: ["launchesVoIPAtStart=false"]) { system in
                _ = try system.suspendPhone("BadVoIPTestApp")
                let token = try #require(system.log(.phone).first { $0.hasPrefix("token ") })
                try system.crashAndRestart(.both)
                try system.push()
                try system.untilPrinted(.phone, "rings")
                try system.killPhone()
                try system.crashAndRestart(.both)
                let printed = system.log(.phone).count
                try system.push()
                #expect(try system.untilPrinted(.phone, "token ", from: printed) == token)
                try system.untilPrinted(.phone, "rings", from: printed)
            }
        }
    }
}
