import LifeCycleModel
import RoostLinux
import RoostPorts
import RoostStore

/// Bundles, containers and logs, as the supervisor wants them: puts the store's and Linux's organs together.
final class BundleFiles: AppFiles {
    private let installer: BundleInstaller
    private let containers: Containers

    init(state: StateDirectory) {
        installer = BundleInstaller(directory: state.bundles)
        containers = Containers(stateDirectory: state.path)
    }

    func install(
        from path: String, replacing: Bool
    ) throws(BundleRejection) -> (manifest: AppManifest, notes: [String]) {
        do throws(BundleError) {
            let bundle = try installer.install(from: path, replacing: replacing)
            guard !bundle.isBuiltOnRoostKit else { return (bundle.manifest, []) }
            let note =
                "\(bundle.manifest.executable) is not built on RoostKit: it is adopted. It gets no callbacks, a few "
                + "seconds in the background before it is suspended, and SIGTERM before its end."
            return (bundle.manifest, [note])
        } catch {
            throw BundleRejection(isAlreadyInstalled: error.code == .alreadyInstalled, error.description)
        }
    }

    func specification(
        for launch: LaunchID, of manifest: AppManifest, adding: [String]
    ) throws(SystemError) -> LaunchSpecification {
        try containers.prepare(manifest.identifier)
        let bundle: AppBundle?
        do throws(BundleError) {
            bundle = try installer.bundle(of: manifest.identifier)
        } catch {
            throw SystemError(
                doing: "start \(manifest.identifier)", subject: error.subject, errno: error.errno, reason: error.reason)
        }
        guard let bundle else {
            throw SystemError(
                doing: "start \(manifest.identifier)", subject: containers.bundle(manifest.identifier), errno: 2,
                reason: "its bundle is gone: install it again")
        }
        var variables: [String: String] = [:]
        for variable in adding {
            guard let equals = variable.firstIndex(of: "=") else { continue }
            variables[String(variable[..<equals])] = String(variable[variable.index(after: equals)...])
        }
        return LaunchSpecification(
            launch: launch, identifier: manifest.identifier, executable: bundle.executable,
            environment: containers.environment(
                for: manifest.identifier, ours: LinuxProcesses.ownEnvironment, adding: variables),
            workingDirectory: containers.container(manifest.identifier), logFile: containers.log(manifest.identifier))
    }

    func remove(_ identifier: BundleIdentifier) throws(SystemError) {
        try containers.remove(identifier)
    }
}
