import AppCore
public import LifeCycleModel

/// A call of an app's code to its audio session, or to its player.
private enum AudioSDKCall: SDKCall {
    case setSession(AudioSession)
    case activate
    case deactivate(notifiesOthers: Bool)
    case play(Nanoseconds?)
    case stop

    var signature: String {
        switch self {
        case .setSession: "setCategory(_:mode:options:)"
        case .activate, .deactivate(notifiesOthers: false): "setActive(_:)"
        case .deactivate(notifiesOthers: true): "setActive(_:options:)"
        case .play: "play()"
        case .stop: "stop()"
        }
    }

    var rule: String {
        switch self {
        case .setSession: "R-152"
        case .activate: "R-153"
        case .deactivate: "R-82"
        case .play, .stop: "R-154"
        }
    }

    var text: String {
        switch self {
        case .setSession(let session):
            "sets its audio session to \(session.category.rawValue)"
                + (session.mixes ? ", which mixes with the sound of others" : "")
        case .activate: "activates its audio session"
        case .deactivate(notifiesOthers: false): "deactivates its audio session"
        case .deactivate(notifiesOthers: true): "deactivates its audio session, and notifies others"
        case .play(nil): "plays a sound without end"
        case .play(let length?): "plays a sound of \(length)"
        case .stop: "stops its sound"
        }
    }

    func perform(in app: inout ScriptedApp, at now: Nanoseconds, into acts: inout [ScriptedApp.Act]) {
        var new: [Step] = []
        switch self {
        case .setSession(let session): app.core.setAudioSession(session, into: &new)
        case .activate: _ = app.core.activateAudio(hasMode: app.hasAudioMode, into: &new)
        case .deactivate(let notifiesOthers):
            _ = app.core.deactivateAudio(notifiesOthers: notifiesOthers, at: now, into: &new)
        case .play(let length): app.play(length, at: now, into: &new)
        case .stop: if let player = app.player { app.core.pauseAudio(player.id, at: now, into: &new) }
        }
        app.add(new, into: &acts)
    }
}

extension AppScript.Act {
    /// Sets the category of the app's audio session.
    public static func setsAudio(_ session: AudioSession) -> Self { .sdk(AnySDKCall(AudioSDKCall.setSession(session))) }

    /// Plays a sound of this length from its beginning; nil plays a sound without end.
    public static func playsAudio(_ length: Nanoseconds?) -> Self { .sdk(AnySDKCall(AudioSDKCall.play(length))) }

    /// Stops the sound.
    public static let stopsAudio = Self.sdk(AnySDKCall(AudioSDKCall.stop))

    /// Activates the app's audio session.
    public static let activatesAudio = Self.sdk(AnySDKCall(AudioSDKCall.activate))

    /// Deactivates the app's audio session, with or without a notice to interrupted apps.
    public static func deactivatesAudio(notifiesOthers: Bool) -> Self {
        .sdk(AnySDKCall(AudioSDKCall.deactivate(notifiesOthers: notifiesOthers)))
    }
}
