import Foundation
import RoostAVFAudio
import RoostKit
import RoostTesting
import Testing

/// Plays a song when it is launched, and records what it is told.
@MainActor private final class Musician: UIResponder, UIApplicationDelegate, AVAudioPlayerDelegate {
    static var song = Data()
    static var category = AVAudioSession.Category.playback
    static var options: AVAudioSession.CategoryOptions = []
    static var playsAtLaunch = true
    /// The number of times that it plays its song again.
    static var encores = 0
    static var resumes = true
    static var hasTask = false

    let session = AVAudioSession.sharedInstance()
    var player: AVAudioPlayer?
    private(set) var heard: [String] = []
    private var task = UIBackgroundTaskIdentifier.invalid

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        NotificationCenter.default.addObserver(
            forName: AVAudioSession.interruptionNotification, object: session, queue: .main
        ) { [weak self] notification in
            let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
            let options = notification.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt
            MainActor.assumeIsolated { self?.interruption(type, options) }
        }
        do {
            try session.setCategory(Self.category, options: Self.options)
            player = try AVAudioPlayer(data: Self.song)
        } catch {
            Issue.record(error)
        }
        player?.delegate = self
        if Self.playsAtLaunch { player?.play() }
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        if Self.hasTask { task = application.beginBackgroundTask(withName: "song") { [weak self] in self?.endTask() } }
    }

    func endTask() { UIApplication.shared.endBackgroundTask(task) }

    private func interruption(_ type: UInt?, _ options: UInt?) {
        switch type.flatMap({ AVAudioSession.InterruptionType(rawValue: $0) }) {
        case .began: heard.append("interrupted")
        case .ended:
            heard.append("ended \(options.map { "\($0)" } ?? "without options")")
            if options == AVAudioSession.InterruptionOptions.shouldResume.rawValue, Self.resumes { player?.play() }
        case nil: heard.append("an interruption without a type")
        }
    }

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        heard.append("finished \(flag)")
        if Self.encores > 0 {
            Self.encores -= 1
            player.play()
        }
    }
}

/// Audio sessions and players on the virtual device (R-152 to R-159).
@Suite(.serialized) @MainActor struct AudioTests {
    init() {
        Musician.song = Song.wave(seconds: 600)
        (Musician.category, Musician.options) = (.playback, [])
        (Musician.playsAtLaunch, Musician.resumes, Musician.hasTask, Musician.encores) = (true, true, false, 0)
    }

