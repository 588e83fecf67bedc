import FoundationEssentials
import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// Contradictions that a file can hold, and that no device can be in.
@Suite struct ContradictionTests {
    static let changes: [(name: String, change: @Sendable (inout Device) -> Void)] = [
        ("numbers", { $0.state.ids.removeLast() }), ("numbers", { $0.state.apps.removeLast() }),
        ("order", { ($0.state.apps, $0.state.ids) = ($0.state.apps.reversed(), $0.state.ids.reversed()) }),
        ("order", { ($0.state.apps[1], $0.state.ids[1]) = ($0.state.apps[0], $0.state.ids[0]) }),
        ("deadlines", { $0.state.deadlines.resize(to: 1) }), ("deadlines", { $0.state.deadlines.resize(to: 3) }),
        ("footprints", { $0.state.footprints.resize(to: 1) }), ("footprints", { $0.state.footprints.resize(to: 3) }),
        ("run", { $0.state.runningApps = -1 }), ("run", { $0.state.runningApps = 3 }),
        ("awake", { $0.state.appsKeepingAwake = 1 }), ("awake", { $0.state.appsKeepingAwake = -1 }),
        ("places", { $0.state.lastSwitcherPlace = .max }), ("places", { $0.state.lastSwitcherPlace = -1 }),
        ("clock", { $0.state.surroundings.clockChanges = .max }),
        ("launched", { $0.state.apps[1].record.lastLaunch = .max }),
        ("launched", { $0.state.apps[0].record.lastLaunch = -1 }),
    ]

    private func device() throws -> Device {
        let records = try [1, 2].map { number in
            let identifier = try #require(BundleIdentifier("org.example.app\(number)"))
            return AppRecord(
                app: AppID(Int32(number)), manifest: AppManifest(identifier: identifier, executable: "app"))
        }
        return Device(policy: .iOS26, apps: records, launches: [])
    }

    @Test(arguments: changes.indices) func isFound(_ index: Int) throws {
        var device = try device()
        #expect(device.contradiction == nil)
        Self.changes[index].change(&device)
        #expect(
            device.contradiction?.contains(Self.changes[index].name) == true, "\(device.contradiction ?? "nothing")")
    }

    @Test(arguments: [
        (#""attempt":0"#, #""attempt":-1"#, "frozen"), (#""attempt":0"#, #""attempt":2147483647"#, "frozen"),
        (#""held":{}"#, #""frozen":{"footprint":-1}"#, "memory"),
    ])
    func contradictionsInAFileAreFound(from old: String, to new: String, name: String) throws {
        let text = String(decoding: try JSONEncoder().encode(try device()), as: UTF8.self)
        try #require(text.contains(old))
        let read = try JSONDecoder().decode(Device.self, from: Data(text.replacing(old, with: new).utf8))
        #expect(read.contradiction?.contains(name) == true, "\(read.contradiction ?? "nothing")")
    }

    @Test(arguments: [Int64(0), -1, .max / 4_000_000_000, .max]) func anImpossiblePolicyIsFound(burst: Int64) {
        let device = Device(policy: Policy.iOS26.with { $0.requestBurst = burst })
        #expect(device.contradiction?.contains("requestBurst of \(burst)") == true)
        let other = Device(policy: Policy.iOS26.with { $0.transferActBurst = burst })
        #expect(other.contradiction?.contains("transferActBurst of \(burst)") == true)
    }

    /// Times are divided by some limits, and others are multiplied or count the elements of lists.
    @Test(arguments: [Int64(0), -1, .min, .max]) func aLimitThatNoSettingGivesIsFound(_ value: Int64) {
        let changes: [(String, (inout Policy) -> Void)] = [
            ("longFetch", { $0.longFetch = Nanoseconds(value) }), ("launch", { $0.launch = Nanoseconds(value) }),
            ("notificationActBurst", { $0.notificationActBurst = value }),
            ("transfersPerApp", { $0.transfersPerApp = value }), ("silentPushes", { $0.silentPushes = value }),
            ("openFiles", { $0.openFiles = value }), ("taskCap", { $0.taskCap = Int(value) }),
        ]
        for (name, change) in changes {
            let device = Device(policy: Policy.iOS26.with(change))
            #expect(device.contradiction?.contains("\(name) of ") == true, "\(name)")
        }
    }
}
