import Testing

@testable import SourceScan

@Suite struct PackageDraftTests {
    private func draft(
        _ files: [(path: String, text: String)], projects: [String] = [], plist: PackageDraft.InfoPlist? = nil
    ) -> PackageDraft {
        PackageDraft(
            TreeScan(files), module: "Notes", roost: (".package(path: \"/roost\")", "roost"),
            settings: ProjectSettings(projects: projects), plist: plist)
    }

    private func test(_ draft: PackageDraft) -> String {
        draft.files.first { $0.path.hasSuffix("Tests.swift") }?.text ?? ""
    }

    private let delegate = (
        path: "App/AppDelegate.swift",
        text: "import UIKit\n@main class AppDelegate: UIResponder, UIApplicationDelegate {}"
    )
    private let manager = (
        path: "Sync.swift",
        text: """
        import UIKit
        final class Sync {
            static let shared = Sync()
            func start() { _ = UIApplication.shared.beginBackgroundTask() }
        }
        """
    )

    @Test func theDelegateComesFirst() {
        let draft = draft([manager, delegate])
        #expect(draft.isExecutable && draft.subject == "AppDelegate, of App/AppDelegate.swift")
        #expect(test(draft).contains("device.install(delegate: AppDelegate.self)"))
        #expect(test(draft).contains("device.install(executable: \"Notes\")"))
        #expect(draft.files[0].text.contains(".executableTarget(") && draft.files[0].text.contains("CRoostClock"))
    }

    @Test(arguments: [
        ("static let shared = Sync()\n    func start() {}", "install { Sync.shared.start() }"),
        ("static let shared = Sync()\n    func start(_ x: Int) {}", "install { _ = Sync.shared }"),
        ("func register() {}", "install { manager = Sync(); manager?.register() }"),
        ("init() {}\n    func f() {}", "install { manager = Sync() }"),
    ])
    func elseAManager(body: String, expected: String) {
        let text =
            "import UIKit\nclass Sync {\n    \(body)\n    let n = UIApplication.didEnterBackgroundNotification\n}"
        let draft = draft([("Sync.swift", text)])
        #expect(test(draft).contains(expected), "\(test(draft))")
        #expect(!draft.isExecutable && !draft.files[0].text.contains("CRoostClock"))
    }

    /// Only an app with a background session depends on RoostURLSession.
    @Test(arguments: [".background(withIdentifier: \"s\")", "URLSessionConfiguration.default"])
    func backgroundSessions(configuration: String) {
        let text = """
            import Foundation
            import FoundationNetworking
            let session = URLSession(configuration: \(configuration))
            """
        let draft = draft([("Session.swift", text)])
        let isBackground = configuration.hasPrefix(".background")
        #expect(draft.links.map(\.source) == ["Session.swift"])
        #expect(draft.files[0].text.contains("\"RoostURLSession\"") == isBackground)
        let shim = draft.files.first { $0.path == "Sources/Notes/URLSession+Roost.swift" }
        #expect(shim?.text == (isBackground ? SessionShim.text : nil))
    }

    @Test func elseNothing() {
        let draft = draft([
            ("A.swift", "struct A {}"),
            (
                "B.swift",
                "import UIKit\nclass B { init(x: Int) {}\nfunc f() { UIApplication.shared.beginBackgroundTask() } }"
            ),
        ])
        #expect(draft.subject == nil && test(draft).contains("install {}"))
    }

    @Test func filesWithEqualNamesGetUniqueNames() {
        let draft = draft([("A/X.swift", "struct A {}"), ("B/X.swift", "struct B {}"), ("C/x.swift", "struct C {}")])
        #expect(
            draft.links.map(\.path) == ["Sources/Notes/X.swift", "Sources/Notes/B-X.swift", "Sources/Notes/C-x.swift"])
        #expect(draft.links.map(\.source) == ["A/X.swift", "B/X.swift", "C/x.swift"])
    }

    @Test func theProjectSaysTheMode() {
        func package(_ projects: String...) -> String { draft([manager], projects: projects).files[0].text }
        #expect(package().contains("asUIKit, .swiftLanguageMode(.v5)]"))
        #expect(package("SWIFT_VERSION = 5.0;").contains(".v5"))
        #expect(package("\tSWIFT_VERSION = 6.0;\n SWIFT_VERSION = 5.0;").contains(".v5"))
        let six = package("\tSWIFT_VERSION = 6.0;\r\n\tSWIFT_DEFAULT_ACTOR_ISOLATION = MainActor;\n")
        #expect(six.contains(".v6") && six.contains(".defaultIsolation(MainActor.self)"))
    }

    @Test func thePlistServesATestIfItsScenesBuild() {
        let text =
            "<key>UIApplicationSceneManifest</key><key>UISceneDelegateClassName</key>\n<string>$(X).Scenes</string>"
        let plist = PackageDraft.InfoPlist(path: "App/Info.plist", text: text)
        let scenes = (path: "Scenes.swift", text: "import UIKit\nclass Scenes: UIResponder, UIWindowSceneDelegate {}")
        let with = draft([delegate, scenes], plist: plist)
        #expect(test(with).contains("infoPlist: .file(\"Sources/Notes/Info.plist\"), delegate: AppDelegate.self"))
        #expect(with.links.contains { $0 == ("Sources/Notes/Info.plist", "App/Info.plist") })
        #expect(with.files[0].text.contains("exclude: [\"Info.plist\"]"))
        #expect(!test(draft([delegate], plist: plist)).contains("infoPlist"))
    }
}
