import LifeCycleModel

extension DeviceState {
    /// The context that a launch's process has from its first instruction on; nil if the launch is over. The body only
    /// passes it on.
    ///
    /// The context is of this moment: a prewarmed process whose start had to wait may have been launched meanwhile
    /// (T28).
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
            newsstandDownloads: reason == .newsstand && app.lifeCycle.pendingNotification == nil
                ? newsstandDownloads(launch.app) : [],
            keepAliveFloor: manifest.backgroundModes.contains(.voip) ? policy.keepAliveFloor : nil)
    }
}
