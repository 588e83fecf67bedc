import RoostPorts
import RoostWire

/// The power state of the device, if this command started the system.
enum DevicePower: Hashable {
    case on
    case shuttingDown(startingAgain: Bool)
    case off
    /// The system is starting.
    case starting
    /// The device is on, and the restarted system is coming up.
    case handingOver

    var isShuttingDown: Bool { if case .shuttingDown = self { true } else { false } }
}

/// Actions on the whole device. The actions do not apply to a system that was already running, because other clients
/// use it.
extension RunSession {
    var isDeviceOff: Bool { power == .off }

    /// Ends the system and all its apps, like a shutdown of the device.
    func shutDownDevice(startingAgain: Bool) {
        guard power == .on, let system = ownSystem("shut down") else { return }
        screen.say(.you, startingAgain ? "restart the device" : "shut the device down")
        power = .shuttingDown(startingAgain: startingAgain)
        losePatienceLater()
        system.shutDownDevice()
    }

    /// The system and its apps have ended.
    func deviceIsOff(startingAgain: Bool) {
        power = .off
        (app, status, opensAgain) = (nil, nil, false)
        screen.say(.system, "the device is off")
        if startingAgain { startDevice() }
    }

    /// Starts the system, like the next boot of the device.
    func startDevice() {
        guard let system = ownSystem("started") else { return }
        screen.say(.you, "start the device")
        power = .starting
        do {
            try system.startDevice()
            try waitFor(system)
        } catch {
            stop(1, "cannot start the device: \(error)")
        }
    }

    /// Restarts the system, like `roost restart`.
    func restartSystem() {
        guard power == .on, ownSystem("restarted") != nil else { return }
        screen.say(.you, "restart Roost")
        power = .handingOver
        ask(.restart) { [unowned self] in
            guard case .failed(let failure) = $0 else { return }
            power = .on
            screen.say(.problem, failure.message)
        }
    }

    private func ownSystem(_ what: String) -> OwnSystem? {
        if case .own(let system) = place { return system }
        screen.say(.problem, "roost run did not start this system, so it cannot be \(what) from here")
        return nil
    }
}
