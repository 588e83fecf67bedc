import LifeCycleModel
import LifeCyclePolicy
import Logging
import RoostPorts
import RoostWire

/// Performs effects. If an effect may fail, its outcome goes back to the brain as an event.
extension Supervisor {
    func perform(_ effect: Effect) {
        switch effect {
        case .launch(let launch, let action): perform(action, on: launch, by: effect)
        case .device(.keepAwake(let isKept)): keepAwake(isKept)
        case .device(.removeFiles(let app)): removeFiles(of: app)
        case .device(.finishShutdown): finish()
        case .concern(.location(let output)): perform(output)
        case .concern(.transfer(let output)): perform(output)
        case .concern(.notification(let output)): perform(output)
        case .concern(.voip(let output)): perform(output)
        case .concern(.socket(let output)): perform(output)
        // `submit` has queued the records for the store, and remembered the decisions.
        case .store, .decided: break
        }
    }

    private func perform(_ action: LaunchEffect, on launch: LaunchID, by effect: Effect) {
        switch action {
        case .start, .prewarm: start(launch, by: effect)
        case .send(let message): if let message = device.filled(message) { sessions.send(message, to: launch) }
        case .freeze(let attempt): freeze(launch, attempt)
        case .thaw: thaw(launch)
        case .prioritize(let priority): prioritize(launch, priority)
        case .measureContainer: measureContainer(of: launch)
        case .requestExit:
            attempt("ask an app to exit", launch) { () throws(SystemError) in
                try parts.processes.requestExit(launch)
            }
        case .kill: kill(launch)
        }
    }

    // MARK: Start and exit

    private func start(_ launch: LaunchID, by effect: Effect) {
        guard let manifest = device.snapshot(of: launch.app)?.record.manifest,
            let context = device.launchContext(of: launch)
        else { return }
        startFailures[launch.app] = nil
        let token = Token.random()
        let environment = AppEnvironment(socket: parts.appSocket, token: token, context: context)
        do throws(SystemError) {
            var specification = try parts.files.specification(
                for: launch, of: manifest,
                adding: (manifest.isAdopted ? [] : environment.variables)
                    + (context.isPrewarmed ? ["ActivePrewarm=1"] : []))
            specification.limits = limits
            guard try areFilesReady(for: launch, specification) else { return hold(effect) }
            let handle = try parts.processes.start(specification)
            do throws(SystemError) {
                try watch(launch, handle)
            } catch {
                giveUp(launch)
                throw error
            }
            parts.logs?.follow(launch, log: specification.logFile)
            sessions.expect(launch, token: token)
            let process = StoredProcess(pid: handle.pid, startTime: handle.startTime, bootID: parts.bootID)
            if context.isPrewarmed {
                unkept[launch] = (process, token)
            } else {
                keep(process, of: launch, token: token)
            }
            submit(.process(launch, .started))
        } catch {
            startFailed(launch, error)
        }
    }

    func startFailed(_ launch: LaunchID, _ error: SystemError) {
        logger.error(
            "cannot start an app",
            metadata: ["app": "\(identifiers[launch.app]?.rawValue ?? "")", "problem": "\(error)"])
        startFailures[launch.app] = (launch, error)
        submit(.process(launch, .startFailed(errno: error.errno)))
    }

    /// The policy's limits for an app's processes.
    private var limits: ProcessLimits {
        ProcessLimits(
            openFiles: device.policy.openFiles.map(UInt64.init), fileSize: device.policy.fileSize.map(UInt64.init),
            processes: device.policy.processes.map(UInt64.init))
    }

    /// Kills a process whose exit could not be observed.
    func giveUp(_ launch: LaunchID) {
        handles[launch] = nil
        attempt("kill an app", launch) { () throws(SystemError) in try parts.processes.kill(launch) }
        _ = parts.processes.collect(launch)
        finishCollecting()
    }

    /// Removes what ended launches have left. If something is still left, it is tried again after `pause`, and then less
    /// and less often.
    func finishCollecting(after pause: Nanoseconds = .milliseconds(50)) {
        let isLeft = parts.processes.finishCollecting()
        collectAgain = isLeft ? (Moment.now.awake + pause, min(pause + pause, .seconds(600))) : nil
    }

    func watch(_ launch: LaunchID, _ handle: ProcessHandle) throws(SystemError) {
        handles[launch] = handle
        try loop.add(handle.descriptor, events: .readable) { [unowned self] _ in exited(launch) }
    }

    private func exited(_ launch: LaunchID) {
        guard let handle = handles.removeValue(forKey: launch) else { return }
        loop.remove(handle.descriptor)
        stopWatchingFreeze(of: launch)
        parts.logs?.forget(launch)
        unkept[launch] = nil
        // After a kill, all processes end together. Otherwise, the remaining processes have outlived the first process.
        let left = killed.remove(launch) == nil ? parts.processes.left(of: launch) : 0
        let status = parts.processes.collect(launch)
        finishCollecting()
        // No process is left to send more. The last messages may include an acknowledgment.
        sessions.readToTheEnd(launch)
        sessions.forget(launch)
        submit(.process(launch, .exited(status)))
        if left > 0 { remember(.left(left, launch), about: launch.app, at: .now) }
    }

