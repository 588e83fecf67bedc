internal import CRoost
internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// The power supplies in `/sys/class/power_supply`. The kernel's device messages report changes.
public final class PowerSupplies: PowerSupplyWatch {
    /// Readable after the kernel has reported a change of any device.
    public let descriptor: Int32
    private let directory: String

    /// Starts watching. `directory` is the path of the supplies. Throws if netlink is unavailable.
    public init(directory: String = "/sys/class/power_supply") throws(SystemError) {
        var descriptor: Int32 = -1
        let code = croost_device_watch(&descriptor)
        guard code == 0 else {
            throw SystemError(doing: "watch the power supplies", subject: "netlink", errno: code)
        }
        self.descriptor = descriptor
        self.directory = directory
    }

    deinit { close(descriptor) }

    /// The power source, and the battery's charge in percent, the mean if there are several batteries. Nil without a
    /// battery. Batteries of peripherals, such as a mouse, are ignored.
    public func state() -> (source: PowerSource, batteryLevel: Int32)? {
        _ = croost_netlink_drain(descriptor, nil)
        var levels: [Int32] = []
        var isOnline = false
        var isDischarging = false
        for name in Files.names(in: directory) ?? [] {
            let supply = "\(directory)/\(name)"
            guard let type = word("type", of: supply), word("scope", of: supply) != "Device" else { continue }
            if type == "Battery" {
                guard word("present", of: supply) != "0", let level = Int32(word("capacity", of: supply) ?? "") else {
                    continue
                }
                levels.append(min(100, max(0, level)))
                if word("status", of: supply) == "Discharging" { isDischarging = true }
            } else if word("online", of: supply) == "1" {
                isOnline = true
            }
        }
        guard !levels.isEmpty else { return nil }
        let level = levels.reduce(0, +) / Int32(levels.count)
        return (isOnline || !isDischarging ? .external : .battery, level)
    }

    private func word(_ file: String, of supply: String) -> String? {
        Files.text("\(supply)/\(file)")?.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }
}