    /// An app in the foreground, with the background modes.
    private func open(
        _ device: VirtualDevice, _ name: String = "Musician", modes: [String] = ["audio"]
    ) async throws -> (VirtualApp, Musician) {
        let app = try device.install(name, infoPlist: ["UIBackgroundModes": modes], delegate: Musician.self)
        await device.launch(app)
        return (app, try #require(app.delegate as? Musician))
    }

    /// The same, with its player.
    private func openPlayer(
        _ device: VirtualDevice, modes: [String] = ["audio"]
    ) async throws -> (VirtualApp, Musician, AVAudioPlayer) {
        let (app, musician) = try await open(device, modes: modes)
        return (app, musician, try #require(musician.player))
    }

    private func expectError(_ code: Int, at place: SourceLocation = #_sourceLocation, from work: () throws -> Void) {
        do {
            try work()
            Issue.record("no error", sourceLocation: place)
        } catch {
            let error = error as NSError
            #expect(error.domain == NSOSStatusErrorDomain && error.code == code, "\(error)", sourceLocation: place)
        }
    }

    private func expectError(
        _ code: AVAudioSession.ErrorCode, at place: SourceLocation = #_sourceLocation, from work: () throws -> Void
    ) { expectError(code.rawValue, at: place, from: work) }

    // MARK: Playing in the background

    @Test func musicKeepsTheAppRunning() async throws {
        try await withVirtualDevice { device in
            let (app, musician, player) = try await openPlayer(device)
            #expect(player.isPlaying && player.duration == 600)
            await device.home()
            await device.advance(by: .milliseconds(599_999))
            #expect(app.state == .background && player.isPlaying && player.currentTime == 599.999)
            #expect(musician.heard.isEmpty)
            await device.advance(by: .milliseconds(1))
            #expect(musician.heard == ["finished true"] && app.state == .background)
            #expect(!player.isPlaying && player.currentTime == 0)
            await device.advance(by: .milliseconds(4_999))
            #expect(app.state == .background)
            await device.advance(by: .milliseconds(1))
            #expect(app.state == .suspended)
        }
    }

    @Test func theNextSongContinues() async throws {
        try await withVirtualDevice { device in
            Musician.encores = 1
            let (app, musician, player) = try await openPlayer(device)
            await device.home()
            await device.advance(by: .seconds(1199))
            #expect(app.state == .background && player.isPlaying && musician.heard == ["finished true"])
            await device.advance(by: .seconds(6))
            #expect(app.state == .suspended && musician.heard == ["finished true", "finished true"])
        }
    }

    @Test func aPauseSuspendsTheApp() async throws {
        try await withVirtualDevice { device in
            let (app, musician, player) = try await openPlayer(device)
            await device.home()
            await device.advance(by: .seconds(60))
            player.pause()
            await device.advance(by: .seconds(4))
            #expect(app.state == .background && player.currentTime == 60)
            await device.advance(by: .seconds(1))
            #expect(app.state == .suspended)
            await device.launch(app)
            #expect(!player.isPlaying && player.play())
            await device.advance(by: .seconds(540))
            #expect(musician.heard == ["finished true"])
        }
    }

    @Test func aReleasedPlayerStops() async throws {
        try await withVirtualDevice { device in
            let (app, musician) = try await open(device)
            await device.home()
            #expect(app.state == .background)
            musician.player = nil
            await device.advance(by: .seconds(5))
            #expect(app.state == .suspended)
        }
    }

    @Test func repetitions() async throws {
        try await withVirtualDevice { device in
            let (app, musician, player) = try await openPlayer(device)
            player.numberOfLoops = 1
            await device.home()
            await device.advance(by: .seconds(900))
            #expect(app.state == .background && player.currentTime == 300 && musician.heard.isEmpty)
            player.numberOfLoops = -1
            await device.advance(by: .seconds(36_000))
            #expect(app.state == .background && player.currentTime == 300 && musician.heard.isEmpty)
            player.numberOfLoops = 0
            await device.advance(by: .seconds(300))
            #expect(musician.heard == ["finished true"])
        }
    }

    @Test func aNewPositionMovesTheEnd() async throws {
        try await withVirtualDevice { device in
            let (_, musician, player) = try await openPlayer(device)
            player.currentTime = 590
            await device.advance(by: .seconds(9))
            #expect(player.currentTime == 599 && musician.heard.isEmpty)
            await device.advance(by: .seconds(1))
            #expect(musician.heard == ["finished true"])
            let positions: [(Double, Double)] = [(-1, 0), (700, 600), (.nan, 0), (.infinity, 600), (0.5, 0.5)]
            for (position, result) in positions {
                player.currentTime = position
                #expect(player.currentTime == result, "\(position)")
            }
        }
    }

    // MARK: Without the mode

    @Test func withoutTheModeThePlayerIsPaused() async throws {
        try await withVirtualDevice { device in
            Musician.hasTask = true
            let (app, musician, player) = try await openPlayer(device, modes: [])
            await device.advance(by: .seconds(10))
            await device.home()
            #expect(app.state == .background && !player.isPlaying && player.currentTime == 10)
            musician.endTask()
            await device.advance(by: .zero)
            #expect(app.state == .suspended && musician.heard.isEmpty)
        }
    }

    /// The app is told when it runs again.
    @Test(arguments: [AVAudioSession.Category.playback, .ambient])
    func aSuspendedAppDoesNotPlay(category: AVAudioSession.Category) async throws {
        try await withVirtualDevice { device in
            Musician.category = category
            let (app, musician, player) = try await openPlayer(device, modes: category == .ambient ? ["audio"] : [])
            await device.advance(by: .seconds(10))
            await device.home()
            #expect(app.state == .suspended)
            await device.advance(by: .seconds(100))
            await device.launch(app)
            #expect(!player.isPlaying && player.currentTime == 10 && musician.heard.isEmpty)
            #expect(player.play())
        }
    }

    // MARK: Interruptions

    @Test func aCallInterrupts() async throws {
        try await withVirtualDevice { device in
            let (app, musician, player) = try await openPlayer(device)
            await device.home()
            await device.advance(by: .seconds(10))
            await device.beginCall()
            #expect(musician.heard == ["interrupted"] && !player.isPlaying && player.currentTime == 10)
            await device.advance(by: .milliseconds(29_999))
            #expect(app.state == .background)
            await device.endCall()
            #expect(musician.heard == ["interrupted", "ended 1"] && player.isPlaying)
            await device.advance(by: .seconds(100))
            #expect(app.state == .background && player.currentTime == 110)
        }
    }

    @Test func theEndOfALongCallThawsTheApp() async throws {
        try await withVirtualDevice { device in
            let (app, musician, player) = try await openPlayer(device)
            await device.home()
            await device.beginCall()
            await device.advance(by: .seconds(30))
            #expect(app.state == .suspended)
            await device.advance(by: .seconds(3600))
            await device.endCall()
            #expect(musician.heard == ["interrupted", "ended 1"] && player.isPlaying && app.state == .background)
            await device.advance(by: .seconds(100))
            #expect(app.state == .background)
        }
    }

    @Test func anAppThatDoesNotResumeIsSuspended() async throws {
        try await withVirtualDevice { device in
            Musician.resumes = false
            let (app, musician, player) = try await openPlayer(device)
            await device.home()
            await device.beginCall()
            await device.advance(by: .seconds(3600))
            await device.endCall()
            #expect(musician.heard == ["interrupted", "ended 1"] && app.state == .background)
            await device.advance(by: .seconds(10))
            #expect(app.state == .suspended && !player.isPlaying)
        }
    }

    @Test func theForegroundAppInterrupts() async throws {
        try await withVirtualDevice { device in
            let (first, listener, song) = try await openPlayer(device)
            Musician.playsAtLaunch = false
            let (second, other) = try await open(device, "Other")
            #expect(first.state == .background && song.isPlaying)
            try other.session.setActive(true)
            await device.advance(by: .zero)
            #expect(second.state == .active && first.state == .background)
            #expect(listener.heard == ["interrupted"] && !song.isPlaying && other.heard.isEmpty)
            try other.session.setActive(false, options: .notifyOthersOnDeactivation)
            await device.advance(by: .zero)
            #expect(listener.heard == ["interrupted", "ended 1"] && song.isPlaying)
        }
    }

    /// The session is deactivated all the same, and the other app is told.
    @Test func aDeactivationWhileAPlayerPlays() async throws {
        try await withVirtualDevice { device in
            let (_, listener, song) = try await openPlayer(device)
            let (_, other) = try await open(device, "Other")
            let player = try #require(other.player)
            #expect(listener.heard == ["interrupted"] && player.isPlaying)
            expectError(.isBusy) { try other.session.setActive(false, options: .notifyOthersOnDeactivation) }
            #expect(!player.isPlaying)
            await device.advance(by: .zero)
            #expect(listener.heard == ["interrupted", "ended 1"] && song.isPlaying)
        }
    }

    @Test func soundsThatMixPlayTogether() async throws {
        try await withVirtualDevice { device in
            Musician.options = .mixWithOthers
            let (first, listener, song) = try await openPlayer(device)
            let (_, other) = try await open(device, "Other")
            #expect(other.player?.isPlaying == true && song.isPlaying && listener.heard.isEmpty)
            #expect(first.state == .background)
        }
    }

    // MARK: Errors

    @Test func activationInTheBackground() async throws {
        try await withVirtualDevice { device in
            (Musician.playsAtLaunch, Musician.hasTask) = (false, true)
            let (app, musician, player) = try await openPlayer(device)
            let session = musician.session
            await device.home()
            expectError(.cannotInterruptOthers) { try session.setActive(true) }
            try session.setCategory(.ambient)
            expectError(.cannotStartPlaying) { try session.setActive(true) }
            #expect(!player.play())
            try session.setCategory(.playback, options: .mixWithOthers)
            try session.setActive(true)
            #expect(player.play())
            musician.endTask()
            await device.advance(by: .seconds(60))
            #expect(app.state == .background && player.isPlaying)
        }
    }

    @Test func activationInTheBackgroundNeedsTheMode() async throws {
        try await withVirtualDevice { device in
            (Musician.playsAtLaunch, Musician.hasTask) = (false, true)
            Musician.options = .mixWithOthers
            let (app, musician, player) = try await openPlayer(device, modes: [])
            await device.home()
            expectError(.cannotStartPlaying) { try musician.session.setActive(true) }
            #expect(!player.play() && !player.isPlaying)
            musician.endTask()
            await device.advance(by: .zero)
            #expect(app.state == .suspended)
        }
    }

    @Test func aCallForbidsRecording() async throws {
        try await withVirtualDevice { device in
            (Musician.playsAtLaunch, Musician.category) = (false, .playAndRecord)
            let (_, musician, player) = try await openPlayer(device)
            await device.beginCall()
            expectError(.insufficientPriority) { try musician.session.setActive(true) }
            #expect(!player.play())
            try musician.session.setCategory(.playback)
            #expect(player.play())
        }
    }

    @Test func eachCategoryHasItsOptions() async throws {
        try await withVirtualDevice { device in
            Musician.playsAtLaunch = false
            let (_, musician) = try await open(device)
            let session = musician.session
            #expect(session === AVAudioSession.sharedInstance() && session.category == .playback)
            try session.setCategory(.playback, mode: .spokenAudio, options: .duckOthers)
            #expect(session.mode == .spokenAudio && session.categoryOptions == [.duckOthers, .mixWithOthers])
            try session.setCategory(.playAndRecord, options: [.allowBluetooth, .defaultToSpeaker])
            try session.setCategory(.ambient, options: .duckOthers)
            try session.setCategory(.ambient, options: session.categoryOptions)
            let wrong: [(AVAudioSession.Category, AVAudioSession.CategoryOptions)] = [
                (.ambient, .defaultToSpeaker), (.soloAmbient, .duckOthers), (.record, .mixWithOthers),
                (.playback, .allowBluetooth), (.playback, .defaultToSpeaker), (.multiRoute, .allowAirPlay),
                (.soloAmbient, .interruptSpokenAudioAndMixWithOthers), (.init(rawValue: "Loud"), []),
            ]
            for (category, options) in wrong {
                expectError(.badParam) { try session.setCategory(category, options: options) }
            }
            #expect(session.category == .ambient && session.mode == .spokenAudio)
        }
    }

    @Test func soundsThatCannotBePlayed() async throws {
        let song = try Song.file(seconds: 7)
        defer { try? FileManager.default.removeItem(at: song) }
        try await withVirtualDevice { device in
            _ = try await open(device)
            let player = try AVAudioPlayer(contentsOf: song, fileTypeHint: "com.microsoft.waveform-audio")
            #expect(player.duration == 7 && player.url == song && player.data == nil && player.prepareToPlay())
            let files = [
                song.appendingPathExtension("none"), song.deletingLastPathComponent(),
                try #require(URL(string: "https://example.org/song.wav")),
            ]
            for file in files { expectError(-43) { _ = try AVAudioPlayer(contentsOf: file) } }
            expectError(1_954_115_647) { _ = try AVAudioPlayer(data: Data("ID3 is an mp3".utf8)) }
            expectError(1_718_449_215) { _ = try AVAudioPlayer(data: Song.wave(seconds: 1, tag: 6)) }
        }
    }
}
