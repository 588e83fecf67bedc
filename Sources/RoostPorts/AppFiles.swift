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

/// A bundle that was copied in.
public struct InstalledBundle: Hashable, Sendable {
    /// What its `Info.plist` says.
    public let manifest: AppManifest
    /// What the person who installs it should know.
    public let notes: [String]

    /// A bundle with these.
    public init(manifest: AppManifest, notes: [String]) {
        self.manifest = manifest
        self.notes = notes
    }
}

/// The files of apps: bundles, containers and logs. Used on the loop's thread, which copying and deleting must not
/// hold up: both are done elsewhere, one after the other in the order they were asked for.
public protocol AppFiles: AnyObject {
    /// Checks the bundle at an absolute path and copies it in. A failure leaves what was there before. `done` is
    /// called once, on any thread.
    func install(
        from path: String, replacing: Bool,
        done: @escaping @Sendable (Result<InstalledBundle, BundleRejection>) -> Void)

    /// The record of a bundle that `install` copied in is on disk: the system's next start keeps the bundle.
    func installWasRecorded(_ identifier: BundleIdentifier)

    /// Makes the app's container ready, and says how its process is to be started; `adding`, as `NAME=value`, goes into its
    /// environment.
    func specification(
        for launch: LaunchID, of manifest: AppManifest, adding: [String]
    ) throws(SystemError) -> LaunchSpecification

    /// Where an app's output goes; an absolute path.
    func log(of identifier: BundleIdentifier) -> String

    /// The directory an app keeps its data in; an absolute path.
    func container(of identifier: BundleIdentifier) -> String

    /// Measures the room an app's container takes on disk, in bytes. `done` is called once, on any thread; it takes as
    /// long as the files are many.
    func measure(_ identifier: BundleIdentifier, done: @escaping @Sendable (Result<Int64, SystemError>) -> Void)

    /// Deletes an app's bundle, container and log. `done` is called once, on any thread.
    func remove(_ identifier: BundleIdentifier, done: @escaping @Sendable (Result<Void, SystemError>) -> Void)
}
