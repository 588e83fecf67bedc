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

    @Test func filesThatNeedAnExcludedFileAreExcluded() {
        let found = kinds(
            ("A.swift", "func a() { _ = B() }"), ("B.swift", "struct B { let c: C }"),
            ("C.swift", "import CoreData\nstruct C {}"), ("D.swift", "struct D {}"))
        #expect(found == ["A.swift": .seam, "B.swift": .seam, "C.swift": .seam, "D.swift": .builds])
    }

    @Test func aNameThatABuildingFileDeclaresIsKnown() {
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

    // MARK: Conditions

    /// On Linux nothing of these files is compiled. The files are judged as for iOS, and their condition is the
    /// obstacle.
    @Test func filesOnlyForIOSDoNotBuild() {
        let lone = ("A.swift", "import Foundation\n#if os(iOS)\nstruct A {}\n#endif")
        #expect(obstacles(of: "A.swift", lone) == ["2 condition #if os(iOS)"])
        #expect(kinds(lone) == ["A.swift": .seam])
        let tv = ("A.swift", "#if os(iOS) || os(tvOS)\nimport UIKit\nlet l: UILabel\n#else\n#endif")
        #expect(obstacles(of: "A.swift", tv) == ["1 condition #if os(iOS) || os(tvOS)", "3 uikit UILabel"])
        let view = ("V.swift", "#if os(iOS)\nimport UIKit\nclass V: UIViewController { let l: UILabel? }\n#endif")
        #expect(kinds(view) == ["V.swift": .view])
        #expect(obstacles(of: "B.swift", lone, ("B.swift", "let b = A()")) == ["1 leftOut A"])
    }

    @Test func filesOfOtherSystemsAreEmpty() {
        #expect(kinds(("A.swift", "// Mac\n#if os(macOS)\nimport AppKit\nclass A {}\n#endif")) == ["A.swift": .empty])
        #expect(
            kinds(("A.swift", "#if canImport(CoreData)\nimport CoreData\nclass A {}\n#endif")) == ["A.swift": .empty])
        #expect(kinds(("A.swift", "// Nothing yet.\nimport Foundation\n")) == ["A.swift": .builds])
        #expect(kinds(("A.swift", "#if !os(macOS)\nstruct A {}\n#endif")) == ["A.swift": .builds])
    }

    @Test func declarationsOnlyForIOSAreNamed() {
        let part = ("A.swift", "struct A {\n#if os(iOS)\nfunc only() {}\n#endif\n}\n#if os(iOS)\nstruct B {}\n#endif")
        #expect(kinds(part) == ["A.swift": .builds])
        #expect(obstacles(of: "C.swift", part, ("C.swift", "let b = B()")) == ["1 condition B"])
        #expect(obstacles(of: "C.swift", part, ("C.swift", "func f(a: A) { a.only() }")) == ["1 condition .only"])
    }

    // MARK: Needs of other files

    @Test func anExtensionNeedsItsType() {
        let left = ("C.swift", "import CoreData\nclass C { struct Inner {} }")
        #expect(obstacles(of: "A.swift", ("A.swift", "extension C { func a() {} }"), left) == ["1 leftOut C"])
        #expect(obstacles(of: "A.swift", ("A.swift", "extension C.Inner { func a() {} }"), left) == ["1 leftOut C"])
    }

    private static let lets = ("L.swift", "import CoreData\nlet log = 1\nlet pages = 2\nvar title = 3")

    /// A name in scope hides a top-level name of an excluded file.
    @Test(arguments: [
        "func f() { let (log, x) = (1, 2); print(log, x) }",
        "func f() { for (i, log) in [1].enumerated() { print(log, i) } }",
        "func f(e: E) { if case let .some(log) = e.o { print(log) } }\nstruct E { let o: Int? }",
        "let f = { (log: Int) in print(log) }", "let f: (Int, Int) -> Void = { log, x in print(log, x) }",
        "let f: (Int, Int) -> Void = { [weak w] (x, log) -> Void in print(log, x) }\nlet w = 1",
        "import UIKit\nclass V: UIViewController { func f() { print(title ?? \"\") } }",
        "class A: B { func f() { print(pages) } }\nclass B { let pages = 1 }",
        "func f(x: Int) { switch x { case 1: break; default: break } }",
    ])
    func topLevelNamesGiveWay(text: String) {
        #expect(obstacles(of: "A.swift", ("A.swift", text), Self.lets) == [])
    }

    @Test func topLevelNamesAreNeeded() {
        #expect(obstacles(of: "A.swift", ("A.swift", "func f() { print(log) }"), Self.lets) == ["1 leftOut log"])
    }

    @Test func membersOfTheLibraryAreNoObstacle() {
        let left = ("C.swift", "import CoreData\nextension Array { func map(_ a: Int) {}; var `default`: Int { 1 } }")
        #expect(obstacles(of: "A.swift", ("A.swift", "let a = [1].map { $0 }"), left) == [])
        #expect(obstacles(of: "A.swift", ("A.swift", "func f(x: Int) { switch x { default: break } }"), left) == [])
    }

    @Test func labelsOfTuplesAreNoMembers() {
        let left = ("C.swift", "import CoreData\nextension Array { var head: Int { 1 } }")
        let tuple = "func f() -> (head: Int, tail: Int) { (head: 1, tail: 2) }\nlet a = f().head"
        #expect(obstacles(of: "A.swift", ("A.swift", tuple), left) == [])
        #expect(
            obstacles(of: "A.swift", ("A.swift", "func g(head: Int) {}\nlet a = [1].head"), left) == ["2 leftOut .head"]
        )
    }

    @Test func genericParametersAreOfTheirTypes() {
        let box = ("B.swift", "struct Box<Content, Failed: Error> {}\nclass Row<Cell> {}")
        #expect(obstacles(of: "A.swift", ("A.swift", "extension Box { func a() -> Content? { nil } }"), box) == [])
        #expect(obstacles(of: "A.swift", ("A.swift", "class R: Row<Int> { var c: Cell? }"), box) == [])
        #expect(obstacles(of: "A.swift", ("A.swift", "struct S { var c: Content? }"), box) == ["1 unknown Content"])
        let array = "extension Array where Element: Hashable { func a() -> [Element] { self } }"
        #expect(obstacles(of: "A.swift", ("A.swift", array)) == [])
        #expect(
            obstacles(of: "A.swift", ("A.swift", "extension Dictionary { func a() -> [Key: Value] { self } }")) == [])
        #expect(obstacles(of: "A.swift", ("A.swift", "struct S { var c: Element? }")) == ["1 unknown Element"])
    }

    @Test func typesMayBeWrittenInBrackets() {
        let file = "extension [String] { func joinAll() {} }\nextension [Int: [Int]] { var total: Value? { nil } }"
        #expect(
            obstacles(of: "A.swift", ("A.swift", file + "\nlet a: Void = [\"a\"].joinAll()\nlet b = [1: [2]].total"))
                == [])
        let left = ("C.swift", "import CoreData\n" + file)
        #expect(
            obstacles(of: "A.swift", ("A.swift", "let a: Void = [\"a\"].joinAll()"), left) == ["1 leftOut .joinAll"])
    }

    @Test func operatorsAreDeclared() {
        let file = """
            precedencegroup Chained { higherThan: AssignmentPrecedence }
            infix operator &&&: Chained
            func &&& <Other: Equatable>(left: Int, right: Other) -> Other { right }
            func == (left: Thing, right: Thing) -> Bool { true }
            struct Thing {}
            let a = Set([1]).insert(2).inserted
            """
        #expect(obstacles(of: "A.swift", ("A.swift", file)) == [])
    }

    @Test func keywordsMayBeNames() {
        let file = """
            enum Kind { case `class`, `import`, `protocol`, other }
            struct S { let `extension`: Int; static let `default` = S(`extension`: 1); func `in`(import module: String) {} }
            let a: [Kind] = [.class, .import, .protocol, .other]
            let b = S.default.extension
            """
        #expect(obstacles(of: "A.swift", ("A.swift", file)) == [])
    }

    @Test func viewControllersAndSwiftUIViewsAreViews() {
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

    @Test func aNameInTwoTargetsIsAnObstacle() {
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
