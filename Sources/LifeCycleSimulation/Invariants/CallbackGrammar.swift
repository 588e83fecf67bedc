import LifeCycleModel
import LifeCyclePolicy

/// Every launch receives callbacks in the order of section 1.3, one at a time: the next only after the acknowledgment
/// of the last.
struct CallbackGrammar: Sendable {
    private struct Track: Sendable {
        /// The last acknowledged callback; nil before the first, and after the system's restart.
        var last: Callback?
        var pending: (id: CallbackID, callback: Callback)?
        var isKnown: Bool
    }

    /// For look-up only, so the order does not matter.
    private var tracks: [LaunchID: Track] = [:]

    mutating func check(
        _ event: Event, _ effects: [Effect], pushes: (PushID) -> RemoteNotification? = { _ in nil }
    ) -> String? {
        switch event {
        case .app(let launch, .requested(.acknowledge(let id, _))):
            if var track = tracks[launch], let pending = track.pending, pending.id == id {
                track.pending = nil
                if !Self.isAside(pending.callback) { track.last = pending.callback }
                tracks[launch] = track
            }
        case .app(let launch, .attached(let attachment)):
            if var track = tracks[launch], let pending = track.pending, attachment.lastCallback >= pending.id {
                track.pending = nil
                if !Self.isAside(pending.callback) { track.last = pending.callback }
                tracks[launch] = track
            } else if tracks[launch] == nil {
                tracks[launch] = Track(isKnown: attachment.phase == .starting)
            }
        case .process(let launch, .exited(_)):
            tracks[launch] = nil
        default:
            break
        }
        for case .launch(let launch, .send(.callback(let id, let callback))) in effects {
            var track = tracks[launch] ?? Track(isKnown: false)
            if let pending = track.pending {
                if pending.id == id, pending.callback == callback { continue }
                if case .app(_, .attached) = event, pending.id == id, pending.callback.isNews, callback.isNews {
                    continue
                }
                return "\(launch) is sent \(callback.name) before it has answered \(pending.callback.name)"
            }
            if track.isKnown, !Self.mayFollow(track.last, callback, pushes) {
                return "\(launch) is sent \(callback.name) after \(track.last?.name ?? "nothing")"
            }
            if !Self.isAside(callback) { track.isKnown = true }
            track.pending = (id, callback)
            tracks[launch] = track
        }
        return nil
    }

    /// Whether a callback does not change the app's phase.
    private static func isAside(_ callback: Callback) -> Bool {
        switch callback {
        case .expireTasks, .deviceChanged, .memoryWarning, .disconnectScene, .discardScenes, .concern:
            true
        case .launch, .didBecomeActive, .willResignActive, .didEnterBackground, .willEnterForeground, .willTerminate:
            false
        }
    }

    private static func mayFollow(
        _ last: Callback?, _ next: Callback, _ pushes: (PushID) -> RemoteNotification?
    ) -> Bool {
        switch (last, next) {
        case (nil, .launch): true
        case (.launch(let reason)?, .deviceChanged), (.launch(let reason)?, .memoryWarning): reason != .user
        case (.didBecomeActive?, .deviceChanged), (.didBecomeActive?, .memoryWarning),
            (.willResignActive?, .deviceChanged), (.willResignActive?, .memoryWarning),
            (.didEnterBackground?, .deviceChanged), (.didEnterBackground?, .memoryWarning):
            true
        case (.launch(.user)?, .concern(let call)), (.willEnterForeground?, .concern(let call)):
            call.rules.opensApp(pushes)
        case (.launch?, .concern), (.didBecomeActive?, .concern), (.willResignActive?, .concern),
            (.didEnterBackground?, .concern):
            true
        case (.didEnterBackground?, .disconnectScene): true
        case (.willTerminate?, _), (nil, _): false
        case (_, .discardScenes): true
        case (.launch(.user)?, .didBecomeActive): true
        case (.launch(let reason)?, .didEnterBackground), (.launch(let reason)?, .willEnterForeground),
            (.launch(let reason)?, .expireTasks):
            reason != .user
        case (.willEnterForeground?, .didBecomeActive): true
        case (.didBecomeActive?, .willResignActive): true
        case (.willResignActive?, .didBecomeActive), (.willResignActive?, .didEnterBackground): true
        case (.didEnterBackground?, .willEnterForeground), (.didEnterBackground?, .didEnterBackground),
            (.didEnterBackground?, .expireTasks):
            true
        case (.didBecomeActive?, .willTerminate): false
        case (_, .willTerminate): true
        default: false
        }
    }
}

extension Callback {
    /// Whether the callback reports device facts. Such a callback has the current facts if it is repeated on a new
    /// connection.
    fileprivate var isNews: Bool { if case .deviceChanged = self { true } else { false } }
}
