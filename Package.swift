// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// `CORE_ONLY=1` leaves only the pure targets and their tests: no dependency, no Linux, a build in seconds.
let coreOnly = ProcessInfo.processInfo.environment["CORE_ONLY"] == "1"

/// The one set of compiler settings for every target of ours.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// The settings by which an app's files import UIKit unchanged: the name stands for RoostKit.
let asUIKit = SwiftSetting.unsafeFlags(["-module-alias", "UIKit=RoostKit"])

/// The same for the files of an app that receives calls.
let asCallKit: [SwiftSetting] = [
    asUIKit,
    .unsafeFlags([
        "-module-alias", "PushKit=RoostPushKit", "-module-alias", "CallKit=RoostCallKit", "-module-alias",
        "AVFAudio=RoostAVFAudio",
    ]),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], excluding files: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: files, swiftSettings: settings)
}

let pureTargets: [Target] = [
    module("LifeCycleModel"),
    module("LifeCyclePolicy", ["LifeCycleModel"]),
    module("LifeCycleText", ["LifeCycleModel", "LifeCyclePolicy"]),
    module("AppCore", ["LifeCycleModel"]),
    module("SourceScan"),
    // The headers of sound files, for the system and for apps.
    module("SoundHeaders", ["LifeCycleModel"]),
    module("LifeCycleSimulation", ["LifeCycleModel", "LifeCyclePolicy", "AppCore"]),
    module(
        "LifeCycleScenario", ["LifeCycleModel", "LifeCyclePolicy", "LifeCycleText", "AppCore", "LifeCycleSimulation"]),
    module(
        "LifeCyclePlay", ["LifeCycleModel", "LifeCyclePolicy", "LifeCycleText", "AppCore", "LifeCycleSimulation"]),
    // The interfaces in varlink's own language are constants of `PackageResources`.
    .target(
        name: "RoostWire", dependencies: ["LifeCycleModel"], resources: [.embedInCode("Interfaces")],
        swiftSettings: settings),
    // All of `explore` and `roost explore` but their arguments and what they print to.
    module("ExploreCommand", ["LifeCycleModel", "LifeCycleSimulation"]),
    .executableTarget(
        name: "explore", dependencies: ["ExploreCommand", "LifeCycleModel", "LifeCycleSimulation"],
        swiftSettings: settings),
    // Counted by scripts/instructions.
    .executableTarget(name: "instructions", dependencies: ["LifeCycleSimulation"], swiftSettings: settings),
    .executableTarget(
        name: "play", dependencies: ["LifeCycleModel", "LifeCyclePlay"], swiftSettings: settings),
    tests("LifeCycleModelTests", ["LifeCycleModel"]),
    tests("LifeCyclePolicyTests", ["LifeCycleSimulation", "LifeCyclePolicy", "LifeCycleModel"]),
    tests("AppCoreTests", ["AppCore", "LifeCycleModel"]),
    tests("SourceScanTests", ["SourceScan"]),
    tests(
        "LifeCycleSimulationTests",
        ["ExploreCommand", "LifeCycleSimulation", "LifeCyclePolicy", "AppCore", "LifeCycleModel"]),
    tests(
        "LifeCycleScenarioTests",
        ["LifeCycleScenario", "LifeCycleSimulation", "LifeCycleText", "LifeCyclePolicy", "LifeCycleModel"]),
    tests("LifeCyclePlayTests", ["LifeCyclePlay", "LifeCycleModel"]),
    tests("RoostWireTests", ["RoostWire", "LifeCycleModel"]),
]

