import SourceScan

/// The files of a new app.
struct AppTemplate {
    let name: AppName
    let identifier: String
    /// The source of RoostKit.
    let roost: RoostDependency
    /// Whether the app supports background downloads, which need a product and the file of aliases.
    let hasBackgroundDownloads: Bool

    /// The path of each file in the package, and its text. Folders follow from the paths.
    var files: [(path: String, text: String)] {
        [
            ("Package.swift", package), (".gitignore", ".build/\nPackage.resolved\n"), ("README.md", readme),
            ("Sources/\(name.module)/Info.plist", infoPlist),
            ("Sources/\(name.module)/AppDelegate.swift", appDelegate),
            ("Sources/\(name.module)/SceneDelegate.swift", sceneDelegate),
            ("Sources/\(name.module)/Visits.swift", visits), ("Sources/\(name.module)/Diary.swift", diary),
            ("Tests/\(name.module)Tests/VisitsTests.swift", tests),
            ("Tests/\(name.module)Tests/BackgroundTests.swift", backgroundTests),
        ] + (hasBackgroundDownloads ? [("Sources/\(name.module)/\(SessionShim.path)", SessionShim.text)] : [])
    }

    private var package: String {
        let products = (["RoostKit"] + (hasBackgroundDownloads ? ["RoostURLSession"] : []))
            .map { ".product(name: \"\($0)\", package: \(Self.literal(roost.identity)))" }.joined(separator: ", ")
        return """
            // swift-tools-version: 6.2
            import PackageDescription

            /// The app's `import UIKit` means RoostKit, so its source files are the same as for an iPhone.
            let asUIKit = SwiftSetting.unsafeFlags(["-module-alias", "UIKit=RoostKit"])

            let package = Package(
                name: \(Self.literal(name.module)),
                dependencies: [\(roost.package)],
                targets: [
                    .executableTarget(
                        name: \(Self.literal(name.module)),
                        dependencies: [\(products)],
                        exclude: ["Info.plist"], swiftSettings: [asUIKit]),
                    .testTarget(
                        name: \(Self.literal(name.module + "Tests")),
                        dependencies: [
                            \(Self.literal(name.module)),
                            .product(name: "RoostTesting", package: \(Self.literal(roost.identity))),
                            .product(name: "CRoostClock", package: \(Self.literal(roost.identity))),
                        ],
                        swiftSettings: [asUIKit]),
                ]
            )

            """
    }

    private var infoPlist: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <key>CFBundleIdentifier</key>
            <string>\(Self.xml(identifier))</string>
            <key>CFBundleExecutable</key>
            <string>\(Self.xml(name.module))</string>
            <key>CFBundleDisplayName</key>
            <string>\(Self.xml(name.display))</string>
            <key>UIApplicationSceneManifest</key>
            <dict>
                <key>UIApplicationSupportsMultipleScenes</key>
                <false/>
                <key>UISceneConfigurations</key>
                <dict>
                    <key>UIWindowSceneSessionRoleApplication</key>
                    <array>
                        <dict>
                            <key>UISceneConfigurationName</key>
                            <string>Default Configuration</string>
                            <key>UISceneDelegateClassName</key>
                            <string>$(PRODUCT_MODULE_NAME).SceneDelegate</string>
                        </dict>
                    </array>
                </dict>
            </dict>
        </dict>
        </plist>

        """
    }

    private var appDelegate: String {
        """
        import UIKit

        @main
        class AppDelegate: UIResponder, UIApplicationDelegate {

            let diary = Diary()

            func application(
                _ application: UIApplication,
                didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
            ) -> Bool {
                diary.register()
                return true
            }

            func application(
                _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
                options: UIScene.ConnectionOptions
            ) -> UISceneConfiguration {
                return UISceneConfiguration(name: "Default Configuration", sessionRole: connectingSceneSession.role)
            }

        }

        """
    }

    private var sceneDelegate: String {
        """
        import UIKit

        class SceneDelegate: UIResponder, UIWindowSceneDelegate {

