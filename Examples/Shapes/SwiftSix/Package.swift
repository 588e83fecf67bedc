// swift-tools-version: 6.2
import PackageDescription

/// The app's `import UIKit` means RoostKit, so its source files stay unchanged.
let asUIKit = SwiftSetting.unsafeFlags(["-module-alias", "UIKit=RoostKit"])
let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error), asUIKit]
let roostKit: Target.Dependency = .product(name: "RoostKit", package: "roost")
let roostTesting: Target.Dependency = .product(name: "RoostTesting", package: "roost")
/// The clock library for the processes that the tests start.
let roostClock: Target.Dependency = .product(name: "CRoostClock", package: "roost")

let package = Package(
    name: "SwiftSix",
    dependencies: [.package(name: "roost", path: "../../..")],
    targets: [
        .executableTarget(
            name: "SwiftSix", dependencies: [roostKit], exclude: ["Info.plist"], swiftSettings: settings),
        .testTarget(
            name: "SwiftSixTests", dependencies: ["SwiftSix", roostTesting, roostClock], swiftSettings: settings),
    ]
)