let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let systemTargets: [Target] = [
    .target(name: "CRoostNote"),
    // The clock that a test preloads into an app's process, and the page through which it moves it.
    .target(name: "CRoostTesting"),
    .target(name: "CRoostClock", dependencies: ["CRoostTesting"], linkerSettings: [.linkedLibrary("dl")]),
    module("RoostKit", ["AppCore", "CRoostNote", "LifeCycleModel", "RoostWire"]),
    // Not in RoostKit, because each app that imports it also loads FoundationNetworking.
    module("RoostURLSession", ["LifeCycleModel", "RoostKit"]),
    module("RoostNewsstandKit", ["LifeCycleModel", "RoostKit", "RoostURLSession"]),
    module("RoostCoreLocation", ["AppCore", "LifeCycleModel", "RoostKit"]),
    .target(name: "CRoostPulse", linkerSettings: [.linkedLibrary("dl")]),
    module("RoostAVFAudio", ["AppCore", "CRoostPulse", "LifeCycleModel", "RoostKit", "SoundHeaders"]),
    module("RoostPushKit", ["AppCore", "LifeCycleModel", "RoostKit"]),
    module("RoostCallKit", ["AppCore", "LifeCycleModel", "RoostAVFAudio", "RoostKit"]),
    module(
        "RoostTesting",
        [
            "AppCore", "CRoostTesting", "LifeCycleModel", "LifeCyclePolicy", "LifeCycleSimulation",
            "LifeCycleText", "RoostKit", "RoostWire",
        ]),
    module("RoostPorts", ["LifeCycleModel"]),
    .target(name: "CRoost"),
    module("RoostLinux", ["CRoost", "LifeCycleModel", "RoostPorts", "SoundHeaders"]),
    module("RoostGuardian", ["CRoost", "LifeCycleModel", "RoostPorts"]),
    module("RoostStore", ["LifeCycleModel", "RoostPorts", "RoostWire", "CRoost", grdb]),
    // The streams to the processes that read untrusted data for the supervisor.
    module("RoostHelpers", ["CRoost", "RoostPorts"]),
    // Transfers: the supervisor's side, which reads nothing of a server's, and the process that does.
    module("RoostCarrier", ["CRoost", "LifeCycleModel", "RoostHelpers", "RoostPorts"]),
    .systemLibrary(name: "Ccurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(
        name: "CRoostCurl", dependencies: ["Ccurl"],
        linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
    module("RoostTransfers", ["CRoost", "CRoostCurl", "LifeCycleModel", "RoostCarrier", "RoostPorts"]),
    .executableTarget(
        name: "roost-carry",
        dependencies: ["CRoost", "LifeCycleModel", "RoostCarrier", "RoostHelpers", "RoostPorts", "RoostTransfers"],
        swiftSettings: settings),
    // Positions: the supervisor's side, which reads nothing of gpsd's, and the process that does.
    module("RoostGPS", ["CRoost", "LifeCycleModel", "RoostHelpers", "RoostPorts"]),
    module("RoostGPSD", ["LifeCycleModel", "RoostWire"]),
    .executableTarget(
        name: "roost-gps",
        dependencies: ["CRoost", "LifeCycleModel", "RoostGPS", "RoostGPSD", "RoostHelpers", "RoostPorts"],
        swiftSettings: settings),
    .executableTarget(
        name: "roost-guardian", dependencies: ["RoostGuardian", "RoostLinux", "RoostPorts", logging],
        swiftSettings: settings),
    module(
        "RoostRuntime",
        ["CRoost", "LifeCycleModel", "LifeCyclePolicy", "LifeCycleText", "RoostWire", "RoostPorts", logging]),
    module("ScenarioFiles", ["LifeCycleScenario", yams]),
    .executableTarget(
        name: "roost",
        dependencies: [
            "ExploreCommand", "LifeCycleModel", "LifeCyclePolicy", "LifeCycleText", "LifeCycleSimulation",
            "LifeCycleScenario", "ScenarioFiles", "SourceScan", "RoostWire", "RoostPorts", "RoostRuntime",
            "CRoost", "RoostCarrier", "RoostGPS", "RoostGuardian", "RoostHelpers", "RoostLinux", "RoostStore",
            argumentParser, logging,
        ],
        swiftSettings: settings),
    .executableTarget(
        name: "RoostKitTestApp", dependencies: ["RoostKit"], path: "Tests/RoostKitTestApp", swiftSettings: settings),
    .executableTarget(
        name: "RoostTestingTestApp", dependencies: ["RoostKit"], path: "Tests/RoostTestingTestApp",
        swiftSettings: settings + [asUIKit]),
    // The sample of Apple's guide, in the Swift of its time.
    .executableTarget(
        name: "NotesSample", dependencies: ["RoostKit"], path: "Tests/NotesSample",
        swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error), asUIKit]),
    // The files of Xcode's template, compiled in both modes as an app compiles them.
    .executableTarget(
        name: "UIKitTemplate", dependencies: ["RoostKit"], path: "Tests/UIKitTemplate",
        swiftSettings: settings + [asUIKit]),
    .executableTarget(
        name: "UIKitTemplateSwift5", dependencies: ["RoostKit"], path: "Tests/UIKitTemplateSwift5",
        swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error), asUIKit]),
    .executableTarget(
        name: "SessionTestApp", dependencies: ["RoostKit", "RoostURLSession"], path: "Tests/SessionTestApp",
        swiftSettings: settings),
    tests(
        "RoostURLSessionTests",
        ["RoostURLSession", "RoostKit", "AppCore", "LifeCycleModel", "RoostWire", "SourceScan"]),
    tests(
        "RoostKitTests",
        [
            "RoostKit", "RoostKitTestApp", "SessionTestApp", "UIKitTemplate", "UIKitTemplateSwift5", "AppCore",
            "LifeCycleModel", "RoostWire",
        ]),
    .executableTarget(name: "ClockTestApp", path: "Tests/ClockTestApp", swiftSettings: settings),
    tests("RoostClockTests", ["CRoostTesting", "ClockTestApp"]),
    .testTarget(
        name: "RoostKitSwift5Tests", dependencies: ["RoostKit"],
        swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
    tests(
        "RoostTestingTests",
        [
            "RoostTesting", "NotesSample", "RoostTestingTestApp", "AudioTestApp", "DownloadTestApp", "LocationTestApp",
            "VoIPTestApp", "RoostKit", "RoostURLSession", "RoostAVFAudio", "RoostCallKit", "RoostCoreLocation",
            "RoostPushKit",
        ], excluding: ["Guide/walk.gpx"]),
    tests("RoostLinuxTests", ["RoostLinux", "RoostPorts", "SoundHeaders", "LifeCycleModel", "CRoost"]),
    tests("RoostGuardianTests", ["RoostGuardian", "RoostPorts", "LifeCycleModel", "CRoost"]),
    tests("RoostStoreTests", ["RoostStore", "RoostPorts", "LifeCycleModel"]),
    .executableTarget(
        name: "TransferTestTool", dependencies: ["RoostTransfers", "RoostPorts", "LifeCycleModel"],
        path: "Tests/TransferTestTool", swiftSettings: settings),
    tests(
        "RoostCarrierTests",
        ["RoostCarrier", "RoostHelpers", "RoostLinux", "RoostPorts", "LifeCycleModel", "CRoost"]),
    .target(name: "PulseAudioPeer", path: "Tests/PulseAudioPeer", swiftSettings: settings),
    tests("RoostAVFAudioTests", ["AppCore", "LifeCycleModel", "PulseAudioPeer", "RoostAVFAudio"]),
    .target(name: "GPSDPeer", dependencies: ["CRoost", "RoostLinux"], path: "Tests/GPSDPeer", swiftSettings: settings),
    tests(
        "RoostGPSTests",
        ["GPSDPeer", "RoostGPS", "RoostGPSD", "roost-gps", "RoostHelpers", "RoostPorts", "LifeCycleModel", "CRoost"]),
    tests(
        "RoostTransfersTests", ["RoostTransfers", "RoostPorts", "LifeCycleModel", "TransferTestTool"],
        excluding: ["bad_server.py", "http2_only.py"]),
    tests(
        "RoostRuntimeTests", ["RoostRuntime", logging, "RoostPorts", "RoostWire", "LifeCycleModel", "LifeCyclePolicy"]),
    tests("ScenarioFilesTests", ["ScenarioFiles", "LifeCycleScenario", "LifeCycleModel"]),
    .executableTarget(
        name: "DownloadTestApp", dependencies: ["RoostKit", "RoostURLSession"], path: "Tests/DownloadTestApp",
        swiftSettings: settings),
    .executableTarget(
        name: "NewsstandTestApp", dependencies: ["RoostKit", "RoostNewsstandKit"], path: "Tests/NewsstandTestApp",
        swiftSettings: settings + [asUIKit, .unsafeFlags(["-module-alias", "NewsstandKit=RoostNewsstandKit"])]),
    .executableTarget(
        name: "AudioTestApp", dependencies: ["RoostKit", "RoostAVFAudio"], path: "Tests/AudioTestApp",
        swiftSettings: settings + [asUIKit, .unsafeFlags(["-module-alias", "AVFAudio=RoostAVFAudio"])]),
    .executableTarget(
        name: "VoIPTestApp", dependencies: ["RoostKit", "RoostAVFAudio", "RoostCallKit", "RoostPushKit"],
        path: "Tests/VoIPTestApp", swiftSettings: settings + asCallKit),
    .executableTarget(
        name: "BadVoIPTestApp", dependencies: ["RoostKit", "RoostCallKit", "RoostPushKit"],
        path: "Tests/BadVoIPTestApp", swiftSettings: settings + asCallKit),
    .executableTarget(
        name: "SocketTestApp", dependencies: ["RoostKit"], path: "Tests/SocketTestApp",
        swiftSettings: settings + [asUIKit]),
    .executableTarget(
        name: "RegionTestApp", dependencies: ["RoostKit", "RoostCoreLocation"], path: "Tests/RegionTestApp",
        swiftSettings: settings + [asUIKit, .unsafeFlags(["-module-alias", "CoreLocation=RoostCoreLocation"])]),
    .executableTarget(
        name: "LiveTestApp", dependencies: ["RoostKit", "RoostCoreLocation"], path: "Tests/LiveTestApp",
        swiftSettings: settings + [asUIKit, .unsafeFlags(["-module-alias", "CoreLocation=RoostCoreLocation"])]),
    .executableTarget(
        name: "LocationTestApp", dependencies: ["RoostKit", "RoostCoreLocation"], path: "Tests/LocationTestApp",
        swiftSettings: settings + [asUIKit, .unsafeFlags(["-module-alias", "CoreLocation=RoostCoreLocation"])]),
    tests(
        "RoostNewsstandKitTests",
        ["RoostNewsstandKit", "RoostURLSession", "RoostKit", "AppCore", "LifeCycleModel"]),
    tests(
        "EndToEndTests",
        [
            "CRoost", "GPSDPeer", "PulseAudioPeer", "RoostWire", "RoostTesting", "RoostTestingTestApp", "AudioTestApp",
            "BadVoIPTestApp", "DownloadTestApp", "LiveTestApp", "LocationTestApp", "RegionTestApp", "NewsstandTestApp",
            "SocketTestApp", "VoIPTestApp", "LifeCycleModel", "LifeCyclePolicy", "SourceScan",
        ], excluding: ["AttackSoak/attackers.py", "AttackSoak/quiet.py"]),
    tests("TidyTests", []),
]

