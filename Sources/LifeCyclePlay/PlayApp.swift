import LifeCycleModel
import LifeCycleSimulation

/// A kind of app on the page.
enum PlayApp: String, Hashable, Sendable, CaseIterable {
    /// An app with a scene delegate.
    case scenes
    /// An app with an app delegate only.
    case delegate
    /// An app that has opted out of the background with `UIApplicationExitsOnSuspend`.
    case optOut

    var name: Phrase {
        switch self {
        case .scenes: Phrase("with scenes", "씬 있음")
        case .delegate: Phrase("app delegate only", "앱 델리게이트만")
        case .optOut: Phrase("UIApplicationExitsOnSuspend", "UIApplicationExitsOnSuspend")
        }
    }

    /// The kinds that exist in a generation: scenes came with iOS 13.
    static func all(in policy: Policy) -> [PlayApp] {
        knowsScenes(policy) ? allCases : allCases.filter { $0 != .scenes }
    }

    static func knowsScenes(_ policy: Policy) -> Bool { isSince(.iOS13, policy) }

    /// Background fetch and silent pushes came with iOS 7.
    static func knowsFetch(_ policy: Policy) -> Bool { isSince(.iOS7, policy) }

    private static func isSince(_ generation: Policy, _ policy: Policy) -> Bool {
        let names = Policy.presets.map(\.name)
        guard let place = names.firstIndex(of: policy.name), let first = names.firstIndex(of: generation.name)
        else { return true }
        return place >= first
    }

    /// Declares `fetch` and `remote-notification` only under a policy whose iOS version knows them.
    func manifest(in policy: Policy) -> AppManifest {
        let modes: [BackgroundMode] =
            Self.knowsFetch(policy) ? [.location, .fetch, .remoteNotification] : [.location]
        return switch self {
        case .scenes: Self.manifest("app", modes: modes, usesScenes: true)
        case .delegate: Self.manifest("app", modes: modes)
        case .optOut:
            Self.manifest("app", modes: modes, exitsOnSuspend: true, usesScenes: Self.knowsScenes(policy))
        }
    }

    /// The manifest of the other app, to which the reader can switch.
    static func other(in policy: Policy) -> AppManifest { manifest("other", usesScenes: knowsScenes(policy)) }

    private static func manifest(
        _ name: String, modes: [BackgroundMode] = [], exitsOnSuspend: Bool = false, usesScenes: Bool = false
    ) -> AppManifest {
        guard let identifier = BundleIdentifier("org.example.\(name)") else {
            preconditionFailure("letters and full stops only")
        }
        return AppManifest(
            identifier: identifier, executable: name, backgroundModes: modes, exitsOnSuspend: exitsOnSuspend,
            usesScenes: usesScenes)
    }
}
