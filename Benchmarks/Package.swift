// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "roost-benchmarks",
    dependencies: [.package(name: "roost", path: "..")],
    targets: [
        .executableTarget(
            name: "brain", dependencies: [.product(name: "LifeCyclePolicy", package: "roost")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
