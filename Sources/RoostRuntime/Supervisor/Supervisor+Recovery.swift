import LifeCycleModel
import LifeCyclePolicy
import Logging
import RoostPorts

/// Recovery after a restart: each launch that was under way is found again or lost.
extension Supervisor {
    func recover(_ launches: [StoredLaunch]) {
        for record in device.snapshots.map(\.record) { identifiers[record.app] = record.manifest.identifier }
        for stored in launches {
            let launch = stored.record.launch
            guard let identifier = identifiers[launch.app] else { continue }
            guard let process = stored.process else {
                submit(.process(launch, .cutOff))
                continue
            }
            guard process.bootID == parts.bootID,
                let handle = parts.processes.find(
                    launch, identifier: identifier, pid: process.pid, startTime: process.startTime)
            else {
                submit(.process(launch, .exited(parts.processes.collect(launch))))
                continue
            }
            sessions.expect(launch, token: stored.token)
            parts.logs?.follow(launch, log: parts.files.log(of: identifier))
            do throws(SystemError) {
                try watch(launch, handle)
                let isFrozen = isFrozen(launch)
                // Undoes a freeze that the restart interrupted. Otherwise the freeze would be completed without the
                // system's knowledge.
                if !isFrozen { try? parts.processes.thaw(launch) }
                submit(.process(launch, .found(isFrozen: isFrozen)))
                if isFrozen {
                    watchForThaw(of: launch)
                    unmeasured.append(launch)
                }
            } catch {
                logger.error("cannot watch an app", metadata: ["launch": "\(launch)", "problem": "\(error)"])
                sessions.forget(launch)
                giveUp(launch)
                submit(.process(launch, .exited(.unknown)))
            }
        }
        if !launches.isEmpty {
            logger.notice(
                "resuming after a restart",
                metadata: ["found": "\(handles.count)", "lost": "\(launches.count - handles.count)"])
        }
    }

    private func isFrozen(_ launch: LaunchID) -> Bool {
        guard let progress = try? parts.processes.freezeProgress(launch) else { return false }
        if case .frozen = progress { return true }
        return false
    }
}
