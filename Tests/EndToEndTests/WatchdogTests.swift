import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// T21, R-06, R-17, R-18: an app that hangs is killed at its limit, in whichever callback it hangs. (`TaskTests`
    /// has `didEnterBackground`, with the limit of iOS.)
    @Suite struct WatchdogTests {
        struct Hang: Sendable, CustomTestStringConvertible {
            let callback: String
            let limit: (name: String, value: Nanoseconds)
            /// Brings the app to the point before this callback.
            let prepare: @Sendable (TestSystem) throws -> Void
            let act: ControlCall
            var testDescription: String { callback }
        }

        static let hangs: [Hang] = [
            Hang(
                callback: "didFinishLaunching", limit: ("launch", .milliseconds(2500)), prepare: { _ in },
                act: .launch(.counter)),
            Hang(
                callback: "willResignActive", limit: ("resignActive", .milliseconds(1000)),
                prepare: { try $0.openApp(.counter) }, act: .home),
            Hang(
                callback: "willEnterForeground", limit: ("enterForeground", .milliseconds(1000)),
                prepare: {
                    try $0.openApp(.counter)
                    try $0.suspend(.counter)
                }, act: .launch(.counter)),
            Hang(
                callback: "didBecomeActive", limit: ("enterForeground", .milliseconds(2000)),
                prepare: {
                    try $0.openApp(.counter)
                    try $0.suspend(.counter)
                }, act: .launch(.counter)),
            Hang(
                callback: "willTerminate", limit: ("terminate", .milliseconds(1000)),
                prepare: { try $0.openApp(.counter) }, act: .quit(.counter)),
        ]

        @Test(.whereCgroupsFreeze, arguments: hangs) func aHangIsEndedAtItsLimit(hang: Hang) throws {
            let limit = "\(hang.limit.name)=\(hang.limit.value.rawValue / 1_000_000)ms"
            try TestSystem.run(settings: [limit, "launchWarning=500ms"]) { system in
                try system.install("Counter")
                try system.install("Counter", as: .second)
                try hang.prepare(system)
                try system.script(.counter, "\(hang.callback) block 1000\n")
                let (printed, begin) = (system.log(.counter).count, ContinuousClock.now)
                try system.tell(hang.act)
                let process = try system.process(.counter)
                let end = try system.until(.counter, is: .notRunning)
                // The kill comes later on a busy machine, never earlier.
                #expect(ContinuousClock.now - begin >= .nanoseconds(hang.limit.value.rawValue))
                #expect(process.isGone)
                let text = try #require(end.lastEnd)
                #expect(text.contains("return from \(hang.callback) in time, 0x8badf00d"), "\(text)")
                #expect(system.received(.counter, from: printed).last == "callback \(hang.callback)")
                if hang.limit.name == "launch" {
                    let kinds = try system.why(.counter).map(\.kind)
                    #expect(kinds.filter(["slow", "terminating"].contains) == ["slow", "terminating"])
                }
                // No other app is affected, and the app may be opened again.
                try system.openApp(.second)
                try system.script(.counter, "")
                try system.openApp(.counter)
            }
        }
    }
}
