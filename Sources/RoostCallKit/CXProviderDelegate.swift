public import Foundation
public import RoostAVFAudio

/// The object that a provider calls about calls. All methods but the first are optional.
///
/// The user, or the app itself by `CXCallController`, asks for the actions. The app fulfills each action, or fails,
/// within 60 s. `provider(_:execute:)` does not exist: each action of a transaction has its own call.
@preconcurrency @MainActor public protocol CXProviderDelegate: NSObjectProtocol {
    /// The calls of the provider are lost. Never called on Roost: calls continue after a restart of the system.
    func providerDidReset(_ provider: CXProvider)
    /// The app begins an outgoing call. If the action fails, the call is over.
    func provider(_ provider: CXProvider, perform action: CXStartCallAction)
    /// A call is answered. If the action fails, the call is over.
    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction)
    /// A call is declined, or ended. The call is over also if the action fails.
    func provider(_ provider: CXProvider, perform action: CXEndCallAction)
    /// A call is put on hold, or taken again. If the action fails, the call stays as it was.
    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction)
    /// A call is muted, or no longer. If the action fails, the call stays as it was.
    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction)
    /// The time for an action is over. If it was to start, answer or end the call, the call is over, too.
    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction)
    /// A call is on, or is dialing: the app may begin its sound, in the background also without the mode `audio`
    ///
    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession)
    /// The last call that was on is over, or on hold: the app ends its sound.
    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession)
}

// Swift on Linux has no optional protocol methods: these defaults replace them.
extension CXProviderDelegate {
    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXStartCallAction) { action.fail() }
    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { action.fail() }
    /// Fails the action. The call ends all the same.
    public func provider(_ provider: CXProvider, perform action: CXEndCallAction) { action.fail() }
    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) { action.fail() }
    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) { action.fail() }
    /// Does nothing.
    public func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {}
    /// Does nothing.
    public func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {}
    /// Does nothing.
    public func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {}
}
