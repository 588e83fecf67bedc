import AppCore
public import Foundation
import LifeCycleModel
import RoostKit
import Synchronization

/// An app's audio session: the purpose of its sound, and the right to play now. Any thread.
///
/// The system decides which app plays, as iOS does.
///
/// Category, options, activation and interruptions exist, and nothing else: no routes, ports, volumes, sample rates,
/// permission to record, hints about secondary audio, and resets of the media services.
public final class AVAudioSession: NSObject, Sendable {
    /// The settings that the system does not read.
    private struct Details {
        var mode = Mode.default
        var options: CategoryOptions = []
    }

    /// Whether the app declares the mode `audio` in `UIBackgroundModes`.
    let hasMode: Bool
    private let app: AppSession
    private let details = Mutex(Details())

    init(of app: AppSession) {
        self.app = app
        hasMode = AppRunner.backgroundModes.contains("audio")
        super.init()
    }

    /// The app's session. An app has one.
    public static func sharedInstance() -> AVAudioSession { AudioCalls.of(.current).session }

    // MARK: Settings

    /// The purpose of the app's sound; `soloAmbient` by default.
    public var category: Category { Category(app.readingAudio { core, _ in core.audioSession.category }) }

    /// The further purpose of the app's sound. It has no effect.
    public var mode: Mode { details.withLock { $0.mode } }

    /// The options of the category. Of these, `mixWithOthers` has an effect, and the two options that imply it.
    public var categoryOptions: CategoryOptions { details.withLock { $0.options } }

    /// Sets the purpose of the app's sound. If the session is active, the change counts at once.
    ///
    /// - Throws: An `NSError` with the code `badParam` if the category does not take one of the options.
    public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        try set(category, options)
        try setMode(mode)
    }

    /// Sets the purpose of the app's sound, and keeps the mode.
    ///
    /// - Throws: An `NSError` with the code `badParam` if the category does not take one of the options.
    public func setCategory(_ category: Category, options: CategoryOptions = []) throws { try set(category, options) }

    /// Sets the mode. It has no effect.
    public func setMode(_ mode: Mode) throws { details.withLock { $0.mode = mode } }

    private func set(_ category: Category, _ options: CategoryOptions) throws {
        guard let kind = AudioCategory(category) else {
            throw AudioError.badParameter("\"\(category.rawValue)\" is no category of an audio session.")
        }
        let wrong = options.subtracting(kind.options)
        guard wrong.isEmpty else {
            throw AudioError.badParameter(
                "The category \(kind.rawValue) does not take these options, leave them out: \(wrong.names).")
        }
        // In the background, sound of such a category ends, and the app may be suspended then.
        if !kind.continuesInBackground { app.keepBeforeSuspension() }
        // The bit of `mixWithOthers` is also one of the second option.
        let mixes = !options.isDisjoint(with: [.duckOthers, .interruptSpokenAudioAndMixWithOthers])
        details.withLock { $0.options = mixes ? options.union(.mixWithOthers) : options }
        let session = AudioSession(category: kind, mixesWithOthers: mixes)
        app.changingAudio { core, _, steps in core.setAudioSession(session, into: &steps) }
    }

    // MARK: Activation

    /// Activates the session, or deactivates it and pauses its players.
    ///
    /// The activation of a session that does not mix with others interrupts the sessions of other apps. In the
    /// background a session can be activated only with the mode `audio` in `UIBackgroundModes`, and if it mixes with
    /// others or was interrupted.
    ///
    /// - Parameters:
    ///   - active: Whether the session is active from now on.
    ///   - options: With `notifyOthersOnDeactivation`, apps that this session has interrupted are told of the end.
    /// - Throws: An `NSError` with a code of `ErrorCode`. After `isBusy` the session is inactive all the same.
    public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        let failure = active ? activate() : deactivate(notifiesOthers: options.contains(.notifyOthersOnDeactivation))
        if let failure { throw AudioError.session(failure) }
    }

    private func activate() -> AudioFailure? {
        app.changingAudio { [hasMode] core, _, steps in core.activateAudio(hasMode: hasMode, into: &steps) }
    }

    private func deactivate(notifiesOthers: Bool) -> AudioFailure? {
        app.keepBeforeSuspension()
        return app.changingAudio { core, now, steps in
            core.deactivateAudio(notifiesOthers: notifiesOthers, at: now, into: &steps)
        }
    }

    // MARK: Interruptions

    /// Posted on the main thread, with the session as object: another app or a phone call has interrupted the session,
    /// whose players are paused and which is inactive, or the interruption has ended. The keys are
    /// `AVAudioSessionInterruptionTypeKey` and, at the end, `AVAudioSessionInterruptionOptionKey`.
    ///
    /// An interruption need not have an end. An app that is suspended is told of the end when it runs again.
    public static let interruptionNotification = Notification.Name("AVAudioSessionInterruptionNotification")

    @MainActor func post(_ type: InterruptionType, _ options: InterruptionOptions? = nil) {
        var userInfo: [AnyHashable: Any] = [AVAudioSessionInterruptionTypeKey: type.rawValue]
        if let options { userInfo[AVAudioSessionInterruptionOptionKey] = options.rawValue }
        NotificationCenter.default.post(name: Self.interruptionNotification, object: self, userInfo: userInfo)
    }
}

/// The key of the `UInt` in an interruption's notification that is the raw value of an
/// `AVAudioSession.InterruptionType`.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"

/// The key of the `UInt` in the notification of an interruption's end that is the raw value of
/// `AVAudioSession.InterruptionOptions`.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
