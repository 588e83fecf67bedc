public import Foundation

/// The object that an audio player tells of the end of its sound. All methods are optional.
@preconcurrency @MainActor public protocol AVAudioPlayerDelegate: NSObjectProtocol {
    /// The player has played its sound to the end, with all repetitions. The flag is true. Not called if the player is
    /// paused, stopped or interrupted.
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
}

// Swift on Linux has no optional protocol methods: this default replaces them.
extension AVAudioPlayerDelegate {
    /// Does nothing.
    public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
}
