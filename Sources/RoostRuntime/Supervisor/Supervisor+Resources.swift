import LifeCycleModel
import LifeCyclePolicy
import Logging
import RoostPorts

/// What apps use of the device, as it is measured: memory, disk and the length of their logs.
extension Supervisor {
    /// The size of a container, measured on a thread of its own.
    struct Measurement: Sendable {
        let launch: LaunchID
        let result: Result<Int64, SystemError>
    }

    // MARK: Memory

    func watchMemory() {
        for signal in parts.memory?.signals ?? [] {
            do throws(SystemError) {
                try loop.add(signal.descriptor, events: .priority) { [unowned self] readiness in
                    guard !readiness.contains(.error) else { return loop.remove(signal.descriptor) }
                    switch signal.level {
                    case .low: submit(.memoryRanLow)
                    case .short: submit(.memoryRanShort)
                    }
                }
            } catch {
                logger.warning(
                    "the pressure on memory can't be watched",
                    metadata: ["level": "\(signal.level.rawValue)", "problem": "\(error)"])
            }
        }
    }

    /// Measures the memory of an app that was just suspended: nothing waits for it, so everything else goes first.
    func measureNext() {
        guard !unmeasured.isEmpty else { return }
        let launch = unmeasured.removeFirst()
        guard handles[launch] != nil else { return }
        submit(.footprintMeasured(launch, size: parts.processes.footprint(of: launch)))
    }

    // MARK: Disk

    func measureContainer(of launch: LaunchID) {
        guard let identifier = identifiers[launch.app] else { return }
        parts.files.measure(identifier) { [measurements] in
            measurements.post(Measurement(launch: launch, result: $0))
        }
    }

    func measured(_ measurement: Measurement) {
        switch measurement.result {
        case .success(let size): submit(.containerMeasured(measurement.launch, size: size))
        case .failure(let error):
            // Gone meanwhile, most likely: its exit tells the rest.
            logger.debug(
                "a container can't be measured",
                metadata: ["launch": "\(measurement.launch)", "problem": "\(error)"])
        }
    }

    // MARK: Logs

    func watchLogs() {
        guard let logs = parts.logs else { return }
        tendLogs()
        guard let descriptor = logs.descriptor else { return }
        do throws(SystemError) {
            try loop.add(descriptor, events: .readable) { [unowned self] _ in tendLogs() }
        } catch {
            logger.warning("the logs of apps can't be watched", metadata: ["problem": "\(error)"])
        }
    }

    func tendLogs() { tendLogsAt = parts.logs?.tend(at: Moment.now.awake) }
}
