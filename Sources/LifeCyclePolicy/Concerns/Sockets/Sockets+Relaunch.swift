import LifeCycleModel

/// The launch of `voip` apps after an end in the background.
extension Sockets {
    /// The process of an app is gone.
    mutating func exited(
        _ launch: LaunchID, _ reason: TerminationReason, inBackground: Bool, on device: DeviceState
    ) {
        guard inBackground, reason.leadsToLaunch, device.policy.launchesVoIPAtStart,
            device.status(of: launch.app)?.isForceQuit == false,
            device.manifest(of: launch.app)?.backgroundModes.contains(.voip) == true
        else { return }
        toLaunch.append(launch.app)
        becomeStale()
    }

    /// Launches the apps that have ended, unless they end again and again.
    mutating func launchAgain(on device: DeviceState, into actions: inout Actions<Self>) {
        let since = device.awakeNow - device.policy.voipPeriod
        for (app, times) in launches where times.allSatisfy({ $0 <= since }) { launches.remove(app) }
        let apps = toLaunch + delayed.filter { $0.value <= device.awakeNow }.map(\.key)
        toLaunch = []
        for app in apps { delayed.remove(app) }
        // The user has opened these apps, or something else has woken them.
        for app in delayed.keys where device.liveLaunch(of: app) != nil { delayed.remove(app) }
        for app in apps where device.liveLaunch(of: app) == nil {
            if let refusal = device.refusal(to: app, for: .voip) {
                actions.refuse(app, .wakeRefused(.voip, refusal))
                continue
            }
            let recent = (launches[app] ?? []).filter { $0 > since }
            guard recent.count < Int(device.policy.voipRelaunches) else {
                launches.set(recent, for: app)
                // Nil only if the policy allows no launch.
                if let oldest = recent.first { delayed.set(oldest + device.policy.voipPeriod, for: app) }
                actions.explain(.endedTooOften(app))
                continue
            }
            launches.set(recent + [device.awakeNow], for: app)
            actions.explain(.launchedAgain(app))
            actions.wake(app, for: .voip)
        }
    }
}

extension TerminationReason {
    /// Whether a `voip` app is launched again after such an end in the background: it crashed, exited with a code other
    /// than 0, or was killed, not for the user or for a new version.
    fileprivate var leadsToLaunch: Bool {
        switch self {
        case .exited(.exited(code: 0)), .launchFailed, .forceQuit, .exitsOnSuspend, .shutdown, .deviceShutdown,
            .uninstalled, .updated, .didNotExit, .wokenTooOften, .noCallReported, .tooManyRequests, .tooMuchDisk,
            .notFreezable, .fault:
            false
        case .exited, .cutOff, .watchdog, .lostContact, .tasksNotEnded, .sessionEventsNotHandled,
            .eventNotHandled, .tooManyTasks, .memory, .systemGone:
            true
        }
    }
}
