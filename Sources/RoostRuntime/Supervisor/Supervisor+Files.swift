import LifeCycleModel
import RoostPorts

/// An app's files, which have to be its own before it starts: that takes as long as they are many, on another thread. The
/// start, and what else is to be done with the launch, waits for it in `HeldEffects`; all other apps go on.
extension Supervisor {
    /// How far a launch's files are.
    enum FilesProgress: Hashable, Sendable {
        case underWay
        case done
    }

    /// What has become of a launch's files.
    struct FilesResult: Sendable {
        let launch: LaunchID
        let result: Result<Void, SystemError>
    }

    /// The launch of this app that waits for its files; nil if there is none.
    func launchAwaitingFiles(of app: AppID) -> LaunchID? {
        files.first { $0.key.app == app && $0.value == .underWay }?.key
    }

    /// Whether a launch's files are ready for its start; if not, they are being prepared.
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

    /// The end of the turn starts the launch.
    func filesEnded(_ ended: FilesResult) {
        // Killed meanwhile.
        guard files[ended.launch] == .underWay else { return }
        files[ended.launch] = .done
        if case .failure(let error) = ended.result {
            _ = dropHeldStart(of: ended.launch)
            startFailed(ended.launch, error)
        }
    }
}
