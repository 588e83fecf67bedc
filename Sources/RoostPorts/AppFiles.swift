public import LifeCycleModel

/// Why a bundle cannot be installed.
public struct BundleRejection: Error, Hashable, Sendable, CustomStringConvertible {
    /// Whether it is only that the app is installed already.
    public let isAlreadyInstalled: Bool
    /// A sentence that names the file or key, and says what to do.
    public let description: String

    /// A rejection for this reason.
    public init(isAlreadyInstalled: Bool = false, _ description: String) {
        self.isAlreadyInstalled = isAlreadyInstalled
        self.description = description
    }
}

/// The files of apps: bundles, containers and logs. Used on the loop's thread.
public protocol AppFiles: AnyObject {
    /// Checks the bundle at an absolute path and copies it in. Gives its manifest, and notes for the person who
    /// installs it. A failure leaves what was there before.
    func install(from path: String, replacing: Bool) throws(BundleRejection) -> (manifest: AppManifest, notes: [String])

    /// Makes the app's container ready, and says how its process is to be started; `adding`, as `NAME=value`, goes into its
    /// environment.
    func specification(
        for launch: LaunchID, of manifest: AppManifest, adding: [String]
    ) throws(SystemError) -> LaunchSpecification

    /// Deletes an app's bundle, container and log.
    func remove(_ identifier: BundleIdentifier) throws(SystemError)
}
