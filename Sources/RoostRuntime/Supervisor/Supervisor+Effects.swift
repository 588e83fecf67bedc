import LifeCycleModel
import LifeCyclePolicy
import Logging
import RoostPorts
import RoostWire

/// Effects, one by one; the outcome of each that can fail goes back to the brain as an event.
extension Supervisor {
    func perform(_ effect: Effect) {
        switch effect {
        case .start(let launch, let reason): start(launch, reason)
        case .send(let launch, let message): sessions.send(message, to: launch)
        case .freeze(let launch, let attempt): freeze(launch, attempt)
        case .thaw(let launch): thaw(launch)
        case .requestExit(let launch):
            attempt("ask an app to exit", launch) { () throws(SystemError) in
                try parts.processes.requestExit(launch)
            }
        case .kill(let launch, _): kill(launch)
        case .removeFiles(let app): removeFiles(of: app)
        case .finishShutdown: finish()
        // Kept and remembered when they were decided.
        case .store, .decided: break
        }
    }

    // MARK: Coming and going

    private func start(_ launch: LaunchID, _ reason: LaunchReason) {
        guard let manifest = device.snapshot(of: launch.app)?.record.manifest else { return }
        startFailures[launch.app] = nil
        let token = Token.random()
        let context = LaunchContext(
            reason: reason, backgroundTime: device.policy.backgroundTime,
            isMultitaskingSupported: !manifest.exitsOnSuspend)
        let environment = AppEnvironment(socket: parts.appSocket, token: token, context: context)
        do throws(SystemError) {
            let specification = try parts.files.specification(
                for: launch, of: manifest, adding: manifest.isAdopted ? [] : environment.variables)
            let handle = try parts.processes.start(specification)
            sessions.expect(launch, token: token)
            keep(
                StoredProcess(pid: handle.pid, startTime: handle.startTime, bootID: parts.bootID), of: launch,
                token: token)
            try watch(launch, handle)
            submit(.processStarted(launch))
        } catch {
            logger.error(
                "an app could not be started", metadata: ["app": "\(manifest.identifier)", "problem": "\(error)"])
            startFailures[launch.app] = error
            submit(.processStartFailed(launch, errno: error.errno))
        }
    }

    func watch(_ launch: LaunchID, _ handle: ProcessHandle) throws(SystemError) {
        handles[launch] = handle
        try loop.add(handle.descriptor, events: .readable) { [unowned self] _ in exited(launch) }
    }

    private func exited(_ launch: LaunchID) {
        guard let handle = handles.removeValue(forKey: launch) else { return }
        // Its last words first: an acknowledgement may be among them.
        sessions.readToTheEnd(launch)
        loop.remove(handle.descriptor)
        stopWatchingFreeze(of: launch)
        let status = parts.processes.collect(launch)
        sessions.forget(launch)
        submit(.processExited(launch, status))
    }

    private func kill(_ launch: LaunchID) {
        stopWatchingFreeze(of: launch)
        attempt("kill an app", launch) { () throws(SystemError) in try parts.processes.kill(launch) }
    }

    private func removeFiles(of app: AppID) {
        memory.forget(app)
        startFailures[app] = nil
        guard let identifier = identifiers.removeValue(forKey: app) else { return }
        let removals = removals
        parts.files.remove(identifier) { removals.post(Removal(app: app, identifier: identifier, result: $0)) }
    }

    func removed(_ removal: Removal) {
        if case .failure(let error) = removal.result {
            logger.error(
                "an app's files could not all be removed",
                metadata: ["app": "\(removal.identifier)", "problem": "\(error)"])
        }
        control?.finish(removal)
    }

    // MARK: The freezer

    private func freeze(_ launch: LaunchID, _ attempt: Int32) {
        do throws(SystemError) {
            follow(try parts.processes.freeze(launch), of: launch, attempt)
        } catch {
            freezeFailed(launch, attempt, error)
        }
    }

    func lookAtFreeze(of launch: LaunchID) {
        guard let pending = freezing[launch] else { return }
        do throws(SystemError) {
            let progress = try parts.processes.freezeProgress(launch)
            if case .frozen = progress { stopWatchingFreeze(of: launch) }
            follow(progress, of: launch, pending.attempt)
        } catch {
            stopWatchingFreeze(of: launch)
            freezeFailed(launch, pending.attempt, error)
        }
    }

    private func follow(_ progress: FreezeProgress, of launch: LaunchID, _ attempt: Int32) {
        switch progress {
        case .frozen(let footprint):
            // What it asked for before it stood still is read before it counts as suspended.
            sessions.readToTheEnd(launch)
            submit(.processFroze(launch, attempt: attempt, footprint: footprint))
        case .pending(let watch, let lookAgainAfter):
            let lookAgainAt = Moment.now.awake + lookAgainAfter
            if freezing[launch] != nil {
                freezing[launch]?.lookAgainAt = lookAgainAt
                return
            }
            freezing[launch] = PendingFreeze(attempt: attempt, watch: watch, lookAgainAt: lookAgainAt)
            guard let watch else { return }
            do throws(SystemError) {
                try loop.add(watch, events: .priority) { [unowned self] _ in lookAtFreeze(of: launch) }
            } catch {
                freezing[launch]?.watch = nil
            }
        }
    }

    private func freezeFailed(_ launch: LaunchID, _ attempt: Int32, _ error: SystemError) {
        logger.error("an app could not be frozen", metadata: ["launch": "\(launch)", "problem": "\(error)"])
        submit(.freezeFailed(launch, attempt: attempt, errno: error.errno))
    }

    func stopWatchingFreeze(of launch: LaunchID) {
        if let watch = freezing.removeValue(forKey: launch)?.watch { loop.remove(watch) }
    }

    private func thaw(_ launch: LaunchID) {
        stopWatchingFreeze(of: launch)
        attempt("thaw an app", launch) { () throws(SystemError) in try parts.processes.thaw(launch) }
    }

    /// For what can only fail where the launch is gone already: its exit tells the rest.
    private func attempt(_ doing: String, _ launch: LaunchID, _ action: () throws(SystemError) -> Void) {
        do throws(SystemError) {
            try action()
        } catch {
            logger.warning(
                "an app could not be reached",
                metadata: ["doing": "\(doing)", "launch": "\(launch)", "problem": "\(error)"])
        }
    }
}
