import RoostPorts
import RoostWire

/// Whether the device of a system of our own is on.
enum DevicePower: Hashable {
    case on
    case shuttingDown(startingAgain: Bool)
    case off
    /// Its system is to come up.
    case starting
    /// It is on, and its system's successor is to come up.
    case handingOver

    var isShuttingDown: Bool { if case .shuttingDown = self { true } else { false } }
}

/// The device as a whole. A system that runs without us is left on: others have apps in it.
extension RunSession {
    var isDeviceOff: Bool { power == .off }

    /// Ends the system as a shutdown of the device does, with all its apps.
    func shutDownDevice(startingAgain: Bool) {
        guard power == .on, let system = ownSystem("shut down") else { return }
        screen.say(.you, startingAgain ? "start the device anew" : "shut the device down")
        power = .shuttingDown(startingAgain: startingAgain)
        losePatienceLater()
        system.shutDownDevice()
    }

    /// The system has ended with its apps.
    func deviceIsOff(startingAgain: Bool) {
        power = .off
        (app, status, opensAgain) = (nil, nil, false)
        screen.say(.system, "the device is off")
        if startingAgain { startDevice() }
    }

    /// Starts the system as the device's next boot.
    func startDevice() {
        guard let system = ownSystem("started") else { return }
        screen.say(.you, "start the device")
        power = .starting
        do {
            try system.startDevice()
            try waitFor(system)
        } catch {
            stop(1, "the device can't be started: \(error)")
        }
    }

    /// Starts the system anew as `roost restart` does.
    func restartSystem() {
        guard power == .on, ownSystem("started anew") != nil else { return }
        screen.say(.you, "start Roost anew")
        power = .handingOver
        ask(.restart) { [unowned self] in
            guard case .failed(let failure) = $0 else { return }
            power = .on
            screen.say(.problem, failure.message)
        }
    }

    private func ownSystem(_ what: String) -> OwnSystem? {
        if case .own(let system) = place { return system }
        screen.say(.problem, "this system was not started by roost run, and is not \(what) by it")
        return nil
    }
}
