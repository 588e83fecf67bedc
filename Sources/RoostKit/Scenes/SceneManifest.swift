import Foundation

/// `UIApplicationSceneManifest` of an app's `Info.plist`: how its scenes are made.
@MainActor struct SceneManifest {
    /// One of a role's configurations.
    struct Entry: Hashable {
        var name: String?
        var sceneClassName: String?
        var delegateClassName: String?
    }

    private var entries: [String: [Entry]] = [:]
    /// The module that names without one are from.
    private let appModule: String?

    /// The manifest of this app; an empty one where no app runs.
    static var main: SceneManifest { AppRunner.current?.scenes ?? SceneManifest(info: [:], appModule: nil) }

    /// Reads a property list. What is not as Apple has it is passed over: the system has looked at it before.
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

    /// A role's configuration of that name; without a name, its first.
    func entry(named name: String?, role: String) -> Entry? {
        let list = entries[role] ?? []
        guard let name else { return list.first }
        return list.first { $0.name == name }
    }

    /// The class of a scene, or nil with a line in the log.
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

    /// The class of a scene's delegate, or nil with a line in the log.
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
    /// The module that a product of this name is compiled as.
    var asModuleName: String {
        let name = String(unicodeScalars.map { $0.properties.isXIDContinue ? Character($0) : "_" })
        guard let first = name.unicodeScalars.first, first.properties.isXIDStart || first == "_" else {
            return "_" + name
        }
        return name
    }
}
