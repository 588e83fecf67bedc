import LifeCycleModel
import LifeCyclePolicy

/// Faults from outside: another process thaws an app, a connection breaks, the disk is full.
extension World {
    /// Another process than the system's thaws an app that is connected and known to be frozen, and the system notices.
    mutating func thawFromOutside(_ app: AppID) {
        guard let snapshot = device.snapshot(of: app), snapshot.state == .suspended, let launch = snapshot.launch,
            let index = index(of: launch), processes[index].isFrozen, processes[index].isConnected
        else { return }
        faultObserver?(.outsideThaw)
        letRun(index)
        handle(.process(launch, .thawed))
    }

    /// The connection of an app breaks, and what was under way on it is lost; the app connects again, and is called again
    /// for what it has not answered.
    mutating func breakConnection(of app: AppID) {
        guard let launch = device.snapshot(of: app)?.launch, let index = index(of: launch),
            processes[index].isConnected, !processes[index].isFrozen
        else { return }
        faultObserver?(.disconnection)
        processes[index].isConnected = false
        let lost = core.agenda.take { happening in
            switch happening {
            case .messageArrives(launch, _), .requestArrives(launch, _): true
            default: false
            }
        }
        keepUnread(lost, index)
        plan(.appConnects(launch), in: latency())
    }

    /// For a while no commit succeeds.
    mutating func failStore(for span: Nanoseconds) {
        faultObserver?(.failedCommit)
        letStore(fail: true)
        plan(.storeWorks, in: span)
    }

    /// The system tries again every second; while the loop stands still it does not.
    mutating func storeWorks() {
        if pile == nil { letStore(fail: false) } else { plan(.storeWorks, in: .seconds(1)) }
    }
}
