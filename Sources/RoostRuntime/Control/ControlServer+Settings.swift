import LifeCycleModel
import LifeCyclePolicy
import RoostWire

/// Settings of the user, for the device or for one app.
extension ControlServer {
    /// Changes a setting. An app has only the setting of Background App Refresh; other names are refused for apps.
    func set(_ name: String, _ value: String, _ app: BundleIdentifier?) throws(ControlFailure) -> ControlReply {
        let setting: DeviceSetting
        do throws(DeviceSetting.Invalid) {
            setting = try DeviceSetting(name: name, value: value)
        } catch {
            throw ControlFailure(code: .badSetting, message: error.description)
        }
        guard let app else { return try act(.device(.settingChanged(setting))) }
        guard case .backgroundRefresh(let isOn) = setting else {
            throw ControlFailure(
                code: .badSetting,
                message: "\(name) is a setting of the device; only backgroundRefresh can be set for an app")
        }
        return try act(on: app) { .device(.backgroundRefreshChanged($0, isOn)) }
    }

    /// The device's settings, followed by each app's settings.
    var settings: SettingsSummary {
        let ofDevice = supervisor.device.record.settings.lines.map {
            SettingsSummary.Line(name: $0.name, value: $0.value)
        }
        let ofApps = supervisor.device.snapshots.map(\.record).map { record in
            SettingsSummary.Line(
                name: "backgroundRefresh", value: record.allowsBackgroundRefresh ? "on" : "off",
                app: record.manifest.identifier)
        }
        return SettingsSummary(settings: ofDevice + ofApps)
    }
}
