import LifeCycleModel
import Logging
import RoostLinux
import RoostPorts
import RoostStore

/// The files of apps, made to agree with the store at the system's start: an earlier run may have been cut off
/// between changing the one and the other.
struct LeftFiles {
    let state: StateDirectory
    let logger: Logger

    /// Finishes or undoes what was begun, and deletes what belongs to no app of `apps`.
    func tidyUp(keeping apps: [AppRecord]) throws {
        let installer = BundleInstaller(directory: state.bundles, deleting: TreeRemoval.remove)
        try installer.recover()
        let strays = StrayFiles(stateDirectory: state.path)
        for removal in try strays.remove(keeping: Set(apps.map(\.manifest.identifier))) {
            if let error = removal.error {
                logger.error(
                    "files of an app nobody knows could not all be removed",
                    metadata: ["path": "\(removal.path)", "problem": "\(error)"])
            } else {
                logger.notice("files of an app nobody knows were removed", metadata: ["path": "\(removal.path)"])
            }
        }
        for app in apps { compare(app.manifest, with: installer) }
    }

    /// The app goes by the store's record until it is installed again.
    private func compare(_ manifest: AppManifest, with installer: BundleInstaller) {
        do throws(BundleError) {
            guard let bundle = try installer.bundle(of: manifest.identifier) else {
                return logger.warning("an app's bundle is gone", metadata: ["app": "\(manifest.identifier)"])
            }
            guard bundle.manifest != manifest else { return }
            logger.warning(
                "an app's bundle is not the one that was installed: install it again",
                metadata: ["app": "\(manifest.identifier)", "bundle": "\(bundle.path)"])
        } catch {
            logger.warning(
                "an app's bundle can't be read",
                metadata: ["app": "\(manifest.identifier)", "problem": "\(error)"])
        }
    }
}
