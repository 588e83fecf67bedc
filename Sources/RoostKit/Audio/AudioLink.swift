package import AppCore
package import LifeCycleModel

/// The link between an app and its sound. Any thread.
extension AppSession {
    /// A value about the sound, read from the core. The time is on CLOCK_MONOTONIC.
    package func readingAudio<Value: Sendable>(_ read: (_ core: AppCore, _ now: Nanoseconds) -> Value) -> Value {
        let now = now
        return reading { read($0, now) }
    }

    /// A change of the core because of the audio session or a player.
    package func changingAudio<Value: Sendable>(
        _ change: (_ core: inout AppCore, _ now: Nanoseconds, _ steps: inout [Step]) -> Value
    ) -> Value {
        changing(for: .audio, change)
    }
}
