/// A package of the files that build, with a first test: the files to write, and the app's files to link. Nothing is
/// copied, so the test always runs the app's current files.
public struct PackageDraft: Sendable {
    /// An `Info.plist` of the tree.
    public struct InfoPlist: Hashable, Sendable {
        /// The path from the top of the tree.
        public let path: String
        /// The content.
        public let text: String

        /// An `Info.plist` at a path.
        public init(path: String, text: String) {
            self.path = path
            self.text = text
        }
    }

    /// The module's name, as tests import it.
    public let module: String
    private let scan: TreeScan
    private let roost: (package: String, identity: String)
    private let settings: ProjectSettings
    private let plist: InfoPlist?

    /// A draft.
    ///
    /// - Parameters:
    ///   - scan: The tree.
    ///   - module: The name of the module.
    ///   - roost: Roost, as an entry in `dependencies`, and the identity of the package with its products.
    ///   - settings: The project's settings.
    ///   - plist: The app's `Info.plist`; nil if the app has no such file.
    public init(
        _ scan: TreeScan, module: String, roost: (package: String, identity: String), settings: ProjectSettings,
        plist: InfoPlist?
    ) {
        self.scan = scan
        self.module = module
        self.roost = roost
        self.settings = settings
        self.plist = plist
    }

    /// Whether the app can be run: a file that builds has `@main`.
    public var isExecutable: Bool { scan.buildingFacts.contains(where: \.hasMain) }

    /// The subject of the first test, in words; nil if there is none.
    public var subject: String? { FirstTest.subject(of: scan).map { "\($0.type), of \($0.path)" } }

    /// The files that build, with their places in the package. No two files have the same name, as Swift requires.
    public var links: [(path: String, source: String)] {
        var taken: Set<String> = []
        var result: [(path: String, source: String)] = scan.paths(.builds).map { source in
            let parts = source.split(separator: "/").map(String.init)
            // `Feed/Store.swift` and `Login/Store.swift`: the second becomes `Login-Store.swift`.
            var count = 1
            var name = parts.last ?? source
            while taken.contains(name.lowercased()), count < parts.count {
                count += 1
                name = parts.suffix(count).joined(separator: "-")
            }
            taken.insert(name.lowercased())
            return ("Sources/\(module)/\(name)", source)
        }
        if isExecutable, let plist { result.append(("Sources/\(module)/Info.plist", plist.path)) }
        return result
    }

    /// The files to write.
    public var files: [(path: String, text: String)] {
        [
            ("Package.swift", package), (".gitignore", ".build/\n"),
            ("Tests/\(module)Tests/BackgroundTests.swift", test),
        ] + (hasBackgroundSessions ? [("Sources/\(module)/\(SessionShim.path)", SessionShim.text)] : [])
    }

    /// An app without a background session does not pay for FoundationNetworking.
    private var hasBackgroundSessions: Bool { scan.facts.contains(where: \.hasBackgroundSession) }

    // MARK: The package

    private var swiftSettings: String {
        let mode = settings.isSwift6 ? ".swiftLanguageMode(.v6)" : ".swiftLanguageMode(.v5)"
        return settings.isMainActorByDefault
            ? "asUIKit, \(mode), .defaultIsolation(MainActor.self)" : "asUIKit, \(mode)"
    }

