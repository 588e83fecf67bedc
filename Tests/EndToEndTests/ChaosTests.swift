import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Random actions in quick succession, with crashes of the system between them. The result is the state that the
    /// user asked for.
    @Suite struct ChaosTests {
        /// A user's expectation: the foreground app, the apps with a process, and the apps that were swiped away.
        struct Expectation {
            static let apps: [BundleIdentifier] = [.counter, .second, .third]
            var foreground: BundleIdentifier?
            var running: Set<BundleIdentifier> = []
            var quit: Set<BundleIdentifier> = []
            /// Apps that were swiped away since the last rest. An app that is opened and left again while it still ends
            /// may not be launched again.
            var mayBeGone: Set<BundleIdentifier> = []

            func state(of app: BundleIdentifier) -> AppState {
                app == foreground ? .active : running.contains(app) ? .suspended : .notRunning
            }
        }

        enum Step: Hashable {
            case launch(BundleIdentifier)
            case wake(BundleIdentifier)
            case quit(BundleIdentifier)
            case home, rest
            case crash(TestSystem.Victim)

            static func random(using generator: inout SmallGenerator) -> Step {
                let index = Int(generator.next(below: 3))
                let app = Expectation.apps[index]
                switch generator.next(below: 16) {
                case 0...4: return .launch(app)
                case 5...6: return .wake(app)
                case 7...8: return .quit(app)
                case 9...11: return .home
                case 12...13: return .crash(TestSystem.Victim.allCases[index])
                default: return .rest
                }
            }
        }

        @Test(arguments: [1, 2, 3, 16, 24, 25] as [UInt64])
        func userActionsTakeEffectDespiteCrashes(seed: UInt64) throws {
            var generator = SmallGenerator(seed: seed)
            try TestSystem.run { system in
                for app in Expectation.apps { try system.install("Counter", as: app == .counter ? nil : app) }
                var expectation = Expectation()
                var history: [Step] = []
                do {
                    for _ in 0..<40 {
                        let step = Step.random(using: &generator)
                        history.append(step)
                        try take(step, system, &expectation)
                    }
                    try take(.home, system, &expectation)
                    try settle(system, &expectation)
                } catch {
                    throw TestFailure(description: "seed \(seed), after \(history):\n\(error)")
                }
            }
        }

        private func take(_ step: Step, _ system: TestSystem, _ expectation: inout Expectation) throws {
            switch step {
            case .launch(let app):
                try system.tell(.launch(app))
                expectation.foreground = app
                expectation.running.insert(app)
                expectation.quit.remove(app)
            case .wake(let app) where expectation.quit.contains(app):
                // A location event would wake the app although the user has swiped it away.
                #expect(throws: ControlFailure.self) { try system.tell(.wake(app, .remoteNotification)) }
            case .wake(let app):
                do {
                    try system.tell(.wake(app, .locationMonitoring))
                    expectation.running.insert(app)
                } catch let failure as ControlFailure
                    where failure.code == .refused && expectation.mayBeGone.contains(app)
                {
                    // The app is still being ended.
                }
            case .quit(let app):
                try system.tell(.quit(app))
                if expectation.foreground == app { expectation.foreground = nil }
                expectation.running.remove(app)
                expectation.quit.insert(app)
                expectation.mayBeGone.insert(app)
            case .home:
                do {
                    try system.tell(.home)
                } catch let failure as ControlFailure where failure.code == .refused {
                    // The home screen is already shown.
                }
                expectation.foreground = nil
            case .crash(let victim): try system.crashAndRestart(victim)
            case .rest: try settle(system, &expectation)
            }
        }

        /// Waits until every app is in its expected state, and then checks with the kernel.
        ///
        /// An app that was left before it became active still gets its turn, and may have to wait for the foreground
        /// app. In that case the user goes home, where all apps come to rest.
        private func settle(_ system: TestSystem, _ expectation: inout Expectation) throws {
            if let foreground = expectation.foreground {
                try system.until(foreground, is: .active)
                guard try Expectation.apps.allSatisfy({ try $0 == foreground || system.summary($0).state != .inactive })
                else {
                    return try take(.home, system, &expectation)
                }
            }
            for app in Expectation.apps {
                try system.until("\(app) is \(expectation.state(of: app).name)") {
                    let state = try system.summary(app).state
                    if state == .notRunning, app != expectation.foreground, expectation.mayBeGone.contains(app) {
                        expectation.running.remove(app)
                    }
                    return state == expectation.state(of: app) ? true : nil
                }
            }
            expectation.mayBeGone = []
            for app in Expectation.apps {
                let summary = try system.summary(app)
                #expect(summary.state == expectation.state(of: app), "\(app) is not in the expected state")
                #expect(summary.isForceQuit == expectation.quit.contains(app))
                switch summary.state {
                case .notRunning: #expect(summary.pid == nil)
                case .suspended: try system.expectFrozen(app)
                case .active, .inactive, .background: try system.expectRunning(app)
                }
            }
        }
    }

    /// A generator that gives the same numbers for the same seed on every machine (SplitMix64).
    struct SmallGenerator {
        private var state: UInt64

        init(seed: UInt64) { state = seed }

        mutating func next(below bound: UInt64) -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return (mixed ^ (mixed >> 31)) % bound
        }
    }
}
