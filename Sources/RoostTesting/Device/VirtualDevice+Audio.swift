import LifeCycleModel
import LifeCyclePolicy

/// Phone calls, which interrupt the sound of apps.
extension VirtualDevice {
    /// A phone call begins: it interrupts the audio session of every app. It concerns the sound alone; `interrupt(by:)`
    /// makes the foreground app inactive.
    public func beginCall() async { await act("a phone call begins", .concern(.audio(.call(isOn: true)))) }

    /// The phone call ends. An app that played when it was interrupted is told to continue.
    public func endCall() async { await act("the phone call ends", .concern(.audio(.call(isOn: false)))) }
}

extension CallbackName {
    /// An app's audio session is interrupted, or the interruption has ended.
    public static let interruptionNotification = CallbackName(AudioCall.Method.interruptionNotification)
    /// An audio player has played its sound to the end.
    public static let audioPlayerDidFinishPlaying = CallbackName(AudioCall.Method.audioPlayerDidFinishPlaying)
}
