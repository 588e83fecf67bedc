import LifeCycleModel
import LifeCyclePolicy
import RoostPorts

/// The source of the device's positions.
extension Supervisor {
    func watchLocations() throws(SystemError) {
        guard let source = parts.location else { return }
        try loop.add(source.descriptor, events: .readable) { [unowned self] _ in
            for report in source.takeReports() { submit(.concern(.location(report))) }
        }
    }

    func perform(_ output: LocationOutput) {
        switch output {
        case .setReceiver(let isOn):
            if let source = parts.location { return source.setReceiver(isOn) }
            guard isOn else { return }
            submit(.concern(.location(.receiverEnded("this system was started without roost-gps"))))
        }
    }
}
