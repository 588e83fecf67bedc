import Foundation

/// The `UIApplicationSceneManifest` of an app's `Info.plist`, which says how to create its scenes.
@MainActor struct SceneManifest {
    /// A configuration in the list of a role.
    struct Entry: Hashable {
        var name: String?
        var sceneClassName: String?
        var delegateClassName: String?
    }

    private var entries: [String: [Entry]] = [:]
    /// The module in which class names without a module are looked up.
    private let appModule: String?

    /// The manifest of the running app; empty if no app runs.
    static var main: SceneManifest { AppRunner.current?.scenes ?? SceneManifest(info: [:], appModule: nil) }

    /// Reads a property list. Invalid entries are ignored, because the system has validated the list at installation.
    init(info: [String: Any], appModule: String?) {
        self.appModule = appModule
        let manifest = info["UIApplicationSceneManifest"] as? [String: Any]
        let roles = manifest?["UISceneConfigurations"] as? [String: Any] ?? [:]
        for (role, value) in roles {
            let list = value as? [[String: Any]] ?? []
            entries[role] = list.map {
                Entry(
                    name: $0["UISceneConfigurationName"] as? String, sceneClassName: $0["UISceneClassName"] as? String,
                    delegateClassName: $0["UISceneDelegateClassName"] as? String)
            }
        }
    }

    /// A role's configuration with a name, or its first one if the name is nil; nil if there is none.
    func entry(named name: String?, role: String) -> Entry? {
        let list = entries[role] ?? []
        guard let name else { return list.first }
        return list.first { $0.name == name }
    }

    /// A scene's class; nil, and a line in the log, if the name is invalid.
    func sceneClass(named name: String) -> AnyClass? {
        let type: AnyClass? = ClassByName.find(name, appModule: appModule)
        guard type is UIScene.Type else {
            AppLog.write(
                "Info.plist names \(name) as a scene's class (UISceneClassName): "
                    + (type == nil ? "there is no such class" : "it is no subclass of UIScene")
                    + "; a UIWindowScene is made.")
            return nil
        }
        return type
    }

    /// A scene delegate's class; nil, and a line in the log, if the name is invalid.
    func delegateClass(named name: String) -> AnyClass? {
        let type: AnyClass? = ClassByName.find(name, appModule: appModule)
        guard type is any UISceneDelegate.Type, type is NSObject.Type else {
            AppLog.write(
                "Info.plist names \(name) as a scene delegate's class (UISceneDelegateClassName): "
                    + (type == nil
                        ? "there is no such class in the module \(appModule ?? "of the app")"
                        : "it is no subclass of NSObject that conforms to UISceneDelegate")
                    + "; the scene has no delegate.")
            return nil
        }
        return type
    }
}

extension String {
    /// The name as a Swift identifier, as Xcode derives a module's name from its product's.
    var asModuleName: String {
        let name = String(unicodeScalars.map { $0.properties.isXIDContinue ? Character($0) : "_" })
        guard let first = name.unicodeScalars.first, first.properties.isXIDStart || first == "_" else {
            return "_" + name
        }
        return name
    }
}
