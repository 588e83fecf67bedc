import LifeCycleModel
import LifeCyclePolicy
import Logging
import RoostPorts

/// The machine's own state: network, power supply and time zone.
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

    /// Applies the state of a battery as a setting, until the user changes the setting.
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

    /// Reports a change of the zone or its rules. Other changes of the watched files are ignored.
    private func lookAtZone() {
        guard let (name, rules) = parts.zones?.localZone(), zone?.name != name || zone?.rules != rules else { return }
        zone = (name, rules)
        logger.info("the time zone is known", metadata: ["zone": "\(name)"])
        submit(.device(.zoneChanged(name, rules)))
    }
}
