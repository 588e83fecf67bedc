import LifeCycleModel

/// The names of an app: for users, for Swift, and for the system.
struct AppName {
    /// The display name, any text that can name a folder.
    let display: String
    /// The target's name, a Swift identifier.
    let module: String
    /// A bundle identifier in an unowned domain.
    var identifier: String { "com.example." + module.replacing("_", with: "-") }

    /// The reason why a text is not a valid name.
    struct Unfit: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads a name that was typed.
    init(_ text: String) throws(Unfit) {
        func unfit(_ why: String) -> Unfit {
            Unfit(description: "\"\(Output.visible(text))\" is not a valid app name: \(why)")
        }
        guard !text.isEmpty else { throw Unfit(description: "an app needs a name, as in `roost new Notes`") }
        guard !text.contains("/") else { throw unfit("it holds a slash; change to the folder that is to contain it") }
        guard text.first != ".", text.first != "-" else {
            throw unfit("it begins with a full stop or a hyphen")
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw unfit("it holds a line end or another control character")
        }
        guard text.first?.isWhitespace == false, text.last?.isWhitespace == false else {
            throw unfit("it begins or ends with a space")
        }
        guard !text.hasSuffix(".app") else { throw unfit("leave out \".app\": it is added to the bundle's name") }
        guard text.utf8.count <= 200 else { throw unfit("it is longer than 200 bytes") }
        display = text
        module = Self.module(text)
    }

    /// The module name: the ASCII letters, digits and underscores of `text`, with several words capitalized. An empty
    /// name becomes App. App is prepended to a name that begins with a digit, and appended to a name that Swift or
    /// another module uses.
    private static func module(_ text: String) -> String {
        let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
        var name =
            words.count == 1 ? String(words[0]) : words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        if name.allSatisfy({ $0 == "_" }) { name = "App" }
        if name.first?.isNumber == true { name = "App" + name }
        guard taken.contains(name.lowercased()) else { return name }
        return name.prefix(1).uppercased() + name.dropFirst() + "App"
    }

    /// Swift's keywords, modules that an app is likely to import, and the new app's own types, in lower case.
    private static let taken: Set<String> = [
        "actor", "any", "as", "associatedtype", "async", "await", "break", "case", "catch", "class", "continue",
        "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
        "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "open",
        "package", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "some",
        "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
        "where", "while", "appcore", "dispatch", "foundation", "foundationessentials", "foundationnetworking", "glibc",
        "appdelegate", "croostclock", "diary", "lifecyclemodel", "lifecyclepolicy", "lifecyclesimulation",
        "lifecycletext",
        "observation", "roost", "roostkit", "roosttesting", "roostwire", "scenedelegate", "swift", "synchronization",
        "testing",
        "type", "uikit", "visits", "xctest",
    ]
}
