package import AppCore
package import LifeCycleModel

/// The audio session and the players of an app: RoostAVFAudio's objects, which call the app's code.
package protocol AudioListener: AnyObject, Sendable {
    /// Makes the calls that `AppSession.nextAudioDelivery()` returns.
    @MainActor func deliver(from app: AppSession)
}

/// The link between an app and its sound. Any thread, unless stated otherwise.
extension AppSession {
    /// The app's audio session and players, which are made on the first use. `make` is called under the session's lock.
    package func audioListener(_ make: () -> any AudioListener) -> any AudioListener {
        transferring { state, _ in
            if let listener = state.audioListener { return listener }
            let listener = make()
            state.audioListener = listener
            return listener
        }
    }

    /// The app has ended: its code is not called any more.
    func forgetAudioListener() { transferring { state, _ in state.audioListener = nil } }

    /// A value about the sound at this time, read from the core.
    package func readingAudio<Value: Sendable>(_ read: (_ core: AppCore, _ now: Nanoseconds) -> Value) -> Value {
        let now = now
        return reading { read($0, now) }
    }

    /// A change of the core because of the audio session or a player. The requests are sent, and the calls are made
    /// soon after, on the main thread.
    package func sounding<Value: Sendable>(
        _ change: (_ core: inout AppCore, _ now: Nanoseconds, _ steps: inout [Step]) -> Value
    ) -> Value {
        defer { deliverAudioLater() }
        let now = now
        return transferring { state, steps in change(&state.core, now, &steps) }
    }

    /// Takes the next call that the audio session or a player has to make; nil if there is none.
    package func nextAudioDelivery() -> AudioDelivery? {
        transferring { state, _ in state.core.nextAudioDelivery() }
    }

    /// Lets the audio session and the players make their calls now.
    @MainActor func deliverAudio() {
        let listener = transferring { state, _ in state.audioListener }
        listener?.deliver(from: self)
    }

    func deliverAudioLater() { onMainThread(isLater: true) { [self] in deliverAudio() } }
}
