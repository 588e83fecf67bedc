/// The subject of a first test: a class of the app that the system calls, or that calls the system.
struct Subject: Hashable, Sendable {
    enum Start: Hashable, Sendable {
        /// An app delegate, created by the system.
        case delegate
        /// A singleton.
        case shared(property: String)
        /// A class that the test creates.
        case made
    }

    let type: String
    let start: Start
    /// The method without arguments that starts the subject at launch; nil without such a method.
    let method: String?
    /// The path of the subject's file.
    let path: String
}

/// Chooses the subject of the first test.
enum FirstTest {
    /// The app's delegate if it builds; otherwise a class that uses background time; otherwise nil.
    static func subject(of scan: TreeScan) -> Subject? {
        let files = scan.buildingFacts
        let tree = TreeNames(files)
        for file in files {
            for type in classes(of: file) where tree.ancestry(of: type.name).contains("UIApplicationDelegate") {
                return Subject(type: type.name, start: .delegate, method: nil, path: file.path)
            }
        }
        for file in files where background.contains(where: { file.memberUses[$0] != nil }) {
            for type in classes(of: file) {
                if let subject = manager(type, in: file, tree) { return subject }
            }
        }
        return nil
    }

    private static let background = [
        "beginBackgroundTask", "performExpiringActivity", "didEnterBackgroundNotification",
        "willResignActiveNotification", "didBecomeActiveNotification",
    ]

    private static func classes(of file: FileFacts) -> [Declaration] {
        file.declarations.filter { $0.isTopLevel && $0.kind == .class && !$0.isOfItsFile }
    }

    private static func manager(_ type: Declaration, in file: FileFacts, _ tree: TreeNames) -> Subject? {
        let own = file.declarations.filter { $0.path == [type.name] && !$0.isOfItsFile }
        // The system creates scene delegates and controllers.
        let isSystems = tree.ancestry(of: type.name).contains { $0.hasPrefix("UI") }
        guard !isSystems, own.contains(where: { $0.kind == .func }) else { return nil }
        let shared = own.first {
            ["let", "var"].contains($0.kind.rawValue) && $0.modifiers.contains("static")
                && ["shared", "default", "instance", "standard"].contains($0.name)
        }
        let needsArguments = zip(file.tokens, zip(file.tokens.dropFirst(), file.tokens.dropFirst(2))).contains {
            $0.isWord("init") && $1.0.isSymbol("(") && !$1.1.isSymbol(")")
        }
        guard shared != nil || !needsArguments else { return nil }
        let method = own.first {
            $0.kind == .func && !$0.modifiers.contains("static") && starts.contains($0.name)
                && takesNothing($0, in: file)
        }
        return Subject(
            type: type.name, start: shared.map { .shared(property: $0.name) } ?? .made, method: method?.name,
            path: file.path)
    }

    private static let starts: Set = [
        "register", "start", "begin", "setUp", "setup", "activate", "configure", "observe", "startObserving", "resume",
    ]

    /// Whether a method can be called without arguments: `func start() {`.
    private static func takesNothing(_ method: Declaration, in file: FileFacts) -> Bool {
        let tokens = file.tokens
        return tokens.indices.dropLast(4).contains {
            tokens[$0].isWord("func") && tokens[$0].line == method.line && tokens[$0 + 1].text == method.name
                && tokens[$0 + 2].isSymbol("(") && tokens[$0 + 3].isSymbol(")") && tokens[$0 + 4].isSymbol("{")
        }
    }
}
