import Testing

@testable import SourceScan

@Suite struct TreeScanTests {
    private func kinds(_ files: (String, String)...) -> [String: FileVerdict.Kind] {
        let scan = TreeScan(files.map { (path: $0.0, text: $0.1) })
        return Dictionary(scan.verdicts.map { ($0.path, $0.kind) }, uniquingKeysWith: { $1 })
    }

    private func obstacles(of path: String, _ files: (String, String)...) -> [String] {
        TreeScan(files.map { (path: $0.0, text: $0.1) }).verdicts.filter { $0.path == path }.flatMap(\.obstacles)
            .map { "\($0.line) \($0.kind) \($0.name)" }
    }

    @Test func whatNeedsALeftOutFileIsLeftOutToo() {
        let found = kinds(
            ("A.swift", "func a() { _ = B() }"), ("B.swift", "struct B { let c: C }"),
            ("C.swift", "import CoreData\nstruct C {}"), ("D.swift", "struct D {}"))
        #expect(found == ["A.swift": .seam, "B.swift": .seam, "C.swift": .seam, "D.swift": .builds])
    }

    @Test func aNameThatAFileThatBuildsDeclaresAsWellIsThere() {
        #expect(
            kinds(
                ("A.swift", "let a = B()"), ("B.swift", "struct B {}"), ("C.swift", "import CoreData\nclass B {}"))[
                    "A.swift"] == .builds)
    }

    @Test func membersOfExtensionsAreFollowed() {
        let left = ("C.swift", "import CoreData\nextension String { var trimmed: String { self } }")
        #expect(obstacles(of: "A.swift", ("A.swift", "let a = \"\".trimmed"), left) == ["1 leftOut .trimmed"])
        #expect(obstacles(of: "A.swift", ("A.swift", "let trimmed = 1; let b = trimmed"), left) == [])
        let proto = ("C.swift", "import CoreData\nprotocol P {}\nextension P { func go() {} }")
        #expect(obstacles(of: "A.swift", ("A.swift", "func f(x: Int) { x.go() }"), proto) == ["1 leftOut .go"])
    }

    @Test func viewsAreWhatIsShown() {
        let found = kinds(
            ("A.swift", "import UIKit\nclass Base: UIViewController { let l: UILabel? }"),
            ("B.swift", "import UIKit\nfinal class Feed: Base {}"),
            ("C.swift", "import SwiftUI\nstruct Row: View { var body: some View { Text(\"\") } }"),
            ("D.swift", "import UIKit\nextension UIImage { func small() {} }"),
            ("E.swift", "import UIKit\nclass Plain: UIViewController {}"),
            ("F.swift", "import SwiftUI\n@main struct TheApp: App {}"),
            ("G.swift", "import UIKit\nlet f = Feed()"))
        #expect(
            found == [
                "A.swift": .view, "B.swift": .view, "C.swift": .view, "D.swift": .view, "E.swift": .builds,
                "F.swift": .seam, "G.swift": .seam,
            ])
    }

    @Test func ofTwoTargetsOneIsTaken() {
        #expect(
            obstacles(
                of: "Widget/Model.swift", ("App/Model.swift", "struct Model {}"),
                ("Widget/Model.swift", "import Foundation\nstruct Model {}")) == ["2 twice Model"])
        #expect(
            obstacles(
                of: "B.swift", ("A.swift", "@main struct A { static func main() {} }"),
                ("B.swift", "@main struct B { static func main() {} }")) == ["1 twice @main"])
        #expect(kinds(("A.swift", "private struct X {}"), ("B.swift", "struct X {}"))["B.swift"] == .builds)
    }

    @Test func isTheSameInAnyOrder() {
        let files = [
            (path: "A.swift", text: "func a() { _ = B() }"), ("B.swift", "struct B { let c: C; let d: D }"),
            ("C.swift", "import CoreData\nstruct C {}"), ("D.swift", "import WebKit\nstruct D {}"),
        ]
        let first = TreeScan(files).verdicts
        #expect(TreeScan(files.reversed()).verdicts == first)
        #expect(first[1].obstacles.map(\.name) == ["C", "D"])
    }
}
