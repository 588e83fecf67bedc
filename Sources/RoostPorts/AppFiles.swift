public import LifeCycleModel

/// Why a bundle cannot be installed.
public struct BundleRejection: Error, Hashable, Sendable, CustomStringConvertible {
    /// Whether the only reason is that the app is already installed.
    public let isAlreadyInstalled: Bool
    /// A sentence that names the file or key, and says what to do.
    public let description: String

    /// A rejection for this reason.
    public init(isAlreadyInstalled: Bool = false, _ description: String) {
        self.isAlreadyInstalled = isAlreadyInstalled
        self.description = description
    }
}

/// The result of a successful installation.
public struct InstalledBundle: Hashable, Sendable {
    /// The content of its `Info.plist`, checked.
    public let manifest: AppManifest
    /// Remarks for the user who installs the bundle.
    public let notes: [String]

    /// Without notes if there was nothing unusual about the bundle.
    public init(manifest: AppManifest, notes: [String]) {
        self.manifest = manifest
        self.notes = notes
    }
}

/// The files of apps: bundles, containers and logs. Called on the loop's thread only. Copying and deleting run on
/// another thread, one after the other in the order of the calls.
public protocol AppFiles: AnyObject {
    /// Checks the bundle at an absolute path and copies it in. A failure leaves the old bundle as it was. `done` is
    /// called once, on any thread.
    func install(
        from path: String, replacing: Bool,
        done: @escaping @Sendable (Result<InstalledBundle, BundleRejection>) -> Void)

    /// Called once the record of an installed bundle is on disk. The system's next start then keeps the bundle.
    func installWasRecorded(_ identifier: BundleIdentifier)

    /// Prepares the app's container, and returns how to start its process. `adding` holds further environment variables
    /// as `NAME=value`.
    func specification(
        for launch: LaunchID, of manifest: AppManifest, adding: [String]
    ) throws(SystemError) -> LaunchSpecification

    /// The file that receives an app's output; an absolute path.
    func log(of identifier: BundleIdentifier) -> String

    /// The directory in which an app stores its data; an absolute path.
    func container(of identifier: BundleIdentifier) -> String

    /// Measures an app's container on disk, in bytes. The time grows with the number of files. `done` is called once,
    /// on any thread.
    func measure(_ identifier: BundleIdentifier, done: @escaping @Sendable (Result<Int64, SystemError>) -> Void)

    /// Deletes an app's bundle, container and log. `done` is called once, on any thread.
    func remove(_ identifier: BundleIdentifier, done: @escaping @Sendable (Result<Void, SystemError>) -> Void)
}
