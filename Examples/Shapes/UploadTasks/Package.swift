// swift-tools-version: 6.2
import PackageDescription

/// The app's `import UIKit` means RoostKit, so its source files stay unchanged.
let asUIKit = SwiftSetting.unsafeFlags(["-module-alias", "UIKit=RoostKit"])
let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error), asUIKit]
let roostKit: Target.Dependency = .product(name: "RoostKit", package: "roost")
let roostTesting: Target.Dependency = .product(name: "RoostTesting", package: "roost")

let package = Package(
    name: "UploadTasks",
    dependencies: [.package(name: "roost", path: "../../..")],
    targets: [
        .target(name: "UploadTasks", dependencies: [roostKit], swiftSettings: settings),
        .testTarget(name: "UploadTasksTests", dependencies: ["UploadTasks", roostTesting], swiftSettings: settings),
    ]
)
