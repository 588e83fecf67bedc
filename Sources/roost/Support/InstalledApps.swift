import ArgumentParser
import FoundationEssentials
import LifeCycleModel
import RoostLinux
import RoostStore

/// An installed app, for `roost apps`.
struct InstalledApp: Encodable {
    let identifier: BundleIdentifier
    /// The display name. This and the next properties are nil if the bundle is damaged.
    var name: String?
    var backgroundModes: [BackgroundMode]?
    var isAdopted: Bool?
    var exitsOnSuspend: Bool?
    var bundle: String?
    let container: String
    let log: String
    /// The problem with the app; nil for none.
    var problem: String?
}

/// The apps in a state directory, read from their bundles. No system needs to run.
enum InstalledApps {
    /// All apps, sorted by identifier.
    static func all(in state: String) -> [InstalledApp] { identifiers(in: state).map { app($0, in: state) } }

    /// The identifiers, sorted.
    static func identifiers(in state: String) -> [BundleIdentifier] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: state + "/bundles")) ?? []
        return names.compactMap { BundleIdentifier($0) }.sorted()
    }

    /// A single app.
    static func app(_ identifier: BundleIdentifier, in state: String) -> InstalledApp {
        let installer = BundleInstaller(directory: state + "/bundles", deleting: TreeRemoval.remove)
        var app = InstalledApp(
            identifier: identifier, container: "\(state)/containers/\(identifier)",
            log: "\(state)/logs/\(identifier).log")
        do throws(BundleError) {
            guard let bundle = try installer.bundle(of: identifier) else {
                app.problem = "its bundle is gone: install it again"
                return app
            }
            app.name = bundle.manifest.displayName
            app.backgroundModes = bundle.manifest.backgroundModes
            app.isAdopted = bundle.manifest.isAdopted
            app.exitsOnSuspend = bundle.manifest.exitsOnSuspend
            app.bundle = bundle.path
        } catch {
            app.problem = error.description
        }
        return app
    }

    /// Shell completion of installed apps' identifiers, in the state directory that the command line names.
    static let completion = CompletionKind.custom { words, _, _ in
        var directory: String?
        for (index, word) in words.enumerated() {
            if word.hasPrefix("--state=") { directory = String(word.dropFirst("--state=".count)) }
            if word == "--state", index + 1 < words.count { directory = words[index + 1] }
        }
        return identifiers(in: StateOptions.path(directory)).map(\.rawValue)
    }
}
