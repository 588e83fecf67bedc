import LifeCycleModel
import LifeCyclePolicy
import RoostPorts
import RoostWire
import Testing

@testable import RoostRuntime

/// A store that accepts nothing for longer than every limit. Running apps continue, and no app is started whose record
/// is not persisted.
@Suite(.serialized) struct FullDiskTests {
    private static let full = SystemError(doing: "write", subject: "store", errno: 28, reason: "No space left")

    /// Limits that are shorter than the failure of the store.
    private static func policy(_ change: (inout Policy) -> Void = { _ in }) -> Policy {
        var policy = Policy.iOS26
        policy.enterForeground = .milliseconds(300)
        policy.resignActive = .milliseconds(300)
        policy.enterBackground = .milliseconds(300)
        policy.freeze = .milliseconds(300)
        policy.otherCallback = .milliseconds(300)
        change(&policy)
        return policy
    }

    /// Two apps: the first is suspended, the second is in the foreground.
    private func twoApps(_ bench: Bench) throws -> (
        first: (callbacks: Peer, requests: Peer), second: (callbacks: Peer, requests: Peer)
    ) {
        let (_, firstToken) = try bench.launch("first")
        let first = try bench.connect(firstToken)
        try bench.answer(first, until: .didBecomeActive)
        _ = try bench.ask(.home)
        try bench.answer(first, until: .didEnterBackground)
        try bench.run(until: { try bench.state("first") == .suspended })
        let (_, secondToken) = try bench.launch("second")
        let second = try bench.connect(secondToken)
        try bench.answer(second, until: .didBecomeActive)
        return (first, second)
    }

    private func ends(_ bench: Bench) throws -> [String] {
        guard case .apps(let apps) = try bench.ask(.list) else { return [] }
        return apps.compactMap(\.lastEnd)
    }

    /// The app's place in the switcher cannot be written; the app still comes to the foreground.
    @Test func aSuspendedAppIsOpened() throws {
        let bench = try Bench(policy: Self.policy())
        let (first, second) = try twoApps(bench)
        bench.store.failure = Self.full
        guard case .failed(let failure) = try bench.ask(.launch(bench.id("first"))) else {
            Issue.record("the command does not report the failure")
            return
        }
        #expect(failure.code == .systemFault)
        #expect(
            failure.message
                == "this took effect but could not be recorded, and is lost if the system ends before it can be: "
                + "\(Self.full)")
        try bench.answer(second, until: .didEnterBackground)
        try bench.answer(first, until: .didBecomeActive)
        try bench.run(until: { try bench.state("second") == .suspended })
        #expect(try bench.state("first") == .active)
        #expect(try ends(bench) == [])
    }

    /// An app gives its token to a provider, so it has to have the same token after a crash.
    @Test(arguments: [
        ConcernRequest.notification(.setRemoteNotifications(true)), .voip(.setRegistered(true)),
    ])
    func theTokenIsSentOnceItIsOnDisk(_ request: ConcernRequest) throws {
        let bench = try Bench(policy: Self.policy())
        let (_, second) = try twoApps(bench)
        bench.store.failure = Self.full
        second.requests.send(.concern(request))
        _ = try bench.ask(.list)
        #expect(try !second.callbacks.hasMessage())
        bench.store.failure = nil
        let (_, callback) = try second.callbacks.callback()
        switch callback {
        case .concern(.notification(.registeredForRemote(.some))), .concern(.voip(.tokenUpdated)): break
        default: Issue.record("unexpected callback: \(callback)")
        }
    }

    /// The user's setting for the app cannot be written. The app is notified of it, and leaves the foreground in time.
    @Test func anAppWithAnUnwrittenSettingLeavesTheForeground() throws {
        let bench = try Bench(policy: Self.policy())
        let (_, second) = try twoApps(bench)
        bench.store.failure = Self.full
        _ = try bench.ask(.set(name: "backgroundRefresh", value: "off", app: bench.id("second")))
        _ = try bench.ask(.home)
        try bench.answer(second, until: .didEnterBackground)
        try bench.run(until: { try bench.state("second") == .suspended })
        #expect(try ends(bench) == [])
    }

    /// The app was used last, and the device is started with a full disk.
    private func startedDevice(_ policy: Policy) throws -> Bench {
        let identifier = try #require(BundleIdentifier("org.test.a"))
        var record = AppRecord(
            app: AppID(1), manifest: AppManifest(identifier: identifier, executable: "app"), lastLaunch: 1)
        record.switcherPlace = 1
        return try Bench(policy: policy, kept: ([record], []), isFirstSinceBoot: true, storeFailure: Self.full)
    }

    /// An app that has to be ended before its early start is neither left in between nor started afterwards.
    @Test func anEarlyStartThatWaitsForTooLong() throws {
        let bench = try startedDevice(Self.policy { $0.launch = .milliseconds(50) })
        try bench.run(until: { try !ends(bench).isEmpty })
        bench.store.failure = nil
        guard case .decisions = try bench.ask(.launch(bench.id("a"))) else {
            Issue.record("the app could not be opened")
            return
        }
        #expect(bench.log.calls.filter { $0.hasPrefix("start") } == ["start 1.3"])
        #expect(!bench.log.calls.contains { $0.hasPrefix("kill") })
    }

    /// An app that is opened while its early start waits is an ordinary launch: its process is found again.
    @Test func anEarlyStartThatWaitsIsOpened() throws {
        let bench = try startedDevice(Self.policy())
        _ = try bench.ask(.launch(bench.id("a")))
        #expect(!bench.log.calls.contains("start 1.2"))
        bench.store.failure = nil
        bench.run(until: { bench.log.calls.contains("store process 1.2") })
        #expect(bench.log.calls.contains("start 1.2"))
        #expect(try bench.state("a") == .inactive)
    }

    /// A start waits, and so do the effects on its process.
    @Test func aStartWaitsAndItsShareWithIt() throws {
        let bench = try Bench(policy: Self.policy())
        _ = try bench.ask(.install(path: "/a", replacing: false))
        bench.store.failure = Self.full
        guard case .failed(let failure) = try bench.ask(.launch(bench.id("a"))) else {
            Issue.record("the caller is not notified that the launch waits")
            return
        }
        #expect(failure.code == .systemFault)
        #expect(
            failure.message
                == "this takes effect once it can be recorded, and is lost if the system ends before that: \(Self.full)"
        )
        #expect(!bench.log.calls.contains("start 1.1"))
        bench.store.failure = nil
        _ = try bench.ask(.status)
        bench.run(until: { bench.log.calls.contains("start 1.1") })
        let (start, share) = (
            bench.log.calls.lastIndex(of: "start 1.1"), bench.log.calls.firstIndex(of: "priority 1.1 foreground")
        )
        #expect(try #require(start) < #require(share), "\(bench.log.calls)")
    }
}
