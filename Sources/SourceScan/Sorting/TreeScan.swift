/// The result for a file of the scanned tree.
public struct FileVerdict: Hashable, Sendable {
    /// The category of a file.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The file compiles unchanged.
        case builds
        /// The file needs a name that does not exist: each obstacle is a place for a seam.
        case seam
        /// The file is a view, and is left out.
        case view
        /// The file compiles to nothing, on iOS too: it is for another system, or for a module that does not exist.
        case empty
    }

    /// The path from the top of the tree.
    public let path: String
    /// The category.
    public let kind: Kind
    /// The obstacles, sorted by line; empty if the file builds.
    public let obstacles: [Obstacle]
    /// The number of lines.
    public let lines: Int
}

/// A source tree, sorted into files that build unchanged, files that need a seam, and views.
public struct TreeScan: Sendable {
    /// The result for each file, sorted by path.
    public let verdicts: [FileVerdict]
    /// The facts about all files, for a first test.
    let facts: [FileFacts]

    /// Sorts files; each is a path from the top, and a text.
    public init(_ files: [(path: String, text: String)]) {
        self.init(facts: files.sorted { $0.path < $1.path }.map { FileFacts(path: $0.path, text: $0.text) })
    }

    init(facts: [FileFacts]) {
        var sorter = Sorter(facts)
        sorter.run()
        self.facts = facts
        verdicts = facts.indices.map { index in
            let obstacles = sorter.obstacles[index].sorted { ($0.line, $0.name) < ($1.line, $1.name) }
            let kind: FileVerdict.Kind =
                facts[index].isEmpty
                ? .empty : obstacles.isEmpty ? .builds : sorter.tree.isOfViews(facts[index]) ? .view : .seam
            return FileVerdict(
                path: facts[index].path, kind: kind, obstacles: obstacles, lines: facts[index].lines)
        }
    }

    /// The paths of the files in a category.
    public func paths(_ kind: FileVerdict.Kind) -> [String] { verdicts.filter { $0.kind == kind }.map(\.path) }

    /// The facts about the files that build.
    var buildingFacts: [FileFacts] { zip(verdicts, facts).filter { $0.0.kind == .builds }.map(\.1) }
}

extension TreeNames {
    /// Whether the file declares views only, or a view class.
    func isOfViews(_ file: FileFacts) -> Bool {
        let types = file.declarations.filter { $0.isTopLevel && ($0.kind.isType || $0.kind == .extension) }
        if types.isEmpty { return file.tokens.contains { $0.kind == .directive && $0.text == "#Preview" } }
        return types.allSatisfy { isView($0.name) } || types.contains { $0.kind == .class && isView($0.name) }
    }
}

/// Leaves out files until the remaining files need nothing from the files that are left out.
private struct Sorter {
    let files: [FileFacts]
    let tree: TreeNames
    var obstacles: [[Obstacle]]

    init(_ files: [FileFacts]) {
        self.files = files
        tree = TreeNames(files)
        obstacles = files.map { [tree] file in ObstacleFinder.obstacles(in: file, of: tree) }
    }

    mutating func run() {
        var isSettled = false
        while !isSettled {
            let before = left.count
            twice()
            needs()
            isSettled = left.count == before
        }
    }

    /// The files without an obstacle so far.
    private var left: [Int] { files.indices.filter { obstacles[$0].isEmpty } }

    /// A file's top-level declarations for other files.
    private func offered(by file: FileFacts) -> [Declaration] {
        file.declarations.filter { $0.isTopLevel && $0.kind != .extension && !$0.isOfItsFile }
    }

