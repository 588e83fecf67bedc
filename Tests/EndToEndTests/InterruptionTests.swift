import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// T06, T07, T08: interruptions, which take the user's attention from the foreground app.
    @Suite(.whereCgroupsFreeze) struct InterruptionTests {
        private static let resign = [
            "callback willResignActive state=active", "notification willResignActive state=active",
        ]
        private static let activate = [
            "callback didBecomeActive state=active", "notification didBecomeActive state=active",
        ]
        private static let enterBackground = [
            "callback didEnterBackground state=background", "notification didEnterBackground state=background",
        ]

        @Test func everyKind() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                try system.install("Counter", as: .second)
                try system.openApp(.second)
                let pid = try #require(try system.openApp(.counter).pid)
                for kind in Interruption.allCases {
                    // Dismissed: the app is inactive, in the foreground, and running throughout.
                    var printed = system.log(.counter).count
                    try interrupt(kind, system)
                    #expect(system.callbacks(.counter, from: printed) == Self.resign, "\(kind)")
                    try system.untilCounted(.counter, more: 2)
                    try system.expectRunning(.counter)
                    #expect(try system.status().foreground == .counter)
                    #expect(try system.status().interruption == kind)
                    try system.tell(.dismiss)
                    try system.untilActive(.counter, from: printed)
                    #expect(system.callbacks(.counter, from: printed) == Self.resign + Self.activate, "\(kind)")
                    // Accepted: the other app opens, and `willResignActive` is not repeated.
                    try interrupt(kind, system)
                    printed = system.log(.counter).count
                    try system.tell(.accept(.second))
                    try system.until(.second, is: .active)
                    try system.until(.counter, is: .suspended)
                    try system.expectFrozen(.counter)
                    #expect(system.callbacks(.counter, from: printed) == Self.enterBackground, "\(kind)")
                    #expect(try system.status().interruption == nil)
                    #expect(try system.openApp(.counter).pid == pid)
                }
            }
        }

        @Test func withAScene() throws {
            try TestSystem.run { system in
                try system.install("Counter", withScene: true)
                try system.openApp(.counter)
                var printed = system.log(.counter).count
                try interrupt(.call, system)
                try system.tell(.dismiss)
                try system.untilActive(.counter, from: printed)
                let resign = [
                    "callback sceneWillResignActive", "notification sceneWillDeactivate",
                    "notification willResignActive",
                ]
                #expect(
                    system.received(.counter, from: printed) == resign + [
                        "callback sceneDidBecomeActive", "notification sceneDidActivate",
                        "notification didBecomeActive",
                    ])
                printed = system.log(.counter).count
                try interrupt(.call, system)
                try system.tell(.accept(nil))
                try system.until(.counter, is: .suspended)
                #expect(
                    system.received(.counter, from: printed) == resign + [
                        "callback sceneDidEnterBackground", "notification sceneDidEnterBackground",
                        "notification didEnterBackground",
                    ])
                #expect(try system.status().foreground == nil, "accepting it without an app leads to the home screen")
            }
        }

        private func interrupt(_ kind: Interruption, _ system: TestSystem) throws {
            try system.tell(.interrupt(kind))
            try system.until(.counter, is: .inactive)
        }
    }
}
