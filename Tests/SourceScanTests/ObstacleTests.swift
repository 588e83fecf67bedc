import Testing

@testable import SourceScan

@Suite struct ObstacleTests {
    /// The line and the name of each obstacle in one file.
    private func obstacles(_ text: String, beside others: String...) -> [String] {
        let files = [(path: "A.swift", text: text)] + others.enumerated().map { ("B\($0.0).swift", $0.1) }
        return TreeScan(files).verdicts[0].obstacles.map { "\($0.line) \($0.name)" }
    }

    @Test(arguments: [
        "import UIKit\nfunc f(_ a: UIApplication) { _ = a.beginBackgroundTask { a.endBackgroundTask(.invalid) } }",
        "import UIKit\nclass A: UIViewController { override func viewDidLoad() { view.backgroundColor = .red } }",
        "import Foundation\nfunc f<Element: Sequence>(_ e: Element) -> [String: Data] { [:] }",
        "import UIKit\nlet s = \"UILabel\" // UIImage\n/* NSManagedObject */",
        "#if canImport(CoreData)\nimport CoreData\n#endif\nlet x: Int = 1",
        "import Foundation\nlet limit = EINTR\nclass C { class Thing {}; let t = Thing() }",
        "import UIKit\nclass V: UIView { override var description: String { \"\" } }",
        "import UIKit\nextension UIView { func pin() {} }\nfunc f(v: UIView) { v.pin() }",
        "import UIKit\nclass A: UIResponder { @IBAction func x(_ sender: Any) {} }",
        "import Foundation\nlet navigationController = 1\nprint(navigationController)",
        "import Foundation\nlet pair = (name: 1, size: 2)\nlet name = pair.name + pair.size",
        "import UIKit\nfunc f(s: UIApplication.State) -> Bool { s == .background }",
        """
        import Foundation
        class D: NSObject, URLSessionDownloadDelegate { lazy var s = URLSession(configuration: .background(withIdentifier: "s")) }
        """,
        "import Foundation\n@dynamicMemberLookup struct D { subscript(dynamicMember d: String) -> Int { 1 } }; let x = D().any",
        "import Foundation\nstruct S { enum State { case on }; var a: State = .on }",
        "import Foundation\nfunc f(x: UIThing.Kind) {}\nenum UIThing { enum Kind {} }",
    ])
    func none(text: String) {
        #expect(obstacles(text) == [])
    }

    @Test(arguments: [
        ("import UIKit\nimport CoreData", "2 import CoreData"), ("import class WebKit.WKWebView", "1 import WebKit"),
        ("@testable import Core", "1 import Core"), ("import os.log", "1 import os"),
        ("import UIKit\nlet i: UIImage?", "2 UIImage"), ("import UIKit\nlet i: UIKit.UIImage?", "2 UIImage"),
        ("import Foundation\nlet v: UIView?", "2 UIView"), ("let v = Date()", "1 Date"),
        ("import Foundation\nlet a: NSUserActivity?", "2 NSUserActivity"),
        ("import Foundation\nlet a = URLSession.shared", "2 URLSession"),
        ("import UIKit\nlet a = CGVector.zero", "2 CGVector"),
        ("import Foundation\nlet a = RelativeDateTimeFormatter()", "2 RelativeDateTimeFormatter"),
        ("import Foundation\nlet a = Thing()", "2 Thing"), ("import Foundation\n@Published var a = 1", "2 Published"),
        (
            "import UIKit\nlet a = UIApplication.shared.supportsShakeToEdit",
            "2 UIApplication.supportsShakeToEdit"
        ),
        ("import UIKit\nlet k: UIApplication.OpenURLOptionsKey", "2 UIApplication.OpenURLOptionsKey"),
        ("import UIKit\nfunc f(app: UIApplication) { app.open(x) }", "2 UIApplication.open"),
        ("import UIKit\nclass C: UIViewController { func f() { view.layer } }", "2 UIView.layer"),
        ("import UIKit\nclass C: UIViewController { func f() { navigationController } }", "2 navigationController"),
        (
            "import UIKit\nclass C: UIView { override var canBecomeFocused: Bool { true } }",
            "2 override canBecomeFocused"
        ),
        ("import Foundation\nclass C: NSObject { @objc func f() {} }", "2 @objc"),
        ("import Foundation\nlet s = #selector(f)", "2 #selector"),
        ("import UIKit\n@UIApplicationMain class A: UIResponder, UIApplicationDelegate {}", "2 @UIApplicationMain"),
        (
            "import UIKit\nfunc f(d: UIApplicationDelegate) { d.applicationDidBecomeActive?(a) }",
            "2 applicationDidBecomeActive?("
        ),
        ("import Foundation\nfunc f() { autoreleasepool { } }", "2 autoreleasepool"),
        ("import Foundation\nlet p = NSPredicate(format: \"\")", "2 NSPredicate(format:)"),
        ("import Foundation\nlet p = \"\\(CACurrentMediaTime())\"", "2 CACurrentMediaTime"),
        ("import Foundation\nlet isFull = text.isNotEmpty", "2 .isNotEmpty"),
        ("import UIKit\nlet s = o.observe(\\.x) { _, _ in }", "2 observe(\\…)"),
    ])
    func one(text: String, expected: String) {
        #expect(obstacles(text) == [expected])
    }

    @Test func aNameIsReportedOnceWithItsFirstLine() {
        #expect(obstacles("import UIKit\n\nlet a: UIImage\nlet b: UIImage") == ["3 UIImage"])
    }

    @Test func declarationsOfOtherFilesAreKnown() {
        #expect(
            obstacles("import UIKit\nlet a: UIThing; let b = Store()", beside: "class UIThing {}", "struct Store {}")
                == [])
    }

    @Test func everyAbsentNameIsFoundInItsExample() {
        for absent in AbsentName.all {
            let text = "import UIKit\nimport FoundationNetworking\nfunc f() { \(absent.example) }"
            let found = TreeScan([("A.swift", text)]).verdicts[0].obstacles
            let name = absent.name.split(separator: ".").last.map(String.init) ?? absent.name
            #expect(found.contains { $0.name.hasSuffix(name) }, "\(absent.name): \(found.map(\.name))")
        }
    }

    /// A name that RoostKit declares must not be in the table of absent names.
    @Test func nothingAbsentIsRoostKits() {
        for absent in AbsentName.all where absent.kind == .uikit {
            #expect(!RoostKitNames.types.values.contains { $0.members.contains(absent.name) }, "\(absent.name)")
        }
    }
}
