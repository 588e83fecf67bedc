import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Background sessions of an app with a script: the behavior of a sound app, and the deviations that the script asks
/// for.
@Suite struct ScriptedDownloadTests {
    private let url = "https://example.org/1.mp3"

    /// A world with a file of ten megabytes and a network of one megabyte a second.
    private func world(_ change: (inout AppScript) -> Void = { _ in }) -> World {
        var script = AppScript()
        change(&script)
        var world = World(policy: .iOS26, scripts: [script])
        world.serve(ServedFile(size: 10 << 20), at: url)
        world.setNetwork(.wifi, bytesPerSecond: 1 << 20)
        world.handle(.device(.appInstalled(AppID(1), manifest())))
        open(&world)
        return world
    }

    private func download(_ url: String? = nil, session: String = "downloads", earliest: Nanoseconds? = nil) throws
        -> AppScript.Act
    {
        .download(
            AppScript.Download(
                url ?? self.url, session: try #require(SessionIdentifier(session)), earliest: earliest))
    }

    private func open(_ world: inout World) {
        world.handle(.device(.appOpened(AppID(1))))
        world.advance(by: .zero)
    }

    private func home(_ world: inout World) {
        world.handle(.device(.homePressed))
        world.advance(by: .zero)
    }

    private func state(_ world: World) -> AppState? { world.device.snapshot(of: AppID(1))?.state }

    private func received(_ world: inout World) -> [SessionCall] {
        world.takeChronicle().compactMap { entry in
            if case .note(_, .sessionCalled(let call)) = entry.what { call } else { nil }
        }
    }

    private func end(_ world: inout World) -> TerminationReason? {
        for entry in world.takeChronicle().reversed() {
            guard case .turn(_, let effects) = entry.what else { continue }
            for case .decided(.launch(_, .ended(let reason, _))) in effects { return reason }
        }
        return nil
    }

    @Test func aSuspendedAppIsWokenOnceAllDownloadsAreComplete() throws {
        var world = world()
        world.serve(ServedFile(size: 20 << 20), at: "https://example.org/2.mp3")
        try world.act(download(), of: AppID(1))
        try world.act(download("https://example.org/2.mp3"), of: AppID(1))
        home(&world)
        #expect(state(world) == .suspended)
        world.advance(by: Nanoseconds(19_999_999_999))
        #expect(received(&world) == [])
        world.advance(by: Nanoseconds(1))
        let calls = received(&world)
        #expect(
            calls.map(\.method) == [
                .didFinishDownloadingTo, .didCompleteWithError, .didFinishDownloadingTo, .didCompleteWithError,
                .urlSessionDidFinishEvents,
            ])
        #expect(calls.map(\.url) == [url, url, "https://example.org/2.mp3", "https://example.org/2.mp3", nil])
        #expect(state(world) == .suspended && world.device.transferSnapshots.isEmpty && world.violation == nil)
    }

    @Test func anOutcomeIsDeliveredWhenTheDelegateHasReturned() throws {
        var world = world { script in
            script.reactions[.init(.didFinishDownloadingTo)] = [.take(.seconds(2))]
            script.reactions[.init(.didCompleteWithError)] = [.take(.seconds(1))]
        }
        try world.act(download(), of: AppID(1))
        world.advance(by: Nanoseconds(12_999_999_999))
        #expect(world.device.transferSnapshots.map(\.state) == [.delivering])
        world.advance(by: Nanoseconds(1))
        #expect(world.device.transferSnapshots.isEmpty && world.violation == nil)
    }

    /// An outcome that the app has not accepted is delivered again with its file. The next launch makes the session by
    /// itself.
    @Test func outcomesAreDeliveredAgainAfterACrash() throws {
        let session = try #require(SessionIdentifier("downloads"))
        var world = world { script in
            script.sessions[session] = TransferSessionConfiguration()
            script.reactions[.init(.didFinishDownloadingTo)] = [.crash(11)]
        }
        try world.act(download(), of: AppID(1))
        world.advance(by: .seconds(10))
        // The app is launched into the background at once, for the outcome that it has not accepted.
        #expect(received(&world).map(\.method) == [.didFinishDownloadingTo, .didFinishDownloadingTo])
        #expect(state(world) == .notRunning && world.device.transferSnapshots.map(\.state) == [.delivering])
        open(&world)
        let calls = received(&world)
        #expect(calls.map(\.method) == [.didFinishDownloadingTo])
        // The new launch gets the URL from the list of its tasks.
        #expect(calls.map(\.url) == [url] && world.violation == nil)
    }

    @Test func launchesNumberTheirTasksApart() throws {
        var world = world()
        try world.act(download(), of: AppID(1))
        try world.act(.crash(6), of: AppID(1))
        world.advance(by: .zero)
        open(&world)
        try world.act(download(), of: AppID(1))
        world.advance(by: .zero)
        #expect(world.device.transferIDs.map(\.number) == [1, 1_000_001])
    }

    @Test func appsThatNeverCallTheHandlerAreKilled() throws {
        var world = world { $0.reactions[.init(.urlSessionDidFinishEvents)] = [] }
        try world.act(download(), of: AppID(1))
        home(&world)
        world.advance(by: .seconds(10))
        #expect(state(world) == .background)
        world.advance(by: Nanoseconds(29_999_999_999))
        #expect(state(world) == .background)
        world.advance(by: Nanoseconds(1))
        #expect(state(world) == .notRunning && end(&world) == .sessionEventsNotHandled)
    }

    @Test func theHandlerMayBeCalledLater() throws {
        var world = world { $0.reactions[.init(.urlSessionDidFinishEvents)] = [.take(.seconds(1))] }
        #expect(throws: World.Impossibility.noHandler) { try world.act(.callHandler, of: AppID(1)) }
        try world.act(download(), of: AppID(1))
        home(&world)
        world.advance(by: .seconds(20))
        #expect(state(world) == .background)
        try world.act(.callHandler, of: AppID(1))
        world.advance(by: .zero)
        #expect(state(world) == .suspended)
        // A handler can be called only once.
        open(&world)
        #expect(throws: World.Impossibility.noHandler) { try world.act(.callHandler, of: AppID(1)) }
    }

    @Test func aDateIsWaitedForAndAskedAbout() throws {
        var world = world()
        try world.act(download(earliest: .seconds(60)), of: AppID(1))
        world.advance(by: Nanoseconds(59_999_999_999))
        #expect(world.device.transferSnapshots.map(\.wait) == [.earliestBegin])
        #expect(received(&world) == [])
        world.advance(by: Nanoseconds(1))
        #expect(received(&world).map(\.method) == [.willBeginDelayedRequest])
        #expect(world.device.transferSnapshots.map(\.state) == [.running])
    }

    @Test func aReplacedFileHasNoTrouble() throws {
        var world = world()
        var file = ServedFile(size: 1 << 20)
        file.trouble = .refused
        world.serve(file, at: url)
        try world.act(download(), of: AppID(1))
        world.advance(by: .seconds(5))
        let calls = received(&world)
        #expect(calls.map(\.method) == [.didCompleteWithError] && calls.first?.failure?.code == -1202)
        file.trouble = .busy
        world.serve(file, at: url)
        try world.act(download(), of: AppID(1))
        world.advance(by: .seconds(5))
        #expect(world.device.transferSnapshots.map(\.wait) == [.server])
        file.trouble = nil
        world.serve(file, at: url)
        world.advance(by: .seconds(30))
        #expect(received(&world).map(\.method) == [.didFinishDownloadingTo, .didCompleteWithError])
    }

    @Test func aChangedFileIsDownloadedFromTheBeginning() throws {
        var world = world()
        try world.act(download(), of: AppID(1))
        world.advance(by: .seconds(5))
        world.setNetwork(.none, bytesPerSecond: nil)
        world.advance(by: .zero)
        #expect(world.device.transferSnapshots.map(\.wait) == [.network])
        world.serve(ServedFile(size: 10 << 20), at: url)
        world.setNetwork(.wifi, bytesPerSecond: nil)
        world.advance(by: .seconds(9))
        #expect(received(&world) == [])
        world.advance(by: .seconds(1))
        #expect(received(&world).map(\.method) == [.didFinishDownloadingTo, .didCompleteWithError])
    }

    @Test func anOutageDelays() throws {
        var world = world()
        try world.act(download(), of: AppID(1))
        world.advance(by: .seconds(5))
        world.loseNetwork(for: .seconds(7))
        world.advance(by: Nanoseconds(11_999_999_999))
        #expect(received(&world) == [])
        world.advance(by: Nanoseconds(1))
        #expect(received(&world).map(\.method) == [.didFinishDownloadingTo, .didCompleteWithError])
    }
}
