// swift-tools-version: 6.2
import PackageDescription

/// An app's one special setting: what it imports as UIKit is RoostKit. Its files stay as they are.
let asUIKit = SwiftSetting.unsafeFlags(["-module-alias", "UIKit=RoostKit"])

func app(
    _ name: String, _ mode: SwiftLanguageMode = .v6, besides: [String] = [], files: [String] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: (["RoostKit"] + besides).map { .product(name: $0, package: "roost") },
        exclude: ["Info.plist", "README.md"] + files, swiftSettings: [.swiftLanguageMode(mode), asUIKit])
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
        // The same, the Swift 6 way.
        app("SwiftSix"),
        app("BackgroundLoop"),
        // Apps that show one thing each.
        app("Notepad"),
        app("OptOut"),
        app("Overstayer"),
        // An app to keep: a podcast downloader.
        app("Podcasts", besides: ["RoostURLSession"]),
        // Another: messages that come by fetch and push.
        app("Inbox"),
        // Apps that print all they are told: without scenes, and with them.
        app("EveryCallback"),
        app("SceneLog"),
        // An app that does what a script says, for tests.
        app("Counter"),
        .testTarget(
            name: "ExamplesTests",
            dependencies: [
                "FiniteLengthObjC", "TwoTasks", "SwiftSix", "EndlessLoop", "BackgroundLoop", "Notepad", "OptOut",
                "Overstayer", "Alarm",
                "EveryCallback", "SceneLog", "Counter", "Podcasts", "Inbox",
                .product(name: "RoostTesting", package: "roost"),
                .product(name: "CRoostClock", package: "roost"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
