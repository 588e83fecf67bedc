package import LifeCycleModel
package import LifeCyclePolicy

/// The events of a device in use, with their times, to be played back through the brain alone.
///
/// The recording follows from its seed. The recording is the same in every process and on every machine, until the
/// brain or the virtual world changes its decisions.
package struct EventRecording: Sendable {
    /// The recorded device.
    package enum Kind: String, Sendable, CaseIterable {
        /// One app, which uses every concern.
        case oneApp = "1-app"
        /// 100 apps that all use every concern.
        case hundredApps = "100-apps"
        /// 100 apps without transfers, fetches, notifications and pushes.
        case hundredPlainApps = "100-plain-apps"

        var appCount: Int { self == .oneApp ? 1 : 100 }
        var usesConcerns: Bool { self != .hundredPlainApps }
        var profile: BehaviorProfile {
            usesConcerns ? BehaviorProfile(begins: 40, downloads: 30, fetches: 30, notifies: 40) : .good
        }
        var modes: [BackgroundMode] { usesConcerns ? BackgroundMode.allCases : [.location] }
    }

    /// The device with its apps installed, before the first event.
    package let start: Device
    /// The device after the last event.
    package let end: Device
    /// The events, in order.
    package let events: [(event: Event, now: Moment)]

    /// Records at least `count` events.
    package init(_ kind: Kind, seed: UInt64, events count: Int) {
        let manifests = (1...kind.appCount).compactMap { number in
            BundleIdentifier("org.example.app\(number)").map {
                AppManifest(identifier: $0, executable: "app", backgroundModes: kind.modes, usesScenes: true)
            }
        }
        var policy = Policy.iOS26
        // A history is too short for the usual interval of 15 minutes.
        policy.fetchInterval = .seconds(120)
        var world = World(
            seed: seed, policy: policy, manifests: manifests, profiles: [kind.profile], checks: false, keepsSteps: true)
        for entry in Downloads.catalog { world.network.serve(entry.file, at: entry.url) }
        start = world.device
        let installations = world.eventCount
        var random = RandomSource(seed: seed, part: 1)
        while world.eventCount < installations + count {
            Self.act(kind, &random, &world)
            world.advance(by: Nanoseconds(random.span(upTo: 60_000_000_000)))
        }
        end = world.device
        events = (world.core.checked.steps ?? []).dropFirst(installations).compactMap { step in
            if case .event(let event, let now) = step { (event, now) } else { nil }
        }
    }

    /// Something from outside: a user action, a wake, a push, another network.
    private static func act(_ kind: Kind, _ random: inout RandomSource, _ world: inout World) {
        let app = AppID(1 + Int32(random.below(kind.appCount)))
        switch random.below(kind.usesConcerns ? 26 : 16) {
        case 0...6: world.handle(.device(.appOpened(app)))
        case 7...9: world.handle(.device(.homePressed))
        case 10...12: world.handle(.device(.wakeOccurred(app, .locationMonitoring)))
        case 13: world.handle(.device(.inputOccurred(app, .touch(x: 1000, y: 1000))))
        case 14: world.handle(.device(.appForceQuit(app)))
        case 15:
            world.handle(.device(.deviceLocked))
            world.advance(by: .seconds(30))
            world.handle(.device(.deviceUnlocked))
        case 16...19:
            let push = RemoteNotification(payload: "{\"aps\":{\"content-available\":1}}", isContentAvailable: true)
            world.handle(.concern(.notification(.pushArrived(app, push))))
        case 20...23: world.useNotification(of: app)
        case 24: world.setNetwork(Network.allCases[random.below(Network.allCases.count)])
        default:
            let ids = world.device.transferIDs
            let action = TransferUserAction.allCases[random.below(TransferUserAction.allCases.count)]
            if !ids.isEmpty { world.handle(.concern(.transfer(.userAction(ids[random.below(ids.count)], action)))) }
        }
    }

    /// Plays all events through a brain, and returns the resulting device. Callgrind counts the instructions of this
    /// function and finds it by its name, so it must not be inlined.
    @inline(never) package func play() -> Device {
        var device = start
        var effects: [Effect] = []
        for (event, now) in events {
            effects.removeAll(keepingCapacity: true)
            device.handle(event, at: now, into: &effects)
        }
        return device
    }
}
