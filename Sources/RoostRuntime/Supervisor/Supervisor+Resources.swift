import LifeCycleModel
import LifeCyclePolicy
import Logging
import RoostPorts

/// What apps use of the device, as it is measured: memory and disk.
extension Supervisor {
    /// What was measured on a thread of its own.
    enum Measurement: Sendable {
        /// The memory a launch holds.
        case footprint(LaunchID, Int64)
        /// The size of an app's container.
        case container(LaunchID, Result<Int64, SystemError>)
    }

    // MARK: Memory

    func watchMemory() {
        for signal in parts.memory?.signals ?? [] {
            do throws(SystemError) {
                try loop.add(signal.descriptor, events: .priority) { [unowned self] readiness in
                    guard !readiness.contains(.error) else { return loop.remove(signal.descriptor) }
                    switch signal.level {
                    case .low: submit(.device(.memoryRanLow))
                    case .short: submit(.device(.memoryRanShort))
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
        guard handles[launch] != nil, let footprint = parts.processes.footprint(of: launch) else { return }
        parts.measuring { [measurements] in measurements.post(.footprint(launch, footprint())) }
    }

    // MARK: Disk

    func measureContainer(of launch: LaunchID) {
        guard let identifier = identifiers[launch.app] else { return }
        // What has arrived for it is its own as well, though it lies elsewhere.
        let partial = parts.transfers?.partialSize(of: launch.app)
        parts.files.measure(identifier) { [measurements] size in
            // A tree that is too wide to be measured has the largest size there is.
            measurements.post(
                .container(
                    launch,
                    size.map {
                        let (sum, isTooLarge) = $0.addingReportingOverflow(partial?() ?? 0)
                        return isTooLarge ? .max : sum
                    }))
        }
    }

    func measured(_ measurement: Measurement) {
        switch measurement {
        case .footprint(let launch, let size):
            hasSuspended = true
            submit(.process(launch, .footprintMeasured(size: size)))
        case .container(let launch, .success(let size)): submit(.process(launch, .containerMeasured(size: size)))
        case .container(let launch, .failure(let error)):
            // Gone meanwhile, most likely: its exit tells the rest.
            logger.debug(
                "a container can't be measured",
                metadata: ["launch": "\(launch)", "problem": "\(error)"])
        }
    }
}