    /// A second file that declares a type with the same name belongs to another target.
    private mutating func twice() {
        var first: [String: String] = [:]
        var main: String?
        for index in left {
            let file = files[index]
            for declaration in offered(by: file) where declaration.kind.isType {
                guard let other = first[declaration.name] else {
                    first[declaration.name] = file.path
                    continue
                }
                guard other != file.path else { continue }
                obstacles[index].append(
                    Obstacle(
                        .twice, declaration.name, line: declaration.line,
                        "\(other) declares it as well: scan the folder of one target"))
            }
            guard file.hasMain else { continue }
            if let main {
                let line = file.tokens.first { $0.text == "@main" }?.line ?? 1
                obstacles[index].append(
                    Obstacle(.twice, "@main", line: line, "\(main) has one as well: scan the folder of one target"))
            } else {
                main = file.path
            }
        }
    }

    /// Finds uses of declarations in files that are left out.
    private mutating func needs() {
        let left = Set(left)
        // A use of an extension's member also names the extended type or one of its other members. Only a protocol's
        // member may be used without such a name.
        let gone = Set(
            files.indices.filter { !left.contains($0) }
                .flatMap { offered(by: files[$0]).filter { $0.kind != .protocol }.map(\.name) })
        var offers: [String: String] = [:]
        var members: [String: String] = [:]
        for index in files.indices where !left.contains(index) {
            for declaration in files[index].declarations where !declaration.isOfItsFile {
                if declaration.isTopLevel, declaration.kind != .extension {
                    offers[declaration.name] = offers[declaration.name] ?? files[index].path
                } else if declaration.isInExtension, !Self.isEverywhere(declaration),
                    !gone.contains(declaration.path.first ?? "")
                {
                    members[declaration.name] = members[declaration.name] ?? files[index].path
                }
            }
        }
        for index in left {
            for declaration in files[index].declarations {
                if declaration.isTopLevel, declaration.kind != .extension { offers[declaration.name] = nil }
                members[declaration.name] = nil
            }
        }
        for index in left.sorted() {
            let file = files[index]
            let own = Set(file.declarations.filter { $0.kind != .extension }.map(\.name)).union(file.ownTypes)
            let bases = bases(of: file)
            for (name, line) in file.uses where !own.contains(name) && !file.variables.contains(name) {
                guard let path = members[name] ?? (isMember(name, ofAny: bases) ? nil : offers[name]) else { continue }
                miss(name, of: path, in: index, line)
            }
            for (name, line) in file.memberUses where !own.contains(name) && !tree.tupleLabels.contains(name) {
                guard let path = members[name] else { continue }
                miss("." + name, of: path, in: index, line)
            }
        }
    }

    /// The types that a file declares or extends, with all their ancestors. Within these types their members take
    /// precedence over top-level declarations.
    private func bases(of file: FileFacts) -> Set<String> {
        let names = file.declarations.filter { $0.kind.isType || $0.kind == .extension }.map {
            $0.name.split(separator: ".").last.map(String.init) ?? $0.name
        }
        return Set(names.flatMap(tree.ancestry))
    }

    private func isMember(_ name: String, ofAny bases: Set<String>) -> Bool {
        bases.contains { base in
            if tree.membersByType[base]?.contains(name) == true { return true }
            guard !tree.types.contains(base) else { return false }
            return RoostKitNames.type(base, has: name)
                || (ToolchainNames.types.contains(base) && ToolchainMembers.all.contains(name))
        }
    }

    /// Whether many types may have a member with this name, so that the name does not identify its type.
    private static func isEverywhere(_ member: Declaration) -> Bool {
        [
            "body", "count", "debugDescription", "description", "encode", "errorDescription", "hash", "id", "isEmpty",
            "rawValue",
        ].contains(member.name) || ToolchainMembers.all.contains(member.name)
            || RoostKitNames.types.values.contains { $0.members.contains(member.name) }
    }

    private mutating func miss(_ name: String, of path: String, in index: Int, _ line: Int) {
        obstacles[index].append(
            Obstacle(.leftOut, name, line: line, "declared in \(path), which is left out: \(Self.protocolAdvice)"))
    }

    private static let protocolAdvice = "make that file build, or use a protocol instead"
}
