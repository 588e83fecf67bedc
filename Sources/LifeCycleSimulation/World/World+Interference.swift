import LifeCycleModel
import LifeCyclePolicy

/// Faults from outside: another process thaws an app, a connection breaks, the store fails.
extension World {
    /// A process outside the system thaws a connected app that is known to be frozen, and the system notices.
    mutating func thawFromOutside(_ app: AppID) {
        guard let snapshot = device.snapshot(of: app), snapshot.state == .suspended, let launch = snapshot.launch,
            let index = index(of: launch), processes[index].isFrozen, processes[index].isConnected
        else { return }
        faultObserver?(.outsideThaw)
        letRun(index)
        handle(.process(launch, .thawed))
    }

    /// The connection of an app breaks, and pending messages on it are lost. The app connects again, and receives the
    /// callbacks again that it has not acknowledged.
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

    /// Makes commits fail for `span`.
    mutating func failStore(for span: Nanoseconds) {
        faultObserver?(.failedCommit)
        letStore(fail: true)
        plan(.storeWorks, in: span)
    }

    /// The store works again. The system retries every second, but not during a stall of the event loop.
    mutating func storeWorks() {
        if pile == nil { letStore(fail: false) } else { plan(.storeWorks, in: .seconds(1)) }
    }
}
