import Testing

/// The imports that each target may have. The compiler does not check this: an undeclared import of a transitive
/// dependency builds.
private let allowedImports: [String: Set<String>] = {
    let pure: Set = ["FoundationEssentials"]
    let adapter: Set = ["LifeCycleModel", "RoostPorts", "Glibc", "Synchronization", "FoundationEssentials"]
    return [
        "LifeCycleModel": pure,
        "LifeCyclePolicy": ["LifeCycleModel"],
        "AppCore": ["LifeCycleModel"],
        // Reads Swift as text, and knows nothing of the life cycle.
        "SourceScan": [],
        "SoundHeaders": ["LifeCycleModel"],
        "LifeCycleSimulation": ["LifeCycleModel", "LifeCyclePolicy", "AppCore", "Synchronization"],
        "LifeCycleText": ["LifeCycleModel", "LifeCyclePolicy"],
        "LifeCycleScenario": [
            "LifeCycleModel", "LifeCyclePolicy", "LifeCycleText", "AppCore", "LifeCycleSimulation",
        ],
        "LifeCyclePlay": ["LifeCycleModel", "LifeCyclePolicy", "LifeCycleText", "AppCore", "LifeCycleSimulation"],
        "play": ["LifeCyclePlay", "Dispatch", "Glibc", "Synchronization"],
        // Only reads YAML; the target above interprets it.
        "ScenarioFiles": ["LifeCycleModel", "LifeCycleScenario", "Yams"],
        "RoostWire": pure.union(["LifeCycleModel"]),
        // Reads and writes reports; the target above does the exploring.
        "ExploreCommand": pure.union(["LifeCycleModel", "LifeCycleSimulation", "Glibc"]),
        "explore": ["ExploreCommand", "LifeCycleModel", "LifeCycleSimulation", "Dispatch", "Glibc"],
        "instructions": ["LifeCycleSimulation", "Glibc"],
        "RoostKit": [
            "AppCore", "RoostWire", "LifeCycleModel", "Foundation", "FoundationEssentials", "Dispatch", "Glibc",
            "Synchronization", "CRoostNote",
        ],
        "RoostURLSession": [
            "RoostKit", "LifeCycleModel", "Foundation", "FoundationNetworking", "Glibc", "Synchronization",
        ],
        "RoostNewsstandKit": [
            "RoostKit", "RoostURLSession", "LifeCycleModel", "Foundation", "FoundationNetworking", "Glibc",
            "Synchronization",
        ],
        "RoostCoreLocation": ["RoostKit", "AppCore", "LifeCycleModel", "Foundation", "Synchronization"],
        "RoostAVFAudio": [
            "RoostKit", "SoundHeaders", "AppCore", "LifeCycleModel", "Foundation", "Synchronization", "CRoostPulse",
        ],
        "RoostPushKit": ["RoostKit", "AppCore", "LifeCycleModel", "Foundation", "Synchronization"],
        "RoostCallKit": ["RoostKit", "RoostAVFAudio", "AppCore", "LifeCycleModel", "Foundation", "Synchronization"],
        "RoostTesting": [
            "AppCore", "CRoostTesting", "LifeCycleModel", "LifeCyclePolicy", "LifeCycleSimulation",
            "LifeCycleText", "RoostKit", "RoostWire", "Foundation", "FoundationXML", "Dispatch", "Glibc",
            "Synchronization", "Testing", "XCTest",
        ],
        "RoostPorts": ["LifeCycleModel", "Glibc"],
        "RoostRuntime": adapter.union(["LifeCyclePolicy", "LifeCycleText", "RoostWire", "CRoost", "Logging"]),
        // No Foundation, no runtime: it has to be small, and nothing in it may fail.
        "RoostGuardian": ["LifeCycleModel", "RoostPorts", "Glibc", "CRoost"],
        "roost-guardian": ["RoostGuardian", "RoostLinux", "RoostPorts", "Glibc", "Logging"],
        "RoostLinux": adapter.union(["CRoost", "SoundHeaders"]),
        "RoostStore": adapter.union(["CRoost", "RoostWire", "GRDB", "Foundation"]),
        // The supervisor's side of transfers: no HTTP and no TLS.
        "RoostCarrier": adapter.union(["CRoost", "RoostHelpers"]),
        "RoostHelpers": ["CRoost", "RoostPorts", "Glibc"],
        // The supervisor's side of positions: no JSON of gpsd's.
        "RoostGPS": ["CRoost", "LifeCycleModel", "RoostHelpers", "RoostPorts", "Glibc"],
        // Only in the process that reads gpsd.
        "RoostGPSD": ["LifeCycleModel", "RoostWire"],
        // Only in the process that carries the transfers.
        "RoostTransfers": adapter.union(["CRoost", "CRoostCurl", "RoostCarrier", "Dispatch"]),
    ]
}()

/// The composition root, which may import everything, and C targets, which import no Swift.
private let free: Set = [
    "roost", "roost-carry", "roost-gps", "CRoost", "CRoostCurl", "CRoostNote", "CRoostClock", "CRoostPulse",
    "CRoostTesting",
]

private func findings(in file: SourceFile) -> [Finding] {
    guard file.isSource, let target = file.target, !free.contains(target) else { return [] }
    guard let allowed = allowedImports[target] else {
        return [Finding(path: file.path, line: 0, complaint: "target \(target) is not in the table of imports: add it")]
    }
    let pattern =
        /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)/
    return SwiftText(file.text).lines.enumerated().compactMap { index, line in
        guard let match = try? pattern.firstMatch(in: line), !allowed.contains(String(match.1)) else { return nil }
        return Finding(path: file.path, line: index + 1, complaint: "\(target) may not import \(match.1)")
    }
}

@Suite struct ImportTests {
    @Test func targetsImportOnlyAllowedModules() {
        let found = Repository.files.flatMap(findings)
        #expect(found.isEmpty, "\(found.report)")
    }

    /// A target of one file is a file of its neighbor. Programs are excepted: they need a target of their own.
    @Test func modulesHaveMoreThanOneFile() {
        let files = Dictionary(grouping: Repository.files.filter(\.isSource)) { $0.target ?? "" }
        let small = files.filter { $0.value.count == 1 && !$0.value[0].path.hasSuffix("/main.swift") }.keys
        #expect(small.isEmpty, "\(small.sorted())")
    }

    @Test func findsSources() {
        #expect(Repository.files.contains { $0.path == "Package.swift" })
        #expect(
            Set(Repository.files.filter(\.isSource).compactMap(\.target)).isSuperset(of: ["LifeCycleModel", "roost"]))
    }

    @Test(arguments: [
        "import Foundation", "public import Foundation", "@testable import LifeCycleSimulation",
        "  internal import Glibc",
        "import struct Foundation.Date", "@_spi(Testing) public import RoostWire",
        "#if os(Linux)\nimport Glibc\n#endif",
    ])
    func objects(text: String) {
        #expect(findings(in: SourceFile(path: "Sources/LifeCyclePolicy/X/Y.swift", text: text)).count == 1)
    }

    @Test(arguments: [
        "public import LifeCycleModel", "// import Foundation", "let text = \"\"\"\n    import Foundation\n    \"\"\"",
    ])
    func allows(text: String) {
        #expect(findings(in: SourceFile(path: "Sources/LifeCyclePolicy/X/Y.swift", text: text)).isEmpty)
    }

    @Test func wantsEveryTargetInTheTable() {
        #expect(findings(in: SourceFile(path: "Sources/New/X.swift", text: "")).count == 1)
    }
}
