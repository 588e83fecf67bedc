public import Foundation
public import RoostAVFAudio

/// The object that a provider calls about calls. All methods but the first are optional.
@preconcurrency @MainActor public protocol CXProviderDelegate: NSObjectProtocol {
    /// The calls of the provider are lost. Never called on Roost: calls continue after a restart of the system.
    func providerDidReset(_ provider: CXProvider)
    /// The user has answered a call. The app fulfills the action, or fails, within 60 s.
    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction)
    /// The user has declined a call, or has ended it. The app fulfills the action, or fails, within 60 s.
    func provider(_ provider: CXProvider, perform action: CXEndCallAction)
    /// The time for an action is over. The call is over, too.
    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction)
    /// A call is on: the app may begin its sound, in the background also without the mode `audio`.
    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession)
    /// The last call that was connected is over: the app ends its sound.
    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession)
}

// Swift on Linux has no optional protocol methods: these defaults replace them.
extension CXProviderDelegate {
    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { action.fail() }
    /// Fails the action. The call ends all the same.
    public func provider(_ provider: CXProvider, perform action: CXEndCallAction) { action.fail() }
    /// Does nothing.
    public func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {}
    /// Does nothing.
    public func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {}
    /// Does nothing.
    public func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {}
}
