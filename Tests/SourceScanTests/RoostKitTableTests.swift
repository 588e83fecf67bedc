import Foundation
import Testing

@testable import SourceScan

/// The table of RoostKit's names, compared with RoostKit's sources as the scanner reads them.
@Suite struct RoostKitTableTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/RoostKit")

    /// The table of the sources in `folder`. An empty name means all folders that have no table.
    private static func table(of folder: String) throws -> String {
        let paths = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }
            .filter { path in
                let own = String(path.prefix { $0 != "/" })
                return own == folder || folder.isEmpty && RoostKitTable.parts[own] == nil
            }
        var inherits: [String: [String]] = [:]
        var members: [String: Set<String>] = [:]
        for path in paths where path.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
            for declaration in FileFacts(path: path, text: text).declarations {
                let isPublic = !declaration.modifiers.isDisjoint(with: ["public", "open"])
                let isUnmarked = declaration.kind == .extension || declaration.kind == .case
                guard isPublic || isUnmarked else { continue }
                if declaration.isTopLevel {
                    guard declaration.kind.isType || declaration.kind == .extension else { continue }
                    inherits[declaration.name, default: []] += declaration.inherits
                } else {
                    members[declaration.path.joined(separator: "."), default: []].insert(declaration.name)
                }
            }
        }
        // Internal types have only cases and extensions here.
        let types = Set(inherits.keys).union(members.keys).filter { name in
            name.hasPrefix("UI") || !(members[name] ?? []).isEmpty
        }
        return types.sorted().map { name in
            let parents = (inherits[name] ?? []).filter { types.contains($0) && $0 != name }
            return ([name] + parents + ["="] + (members[name] ?? []).sorted()).joined(separator: " ")
        }.joined(separator: "\n")
    }

    @Test(arguments: RoostKitTable.parts.keys.sorted()) func theTableMatchesTheSources(folder: String) throws {
        let table = try Self.table(of: folder)
        #expect(
            RoostKitTable.parts[folder]?.replacing("\n  ", with: " ") == table,
            "the part \"\(folder)\" of RoostKitTable should be:\n\(table)")
    }

    @Test func knowsInheritedMembers() {
        #expect(RoostKitNames.type("UIApplication", has: "beginBackgroundTask"))
        #expect(RoostKitNames.type("UIApplication", has: "State"))
        #expect(RoostKitNames.type("UIWindow", has: "backgroundColor"))
        #expect(RoostKitNames.type("UIWindow", has: "becomeFirstResponder"))
        #expect(!RoostKitNames.type("UIApplication", has: "supportsShakeToEdit"))
        #expect(RoostKitNames.has("UIApplicationMain") && !RoostKitNames.has("UILabel"))
    }
}