/// `FUZZ=1` adds the program of scripts/fuzz; gold, the usual linker, crashes on it.
let fuzzTargets: [Target] =
    ProcessInfo.processInfo.environment["FUZZ"] != "1"
    ? []
    : [
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "LifeCycleModel", "LifeCyclePolicy", "RoostLinux", "RoostRuntime", "SoundHeaders", "RoostStore",
                "RoostWire", "ScenarioFiles",
            ],
            path: "Tests/Fuzz", exclude: ["Corpus"], swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])])
    ]

/// `ONLY_TESTS="A B"` removes all test targets but A and B, so that scripts/sanitize builds only the tests it runs.
let onlyTests = ProcessInfo.processInfo.environment["ONLY_TESTS"].map { $0.split(separator: " ").map(String.init) }

let allTargets = coreOnly ? pureTargets : pureTargets + systemTargets + fuzzTargets

let package = Package(
    name: "roost",
    products: [
        .library(name: "LifeCyclePolicy", targets: ["LifeCycleModel", "LifeCyclePolicy"]),
        .library(name: "LifeCycleSimulation", targets: ["LifeCycleSimulation"]),
    ]
        + (coreOnly
            ? []
            : [
                .executable(name: "roost", targets: ["roost"]),
                .executable(name: "roost-carry", targets: ["roost-carry"]),
                .executable(name: "roost-gps", targets: ["roost-gps"]),
                .executable(name: "roost-guardian", targets: ["roost-guardian"]),
                .library(name: "RoostKit", targets: ["RoostKit"]),
                .library(name: "RoostURLSession", targets: ["RoostURLSession"]),
                .library(name: "RoostNewsstandKit", targets: ["RoostNewsstandKit"]),
                .library(name: "RoostCoreLocation", targets: ["RoostCoreLocation"]),
                .library(name: "RoostAVFAudio", targets: ["RoostAVFAudio"]),
                .library(name: "RoostPushKit", targets: ["RoostPushKit"]),
                .library(name: "RoostCallKit", targets: ["RoostCallKit"]),
                .library(name: "RoostTesting", targets: ["RoostTesting"]),
                .library(name: "CRoostClock", type: .dynamic, targets: ["CRoostClock"]),
                // For the benchmarks.
                .library(name: "RoostLinux", targets: ["RoostLinux", "RoostPorts", "LifeCycleModel"]),
                .library(
                    name: "RoostCarrier", targets: ["RoostCarrier", "RoostHelpers", "RoostPorts", "LifeCycleModel"]),
            ]),
    dependencies: coreOnly
        ? []
        : [
            .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
            .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
            .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
            .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        ],
    targets: allTargets.filter { $0.type != .test || onlyTests?.contains($0.name) != false }
)
