import LifeCycleModel

extension DeviceState {
    /// What a launch's process is given to know from its first instruction on: the body only hands it over. Nil where
    /// there is no such launch any more.
    ///
    /// It is what is so now: a process whose early start had to wait may have been launched since (T28).
    func launchContext(of launch: LaunchID) -> LaunchContext? {
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
                ? newsstandDownloads(of: launch.app) : [])
    }

    /// What an app calls its Newsstand downloads that have come to an end and that it has not heard of, the first of them
    ///
    private func newsstandDownloads(of app: AppID) -> [String] {
        guard let id = transfers.session(of: app, named: .newsstand), let session = transfers.sessions[id] else {
            return []
        }
        let names = session.owed.lazy.compactMap { session.transfers[$0.value.number]?.record.text }
            .filter { $0.utf8.count <= LaunchContext.longestDownload }
        return Array(names.prefix(LaunchContext.mostDownloads))
    }
}
