import LifeCycleModel
import LifeCyclePolicy
import Logging
import RoostPorts

/// Measurement of the memory and disk space that apps use.
extension Supervisor {
    /// A measurement from another thread.
    enum Measurement: Sendable {
        /// The memory of a launch, in bytes.
        case footprint(LaunchID, Int64)
        /// The size of an app's container, in bytes.
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
                    "cannot watch the memory pressure",
                    metadata: ["level": "\(signal.level.rawValue)", "problem": "\(error)"])
            }
        }
    }

    /// Measures the memory of an app that was just suspended. No other work waits for the result, so the measurement
    /// runs last.
    func measureNext() {
        guard !unmeasured.isEmpty else { return }
        let launch = unmeasured.removeFirst()
        guard handles[launch] != nil, let footprint = parts.processes.footprint(of: launch) else { return }
        parts.measuring { [measurements] in measurements.post(.footprint(launch, footprint())) }
    }

    // MARK: Disk

    func measureContainer(of launch: LaunchID) {
        guard let identifier = identifiers[launch.app] else { return }
        // Partial downloads also count for the app, although the files are elsewhere.
        let partial = parts.transfers?.partialSize(of: launch.app)
        parts.files.measure(identifier) { [measurements] size in
            // If the sum overflows, the size is the largest number.
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
            // The container has most likely gone meanwhile; the app's exit is reported separately.
            logger.debug(
                "cannot measure a container",
                metadata: ["launch": "\(launch)", "problem": "\(error)"])
        }
    }
}
