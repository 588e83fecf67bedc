import ArgumentParser
import FoundationEssentials
import LifeCycleModel
import RoostLinux
import RoostStore

/// An app that is installed, as `roost apps` tells of it.
struct InstalledApp: Encodable {
    let identifier: BundleIdentifier
    /// Nil where the bundle is damaged, as all that follows from it.
    var name: String?
    var backgroundModes: [BackgroundMode]?
    var isAdopted: Bool?
    var exitsOnSuspend: Bool?
    var bundle: String?
    let container: String
    let log: String
    /// What is wrong with it; nil where nothing is.
    var problem: String?
}

/// The apps in a state directory, read from their bundles: no system needs to run.
enum InstalledApps {
    /// All of them, by their identifiers.
    static func all(in state: String) -> [InstalledApp] { identifiers(in: state).map { app($0, in: state) } }

    /// The identifiers alone, sorted.
    static func identifiers(in state: String) -> [BundleIdentifier] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: state + "/bundles")) ?? []
        return names.compactMap { BundleIdentifier($0) }.sorted()
    }

    /// One of them.
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

    /// Offers the identifiers of installed apps to a shell, of the state directory that the line so far names.
    static let completion = CompletionKind.custom { words, _, _ in
        var directory: String?
        for (index, word) in words.enumerated() {
            if word.hasPrefix("--state=") { directory = String(word.dropFirst("--state=".count)) }
            if word == "--state", index + 1 < words.count { directory = words[index + 1] }
        }
        return identifiers(in: StateOptions.path(directory)).map(\.rawValue)
    }
}
