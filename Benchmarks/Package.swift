// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error),
]

func roost(_ product: String) -> Target.Dependency { .product(name: product, package: "roost") }

/// An app without shared libraries, so that its start has no other cost.
let entirelyStatic = LinkerSetting.unsafeFlags(["-static-executable"])

let package = Package(
    name: "roost-benchmarks",
    dependencies: [.package(name: "roost", path: "..")],
    targets: [
        // Measures the system from outside: starts `roost up`, installs apps, and prints the table.
        .executableTarget(
            name: "bench",
            dependencies: [roost("roost"), roost("roost-carry"), roost("roost-gps"), roost("roost-guardian")],
            swiftSettings: settings),
        // Each measures one component in its own process.
        .executableTarget(
            name: "brain", dependencies: [roost("LifeCyclePolicy"), roost("LifeCycleSimulation")],
            swiftSettings: settings),
        .executableTarget(
            name: "freezer", dependencies: ["CFreeze", roost("RoostLinux")], swiftSettings: settings),
        .target(name: "CFreeze", path: "yardsticks/freeze"),
        .executableTarget(
            name: "carry", dependencies: [roost("RoostCarrier"), roost("RoostLinux")], swiftSettings: settings),
        // The apps.
        .executableTarget(name: "TaskPairs", dependencies: [roost("RoostKit")], swiftSettings: settings),
        .executableTarget(
            name: "Downloads", dependencies: [roost("RoostKit"), roost("RoostURLSession")], swiftSettings: settings),
        .executableTarget(
            name: "Callbacks", dependencies: [roost("RoostKit")], swiftSettings: settings,
            linkerSettings: [entirelyStatic]),
        .executableTarget(
            name: "FirstLine", dependencies: [roost("RoostKit")], swiftSettings: settings,
            linkerSettings: [entirelyStatic]),
    ]
)
