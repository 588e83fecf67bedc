import LifeCycleModel
import LifeCyclePolicy

/// No transfer runs without a network, over a forbidden network, twice at once, or beyond the limits in total and per
/// host. Transfers that the user has forced may double the total. A transfer that may no longer run is stopped
///
struct TransfersKeepLimits: Invariant {
    static let name = "transfers keep limits"

    private struct Running: Sendable {
        let attempt: Int32
        let host: Substring
        var isStopping = false
    }

    // The order does not matter: the table is for look-up and counting, and of several violations the first is
    // reported.
    private var running: [TransferID: Running] = [:]
    /// A transfer that the user has forced waits only for a network, and has twice the usual limit in total.
    private var forced: Set<TransferID> = []

    mutating func check(_ turn: Observation) -> String? {
        let (effects, device) = (turn.effects, turn.device)
        note(turn.event)
        for effect in effects {
            switch effect {
            case .concern(.transfer(.begin(let id, let attempt))):
                // A transfer whose time is up when it begins is stopped at once.
                let isStopped = effects.contains(.concern(.transfer(.stop(id))))
                if let finding = begins(id, attempt, device, isStopped: isStopped) { return finding }
            case .concern(.transfer(.stop(let id))): running[id]?.isStopping = true
            case .concern(.transfer(.discard(let id))): running[id] = nil
            default: break
            }
        }
        switch turn.event {
        case .device(.settingChanged), .app(_, .requested(.concern(.transfer(_, .open)))): break
        default: return nil
        }
        let settings = device.record.settings
        let wrong = running.filter { entry in
            if entry.value.isStopping { return false }
            if settings.network == .none { return true }
            return !forced.contains(entry.key) && Self.isForbidden(entry.key, settings, device)
        }
        return wrong.keys.min().map { "\($0) goes on over \(settings.network)" }
    }

    mutating func systemRestarted() { (running, forced) = ([:], []) }

    private mutating func note(_ event: Event) {
        switch event {
        case .concern(.transfer(.reported(let report))):
            switch report {
            case .completed(let id, let attempt, _, _), .failed(let id, let attempt, _):
                guard running[id]?.attempt == attempt else { return }
                running[id] = nil
                forced.remove(id)
            case .stopped(let id, let attempt, _): if running[id]?.attempt == attempt { running[id] = nil }
            case .responded, .progressed, .checkpointed, .moved: break
            }
        case .concern(.transfer(.userAction(let id, .now))): forced.insert(id)
        case .concern(.transfer(.userAction(let id, .pause))): forced.remove(id)
        default: break
        }
    }

    private mutating func begins(_ id: TransferID, _ attempt: Int32, _ device: Device, isStopped: Bool) -> String? {
        if running[id] != nil { return "\(id) is begun, and under way" }
        guard let task = device.transferSnapshot(of: id), let session = Self.session(of: id, device) else {
            return "\(id) is begun, and there is no such task"
        }
        let settings = device.record.settings
        if settings.network == .none { return "\(id) is begun without a network" }
        if task.record.outcome != nil, !isStopped { return "\(id) is begun, and has come to its end" }
        if task.record.isSuspended || task.record.isPaused { return "\(id) is begun, and no app wants it" }
        let host = Self.host(of: task.record.request.url)
        if Int64(running.count / 2) >= device.policy.transfersAtOnce {
            return "\(id) is begun beside \(running.count), which is more than the user may have"
        }
        if !forced.contains(id) {
            if Self.isForbidden(id, settings, device) {
                return "\(id) is begun over \(settings.network)"
            }
            if running.count >= device.policy.transfersAtOnce { return "\(id) is begun beside \(running.count)" }
            let beside = running.count { $0.key.session == id.session && $0.value.host == host }
            if beside >= session.configuration.connectionsPerHost {
                return "\(id) is begun, and its session has \(beside) from its host"
            }
        }
        running[id] = Running(attempt: attempt, host: host)
        return nil
    }

    private static func session(of id: TransferID, _ device: Device) -> TransferSessionRecord? {
        device.sessionRecords.first { $0.id == id.session }
    }

    /// Whether the transfer may not use the current network.
    private static func isForbidden(_ id: TransferID, _ settings: DeviceSettings, _ device: Device) -> Bool {
        guard let task = device.transferSnapshot(of: id), let session = session(of: id, device) else { return false }
        let networks = session.configuration.networks.and(task.record.request.networks)
        let isDiscretionary = session.configuration.isDiscretionary || task.record.isFromBackground
        let isMobile = settings.network == .cellular
        if isMobile, isDiscretionary || !networks.cellular { return true }
        if isMobile || settings.isMetered, isDiscretionary || !networks.expensive { return true }
        return settings.lowDataMode && (isDiscretionary || !networks.constrained)
    }

    private static func host(of url: String) -> Substring {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count > 2 ? parts[2] : ""
    }
}
