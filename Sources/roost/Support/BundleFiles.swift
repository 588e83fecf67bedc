import LifeCycleModel
import RoostLinux
import RoostPorts
import RoostStore

/// Bundles, containers and logs for the supervisor, by the adapters of the store and of Linux.
final class BundleFiles: AppFiles {
    private let installer: BundleInstaller
    private let containers: Containers
    /// Copies and deletes files, in order.
    private let worker: WorkerThread
    /// Measures containers. A separate thread, so that measurements need not wait for the copy of a large bundle.
    private let measurer: WorkerThread

    init(state: StateDirectory, measurer: WorkerThread) throws(SystemError) {
        worker = try WorkerThread("files")
        self.measurer = measurer
        installer = BundleInstaller(directory: state.bundles, deleting: TreeRemoval.remove)
        containers = Containers(stateDirectory: state.path)
    }

    func install(
        from path: String, replacing: Bool,
        done: @escaping @Sendable (Result<InstalledBundle, BundleRejection>) -> Void
    ) {
        let installer = installer
        worker.post { done(Self.install(from: path, replacing: replacing, by: installer)) }
    }

    func installWasRecorded(_ identifier: BundleIdentifier) {
        let installer = installer
        worker.post { installer.wasRecorded(identifier) }
    }

    private static func install(
        from path: String, replacing: Bool, by installer: BundleInstaller
    ) -> Result<InstalledBundle, BundleRejection> {
        do throws(BundleError) {
            let bundle = try installer.install(from: path, replacing: replacing)
            let note =
                "\(bundle.manifest.executable) is not built on RoostKit: it is adopted. It gets no callbacks and a "
                + "few seconds in the background before it is suspended. Before its end it gets SIGTERM and time to save, "
                + "suspended or not: when it is swiped away, updated, or the system ends. When memory runs short while it "
                + "is suspended it is killed without notice, unless the system runs with memorySignalsAdopted=true."
            return .success(
                InstalledBundle(manifest: bundle.manifest, notes: bundle.isBuiltOnRoostKit ? [] : [note]))
        } catch {
            return .failure(BundleRejection(isAlreadyInstalled: error.code == .alreadyInstalled, error.description))
        }
    }

    /// Examines a sound of the app, in its bundle or in `Library/Sounds` of its container.
    func examineSound(_ name: String, of app: BundleIdentifier) -> SoundFile {
        let bundle = (try? installer.bundle(of: app))?.map(\.path)
        return SoundFiles.examine(
            name, in: (bundle.map { [$0] } ?? []) + [containers.container(app) + "/Library/Sounds"])
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
            workingDirectory: containers.container(manifest.identifier), logFile: containers.log(manifest.identifier),
            confinement: Confinement(
                container: containers.container(manifest.identifier), bundle: containers.bundle(manifest.identifier)))
    }

    func log(of identifier: BundleIdentifier) -> String { containers.log(identifier) }

    func container(of identifier: BundleIdentifier) -> String { containers.container(identifier) }

    func measure(_ identifier: BundleIdentifier, done: @escaping @Sendable (Result<Int64, SystemError>) -> Void) {
        let container = containers.container(identifier)
        measurer.post {
            do throws(SystemError) {
                done(.success(try DiskUse.bytes(below: container)))
            } catch {
                done(.failure(error))
            }
        }
    }

    func remove(_ identifier: BundleIdentifier, done: @escaping @Sendable (Result<Void, SystemError>) -> Void) {
        let containers = containers
        worker.post {
            do throws(SystemError) {
                try containers.remove(identifier)
                done(.success(()))
            } catch {
                done(.failure(error))
            }
        }
    }
}
