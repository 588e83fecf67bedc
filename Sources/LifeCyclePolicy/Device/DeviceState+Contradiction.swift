import LifeCycleModel

extension DeviceState {
    /// Why no sequence of events leads to this device, in a few words; nil if no such reason is found. A device from a
    /// file may contradict itself, and the machines rely on each other.
    var contradiction: String? {
        if let limit = PolicySetting.impossibleLimit(of: policy) { return "its policy cannot have a \(limit)" }
        if ids != apps.map(\.record.app) { return "its list of numbers is not that of its apps" }
        if zip(ids, ids.dropFirst()).contains(where: { $0 >= $1 }) {
            return "its apps are not in the order of their numbers"
        }
        if !deadlines.isSound(slots: apps.count) { return "its deadlines are not those of its apps" }
        if !footprints.isSound(slots: apps.count) { return "its footprints are not those of its apps" }
        if !(0...apps.count).contains(runningApps) {
            return "it has \(apps.count) apps, and \(runningApps) of them run"
        }
        if appsKeepingAwake != apps.count(where: \.keepsDeviceAwake) {
            return "\(appsKeepingAwake) apps keep it awake, and other apps say so"
        }
        return implausibleCount
    }

    /// A reason if a count is negative, or so large that further counting could overflow; otherwise nil.
    private var implausibleCount: String? {
        let (long, short) = (0..<Int64.max / 2, 0..<Int32.max / 2)
        if !long.contains(lastSwitcherPlace) { return "its app switcher has \(lastSwitcherPlace) places" }
        if !long.contains(record.clockChanges) { return "its clock was set \(record.clockChanges) times" }
        for app in apps {
            let name = app.record.app
            if !short.contains(app.record.lastLaunch) { return "\(name) was launched \(app.record.lastLaunch) times" }
            if !short.contains(app.suspension.attempt) { return "\(name) was frozen \(app.suspension.attempt) times" }
            if case .frozen(let footprint) = app.suspension.state, footprint < 0 {
                return "\(name) holds \(footprint) bytes of memory"
            }
        }
        return nil
    }
}
