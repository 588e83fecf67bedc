import LifeCycleModel
import LifeCyclePolicy

/// The launch of apps after an end in the background in the reference model.
extension ReferenceModel {
    mutating func endedInBackground(_ app: AppID, _ reason: TerminationReason) {
        guard policy.launchesVoIPAtStart, Self.isLaunchedAfter(reason), let index = place(of: app),
            apps[index].manifest.backgroundModes.contains(.voip), !apps[index].isForceQuit
        else { return }
        sockets.ended.append(app)
    }

    /// Whether an app with the mode `voip` is launched after such an end. Ends by the user, by the system's own stop,
    /// by a new version and in answer to a request are final, and so are ends that would only repeat.
    private static func isLaunchedAfter(_ reason: TerminationReason) -> Bool {
        switch reason {
        case .exited(let status): status != .exited(code: 0)
        case .memory, .watchdog, .cutOff, .lostContact, .systemGone: true
        case .tooManyTasks, .tasksNotEnded, .eventNotHandled, .sessionEventsNotHandled: true
        case .forceQuit, .exitsOnSuspend, .updated, .didNotExit, .uninstalled, .shutdown, .deviceShutdown: false
        case .wokenTooOften, .noCallReported, .tooManyRequests, .tooMuchDisk: false
        case .launchFailed, .notFreezable, .fault: false
        }
    }

    /// The apps that have ended are launched again, a few times in a while. The others follow when the oldest of these
    /// launches does not count any longer, unless they run by then.
    mutating func launchEndedApps() {
        let isRunning = apps.filter { $0.launch?.isGoing == false }.map(\.id)
        sockets.delayed.removeAll { isRunning.contains($0.app) }
        let ended = sockets.ended + sockets.delayed.filter { $0.at <= now }.map(\.app).sorted()
        sockets.delayed.removeAll { ended.contains($0.app) }
        sockets.ended = []
        for app in ended {
            // The user may have opened the app meanwhile.
            guard let index = index(of: app), apps[index].launch?.isGoing != false else { continue }
            let obstacles = obstacles(index, .voip)
            guard obstacles.isEmpty else {
                refuseVoIPWake(app, obstacles)
                continue
            }
            let recent = sockets.launches.filter { $0.app == app && now < $0.at + policy.voipPeriod }
            guard Int64(recent.count) < policy.voipRelaunches else {
                sockets.said.append(.endedTooOften(app))
                let until = recent.map { $0.at + policy.voipPeriod }.min()
                if let until { sockets.delayed.append(ReferenceSockets.Time(app: app, at: until)) }
                continue
            }
            sockets.launches.append(ReferenceSockets.Time(app: app, at: now))
            sockets.said.append(.launchedAgain(app))
            requests.append(.wake(app, .voip, nil))
        }
    }
}
