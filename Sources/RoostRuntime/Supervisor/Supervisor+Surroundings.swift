import LifeCycleModel
import LifeCyclePolicy
import Logging
import RoostPorts

/// What the machine itself tells of its network, its power and its time zone.
extension Supervisor {
    func watchLinks() throws(SystemError) {
        guard let links = parts.links else { return }
        try loop.add(links.descriptor, events: .readable) { [unowned self] _ in lookAtLinks() }
        lookAtLinks()
    }

    private func lookAtLinks() {
        guard let isConnected = parts.links?.isConnected(), isConnected != device.isConnected else { return }
        logger.info("the network has changed", metadata: ["connected": "\(isConnected)"])
        submit(.device(.networkChanged(isConnected: isConnected)))
    }

    /// Where there is a battery, what it says is what is set, until somebody sets it otherwise.
    func watchPower() throws(SystemError) {
        guard let supplies = parts.supplies else { return }
        try loop.add(supplies.descriptor, events: .readable) { [unowned self] _ in lookAtPower() }
        lookAtPower()
    }

    private func lookAtPower() {
        guard let (source, level) = parts.supplies?.state() else { return }
        let settings = device.record.settings
        if settings.power != source { submit(.device(.settingChanged(.power(source)))) }
        if settings.batteryLevel != level { submit(.device(.settingChanged(.batteryLevel(level)))) }
    }

    func watchZones() throws(SystemError) {
        guard let zones = parts.zones else { return }
        if let descriptor = zones.descriptor {
            try loop.add(descriptor, events: .readable) { [unowned self] _ in lookAtZone() }
        }
        lookAtZone()
    }

    /// Whatever has changed near it, only another zone is news.
    private func lookAtZone() {
        guard let (name, rules) = parts.zones?.localZone(), zone?.name != name || zone?.rules != rules else { return }
        zone = (name, rules)
        logger.info("the time zone is known", metadata: ["zone": "\(name)"])
        submit(.device(.zoneChanged(name, rules)))
    }
}
