// swift-tools-version: 6.2
import PackageDescription

/// The only special setting of an app: its `import UIKit` means RoostKit, so its source files stay unchanged. The same
/// holds for `import CoreLocation` and `import CallKit`.
let asUIKit = SwiftSetting.unsafeFlags(["-module-alias", "UIKit=RoostKit"])
let asCoreLocation = SwiftSetting.unsafeFlags(["-module-alias", "CoreLocation=RoostCoreLocation"])
let asCallKit = SwiftSetting.unsafeFlags(["-module-alias", "CallKit=RoostCallKit"])

func app(
    _ name: String, _ mode: SwiftLanguageMode = .v6, products: [String] = [], files: [String] = [],
    settings: [SwiftSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: (["RoostKit"] + products).map { .product(name: $0, package: "roost") },
        exclude: ["Info.plist", "README.md"] + files, swiftSettings: [.swiftLanguageMode(mode), asUIKit] + settings)
}

let package = Package(
    name: "examples",
    dependencies: [.package(name: "roost", path: "..")],
    targets: [
        // Samples from the notes on background execution, in the Swift of their time.
        app("FiniteLengthObjC", .v5),
        app("TwoTasks", .v5),
        app("EndlessLoop", .v5),
        app("Alarm", .v5, files: ["alarmsound.caf"]),
        // The same samples in modern Swift 6 style.
        app("SwiftSix"),
        app("BackgroundLoop"),
        // Apps that each show one thing.
        app("Notepad"),
        app("OptOut"),
        app("Overstayer"),
        // A complete app: a podcast downloader.
        app("Podcasts", products: ["RoostURLSession"]),
        // Another complete app: messages that arrive by background fetch and push.
        app("Inbox"),
        // A hiking tracker, which runs in the background.
        app("Hiker", products: ["RoostCoreLocation"], settings: [asCoreLocation]),
        // A telephone, which is called while it is suspended.
        app("Phone", products: ["RoostCallKit"], settings: [asCallKit]),
        // Apps that print every callback and notification: without scenes, and with scenes.
        app("EveryCallback"),
        app("SceneLog"),
        // An app for tests, which does what a script says.
        app("Counter"),
        .testTarget(
            name: "ExamplesTests",
            dependencies: [
                "FiniteLengthObjC", "TwoTasks", "SwiftSix", "EndlessLoop", "BackgroundLoop", "Notepad", "OptOut",
                "Overstayer", "Alarm",
                "EveryCallback", "SceneLog", "Counter", "Podcasts", "Inbox", "Hiker", "Phone",
                .product(name: "RoostTesting", package: "roost"),
                .product(name: "CRoostClock", package: "roost"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