    private var package: String {
        let exclude = isExecutable && plist != nil ? "exclude: [\"Info.plist\"], " : ""
        let clock =
            isExecutable ? "\n                .product(name: \"CRoostClock\", package: \"\(roost.identity)\")," : ""
        let products = (["RoostKit"] + (hasBackgroundSessions ? ["RoostURLSession"] : []))
            .map { ".product(name: \"\($0)\", package: \"\(roost.identity)\")" }.joined(separator: ", ")
        return """
            // swift-tools-version: 6.2
            import PackageDescription

            /// The app's `import UIKit` means RoostKit, so its source files stay unchanged.
            let asUIKit = SwiftSetting.unsafeFlags(["-module-alias", "UIKit=RoostKit"])

            let package = Package(
                name: "\(module)",
                dependencies: [\(roost.package)],
                targets: [
                    .\(isExecutable ? "executableTarget" : "target")(
                        name: "\(module)",
                        dependencies: [\(products)],
                        \(exclude)swiftSettings: [\(swiftSettings)]),
                    .testTarget(
                        name: "\(module)Tests",
                        dependencies: [
                            "\(module)", .product(name: "RoostTesting", package: "\(roost.identity)"),\(clock)
                        ],
                        swiftSettings: [asUIKit, .swiftLanguageMode(\(settings.isSwift6 ? ".v6" : ".v5"))]),
                ]
            )

            """
    }

    // MARK: The test

    /// The scenes of the `Info.plist` are used in the test if their delegates build.
    private var infoPlist: String {
        guard isExecutable, let plist, plist.text.contains("UIApplicationSceneManifest") else { return "" }
        let named = plist.text.matches(of: /UISceneDelegateClassName<\/key>\s*<string>([^<]*)<\/string>/)
            .compactMap { $0.output.1.split(separator: ".").last.map(String.init) }
        let classes = Set(scan.buildingFacts.flatMap(\.declarations).filter { $0.kind == .class }.map(\.name))
        guard named.allSatisfy(classes.contains) else { return "" }
        return "infoPlist: .file(\"Sources/\(module)/Info.plist\")"
    }

    private func install(_ subject: Subject?) -> String {
        let plist = infoPlist
        switch subject?.start {
        case .delegate:
            let delegate = "delegate: \(subject?.type ?? "").self"
            return "install(\(plist.isEmpty ? delegate : plist + ", " + delegate))"
        case .shared(let property):
            let instance = "\(subject?.type ?? "").\(property)"
            return "install { \(subject?.method.map { "\(instance).\($0)()" } ?? "_ = \(instance)") }"
        case .made:
            return "install { manager = \(subject?.type ?? "")()\(subject?.method.map { "; manager?.\($0)()" } ?? "") }"
        case nil: return "install {}"
        }
    }

    private var test: String {
        let subject = FirstTest.subject(of: scan)
        let about =
            subject.map { "`\($0.type)`, of \($0.path), on a device whose time the test moves." }
            ?? "No class that builds here uses the life cycle yet: write in `install` what a launch does."
        let variable = subject?.start == .made ? "\n            var manager: \(subject?.type ?? "")?" : ""
        let end = subject?.start == .made ? "\n                withExtendedLifetime(manager) {}" : ""
        return """
            import RoostTesting
            import Testing
            import UIKit

            @testable import \(module)

            /// \(about)
            @Suite @MainActor struct BackgroundTests {
                @Test func restsInTheBackground() async throws {\(variable)
                    try await withVirtualDevice { device in
                        let app = try device.\(install(subject))
                        await device.launch(app)
                        #expect(app.state == .active)
                        await device.home()
                        // An open background task or a callback that does not return fails the test.
                        await device.advance(by: .seconds(600))
                        #expect(app.state == .suspended)
                        await device.launch(app)
                        #expect(app.state == .active)\(end)
                    }
                }\(processTest)
            }

            """
    }

    /// A test of the whole app; empty if the app cannot be run.
    private var processTest: String {
        guard isExecutable else { return "" }
        let plist = infoPlist
        return """


                /// The same test with the app's real executable. Its timers and dates follow the device's clock.
                @Test func restsInTheBackgroundAsAProcess() async throws {
                    try await withVirtualDevice { device in
                        let app = try device.install(executable: "\(module)"\(plist.isEmpty ? "" : ", " + plist))
                        await device.launch(app)
                        #expect(app.state == .active)
                        await device.home()
                        await device.advance(by: .seconds(600))
                        #expect(app.state == .suspended)
                    }
                }
            """
    }
}
