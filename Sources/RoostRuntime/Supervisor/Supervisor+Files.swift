import LifeCycleModel
import RoostPorts

/// Preparation of an app's files before its start: the app's user must own them, which takes time for many files.
/// Another thread changes the owners. Meanwhile `HeldEffects` holds the start and all later effects on the launch;
/// other apps are not affected.
extension Supervisor {
    /// The progress of preparing a launch's files.
    enum FilesProgress: Hashable, Sendable {
        case underWay
        case done
    }

    /// The result of preparing a launch's files.
    struct FilesResult: Sendable {
        let launch: LaunchID
        let result: Result<Void, SystemError>
    }

    /// The launch of this app that waits for its files; nil if no launch waits.
    func launchAwaitingFiles(of app: AppID) -> LaunchID? {
        files.first { $0.key.app == app && $0.value == .underWay }?.key
    }

    /// Whether a launch's files are ready for its start. If the files are not ready, their preparation begins.
    func areFilesReady(for launch: LaunchID, _ specification: LaunchSpecification) throws(SystemError) -> Bool {
        let progress = files.removeValue(forKey: launch)
        guard let work = try parts.processes.preparation(of: specification) else { return true }
        guard progress == nil else {
            throw SystemError(
                doing: "prepare an app's files", subject: specification.confinement?.bundle ?? specification.executable,
                errno: 0, reason: "they were changed meanwhile; launch it again")
        }
        files[launch] = .underWay
        parts.aside { [filesResults] in filesResults.post(FilesResult(launch: launch, result: work())) }
        return false
    }

    /// Records the end of the preparation. The end of this iteration starts the launch.
    func filesEnded(_ ended: FilesResult) {
        // The launch was killed meanwhile.
        guard files[ended.launch] == .underWay else { return }
        files[ended.launch] = .done
        if case .failure(let error) = ended.result {
            _ = dropHeldStart(of: ended.launch)
            startFailed(ended.launch, error)
        }
    }
}
