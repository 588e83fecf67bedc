import LifeCycleModel

extension DeviceState {
    /// What a launch's process is given to know from its first instruction on: the body only hands it over. Nil where
    /// there is no such launch any more.
    ///
    /// It is what is so now: a process whose early start had to wait may have been launched since (T28).
    func launchContext(
        of launch: LaunchID, newsstandDownloads: (AppID) -> [String]
    ) -> LaunchContext? {
        guard let slot = slot(of: launch.app), apps[slot].lifeCycle.launch == launch,
            let reason = apps[slot].lifeCycle.launchReason
        else { return nil }
        let app = apps[slot]
        let manifest = app.record.manifest
        return LaunchContext(
            reason: reason, backgroundTime: policy.backgroundTime,
            //
            isMultitaskingSupported: !manifest.exitsOnSuspend,
            sceneSession: manifest.usesScenes ? app.record.scenes.current : nil,
            principalClass: manifest.principalClass, isPrewarmed: app.lifeCycle.isPrewarmed,
            newsstandDownloads: reason == .newsstand && app.lifeCycle.owedNotification == nil
                ? newsstandDownloads(launch.app) : [])
    }
}