    private func kill(_ launch: LaunchID) {
        stopWatchingFreeze(of: launch)
        // If the start still waits for the store, it is dropped, and there is nothing to kill.
        if dropHeldStart(of: launch) { return submit(.process(launch, .exited(.unknown))) }
        killed.insert(launch)
        attempt("kill an app", launch) { () throws(SystemError) in try parts.processes.kill(launch) }
    }

    private func removeFiles(of app: AppID) {
        memory.forget(app, identifiers[app])
        startFailures[app] = nil
        guard let identifier = identifiers.removeValue(forKey: app) else { return }
        fileWork.enqueue { [unowned self] in
            // If the app was installed again meanwhile, the files are the new app's.
            if identifiers.values.contains(identifier) {
                removed(FileWork.Removal(app: app, identifier: identifier, result: .success(())))
            } else {
                fileWork.remove(app, identifier)
            }
        }
    }

    func removed(_ removal: FileWork.Removal) {
        if case .failure(let error) = removal.result {
            logger.error(
                "cannot remove all files of an app",
                metadata: ["app": "\(removal.identifier)", "problem": "\(error)"])
        } else {
            filesRemoved(of: removal.identifier)
        }
        fileWork.finished()
        control?.removed(removal)
    }

    // MARK: The freezer

    private func freeze(_ launch: LaunchID, _ attempt: Int32) {
        // The app has exited in this iteration of the loop: `exited` was submitted.
        guard handles[launch] != nil else { return }
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
        case .frozen:
            // Requests that the app sent before it was frozen are handled before it counts as suspended.
            sessions.readToTheEnd(launch)
            submit(.process(launch, .froze(attempt: attempt, footprint: 0)))
            watchForThaw(of: launch)
            unmeasured.append(launch)
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
        logger.error("cannot freeze an app", metadata: ["launch": "\(launch)", "problem": "\(error)"])
        submit(.process(launch, .freezeFailed(attempt: attempt, errno: error.errno)))
    }

    func stopWatchingFreeze(of launch: LaunchID) {
        if let watch = thawWatches.removeValue(forKey: launch) { loop.remove(watch) }
        if let watch = freezing.removeValue(forKey: launch)?.watch { loop.remove(watch) }
    }

    /// Watches for a thaw by another process. Otherwise the app would run without the system's knowledge.
    func watchForThaw(of launch: LaunchID) {
        guard thawWatches[launch] == nil, let watch = parts.processes.thawWatch(of: launch) else { return }
        do throws(SystemError) {
            try loop.add(watch, events: .priority) { [unowned self] _ in lookForThaw(of: launch) }
            thawWatches[launch] = watch
        } catch {
            logger.warning(
                "cannot watch a suspended app", metadata: ["launch": "\(launch)", "problem": "\(error)"])
        }
    }

    private func lookForThaw(of launch: LaunchID) {
        guard thawWatches[launch] != nil else { return }
        // An app whose processes left its cgroup is not frozen, either.
        if case .frozen? = try? parts.processes.freezeProgress(launch) { return }
        stopWatchingFreeze(of: launch)
        logger.warning("an app was thawed by another process", metadata: ["launch": "\(launch)"])
        submit(.process(launch, .thawed))
    }

    private func thaw(_ launch: LaunchID) {
        stopWatchingFreeze(of: launch)
        // The app has exited, as in `freeze`.
        guard handles[launch] != nil else { return }
        do throws(SystemError) {
            try parts.processes.thaw(launch)
        } catch {
            logger.error("cannot thaw an app", metadata: ["launch": "\(launch)", "problem": "\(error)"])
            submit(.process(launch, .thawFailed(errno: error.errno)))
        }
    }

    // MARK: Priority and power

    private func prioritize(_ launch: LaunchID, _ priority: ProcessPriority) {
        // The app was never started, or has exited.
        guard handles[launch] != nil else { return }
        attempt("set the priority of an app", launch) { () throws(SystemError) in
            try parts.processes.setPriority(launch, priority)
        }
    }

    private func keepAwake(_ isKept: Bool) {
        do throws(SystemError) {
            try parts.power?.keepAwake(isKept)
        } catch {
            logger.warning(
                "cannot keep the device awake: background time may pass while it sleeps",
                metadata: ["problem": "\(error)"])
        }
    }

    /// Runs an action that fails only if the launch has already gone. The launch's exit is reported separately.
    private func attempt(_ doing: String, _ launch: LaunchID, _ action: () throws(SystemError) -> Void) {
        do throws(SystemError) {
            try action()
        } catch {
            logger.warning(
                "cannot \(doing)",
                metadata: ["launch": "\(launch)", "problem": "\(error)"])
        }
    }
}
