import Testing

@testable import SourceScan

@Suite struct DeclarationTests {
    private func declarations(_ text: String) -> [Declaration] {
        DeclarationReader.declarations(in: Tokenizer.tokens(text))
    }

    @Test func findsTypesAndMembersAndNothingWithinFunctions() {
        let text = """
            @MainActor public final class Sync<Element: P>: NSObject, Foundation.NSCoding where Element: Q {
                public static let shared = Sync { let inner = 1 }
                private(set) var count = 0 { didSet { let old = 1 } }
                enum Phase: Int { case idle, busy(Int, of: String) ; case done = 3 }
                class func make() -> Sync { struct Local {}; return Sync() }
                func run(_ body: () -> Void = { func no() {} }) { switch x { case .a: let b = 1 } }
            }
            extension Notification.Name { static let done = Notification.Name("x") }
            public extension Sync { func more() {} }
            protocol P: class { func need(); var value: Int { get } }
            func free() { let local = 1 }
            """
        let found = declarations(text).map { ($0.path + [$0.name]).joined(separator: "/") }
        #expect(
            found == [
                "Sync", "Sync/shared", "Sync/count", "Sync/Phase", "Sync/Phase/idle", "Sync/Phase/busy",
                "Sync/Phase/done",
                "Sync/make", "Sync/run", "Notification.Name", "Notification.Name/done", "Sync", "Sync/more", "P",
                "P/need", "P/value", "free",
            ])
    }

    @Test func readsInheritanceAndAccess() throws {
        let found = declarations(
            "public final class A: B.C, any D & E { fileprivate override func f() {}; private(set) var x = 1 }\n"
                + "public extension A { func g() {} }")
        #expect(found[0].inherits == ["C", "D", "E"])
        #expect(found[0].modifiers == ["public", "final"])
        #expect(found[1].modifiers == ["fileprivate", "override"] && found[1].isOfItsFile)
        #expect(!found[2].isOfItsFile)
        #expect(found[4].modifiers == ["public"] && found[4].isInExtension)
    }
}