            var window: UIWindow?
            var visits = Visits()

            func scene(
                _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
            ) {
                guard let windowScene = (scene as? UIWindowScene) else { return }
                window = UIWindow(windowScene: windowScene)
                window?.rootViewController = UIViewController()
                window?.makeKeyAndVisible()
            }

            func sceneDidBecomeActive(_ scene: UIScene) {
                print(visits.begin())
            }

        }

        """
    }

    private var visits: String {
        """
        /// Counts the user's visits.
        struct Visits {
            private(set) var count = 0

            /// Counts a visit and returns a greeting.
            mutating func begin() -> String {
                count += 1
                return count == 1 ? "Hello." : "Hello again: visit \\(count)."
            }
        }

        """
    }

    private var diary: String {
        """
        import UIKit

        /// Adds an entry each time the app enters the background. The background task prevents suspension until the entry
        /// is written.
        @MainActor final class Diary {
            private(set) var entries = 0
            private var task = UIBackgroundTaskIdentifier.invalid

            func register() {
                NotificationCenter.default.addObserver(
                    forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
                ) { [weak self] _ in
                    MainActor.assumeIsolated { self?.write() }
                }
            }

            private func write() {
                task = UIApplication.shared.beginBackgroundTask(withName: "diary") { [weak self] in self?.end() }
                Task {
                    entries += 1
                    print("See you: diary entry \\(entries).")
                    end()
                }
            }

            private func end() {
                UIApplication.shared.endBackgroundTask(task)
                task = .invalid
            }
        }

        """
    }

    private var backgroundTests: String {
        """
        import RoostTesting
        import Testing
        import UIKit

        @testable import \(name.module)

        /// Tests of the app in the background, on a virtual device: its time moves only when the test says so.
        @Suite @MainActor struct BackgroundTests {
            /// Runs the app's code in the test's process.
            @Test func writesItsDiary() async throws {
                let diary = Diary()
                try await withVirtualDevice { device in
                    let app = try device.install { diary.register() }
                    await device.launch(app)
                    #expect(app.state == .active)
                    await device.home()
                    #expect(diary.entries == 1)
                    await device.advance(by: .seconds(600))
                    // If the task had not ended, its expiration handler would have been called. Without a handler, the app
                    // would have been killed.
                    #expect(app.state == .suspended && app.expirations.isEmpty)
                }
            }

            /// Runs the whole app: its real executable is started, stopped and killed.
            @Test func forgetsWhatItKeptInMemoryAlone() async throws {
                try await withVirtualDevice { device in
                    let app = try device.install(
                        executable: \(Self.literal(name.module)),
                        infoPlist: .file(\(Self.literal("Sources/" + name.module + "/Info.plist"))))
                    for launch in 1...2 {
                        await device.launch(app)
                        await device.home()
                        await device.advance(by: .seconds(600))
                        #expect(app.state == .suspended)
                        #expect(app.output.split(separator: "\\n").count { $0 == "See you: diary entry 1." } == launch)
                        await device.kill(app)
                    }
                }
            }
        }

        """
    }

    private var tests: String {
        """
        import Testing

        @testable import \(name.module)

        @Suite struct VisitsTests {
            @Test func greets() {
                var visits = Visits()
                #expect(visits.begin() == "Hello.")
                #expect(visits.begin() == "Hello again: visit 2.")
                #expect(visits.count == 2)
            }
        }

        """
    }

    private var readme: String {
        """
        # \(name.display)

        An app on Roost, the iOS application life cycle as a Linux service.

            roost run .     builds and runs it, and you are its user: ? shows the keys
            swift test      runs its tests

        `Sources/\(name.module)/Info.plist` describes the app to the system. To let the system wake it in the background, add
        the reasons as `UIBackgroundModes`.

        """
    }

    /// With quotes and escapes.
    static func literal(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "\"": result += "\\" + String(scalar)
            case _ where scalar.properties.generalCategory == .control:
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return "\"" + result + "\""
    }

    /// The text, escaped for an XML element.
    static func xml(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
