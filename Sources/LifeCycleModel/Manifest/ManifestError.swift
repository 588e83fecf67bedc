/// What is wrong with an `Info.plist`: which key, what about it, and what to do.
public struct ManifestError: Error, Hashable, Sendable {
    /// The ways an `Info.plist` can be wrong.
    public enum Problem: Hashable, Sendable {
        /// There are no bytes at all.
        case empty
        /// More bytes than `AppManifest.largestInfoPlist`.
        case tooLarge(bytes: Int)
        /// More arrays and dictionaries than any real one has: only a file made to hurt its reader looks like this.
        case tooManyContainers
        /// Neither an XML nor a binary property list; with what the reader made of it.
        case notAPropertyList(String)
        /// A property list whose top is not a dictionary.
        case notADictionary
        /// The key is not there.
        case missing
        /// The key's value is of the wrong type; what it has to be, with its article.
        case wrongType(expected: String)
        /// Not a bundle identifier.
        case invalidIdentifier(String)
        /// Not the name of a file in the bundle.
        case invalidFileName(String)
        /// Too long for what it names; the limit in bytes.
        case tooLong(limit: Int)
        /// A NUL, which no name on Linux can hold.
        case nulCharacter
        /// An entry of `UIBackgroundModes` that is not a mode.
        case unknownBackgroundMode(String)
    }

    /// The key that is wrong; nil where the file as a whole is.
    public let key: String?
    /// What is wrong with it.
    public let problem: Problem

    /// An error about `key`, or about the file as a whole.
    public init(key: String? = nil, _ problem: Problem) {
        self.key = key
        self.problem = problem
    }
}

extension ManifestError: CustomStringConvertible {
    /// The key, what is wrong with it, and what to do.
    public var description: String { (key ?? "Info.plist") + " " + complaint }

    private var complaint: String {
        switch problem {
        case .empty:
            "is empty: write a property list with CFBundleIdentifier and CFBundleExecutable"
        case .tooLarge(let bytes):
            "has \(bytes) bytes: more than \(AppManifest.largestInfoPlist) are not read; move large data to other files"
        case .tooManyContainers:
            "holds more than \(AppManifest.mostContainers) arrays and dictionaries: move large data to other files"
        case .notAPropertyList(let reason):
            "is not a property list, XML in UTF-8 or binary: \(reason)"
        case .notADictionary:
            "does not hold a dictionary at its top: put the keys in one <dict>"
        case .missing:
            "is missing: add it, as a string"
        case .wrongType(let expected):
            "must be \(expected)"
        case .invalidIdentifier(let text):
            "\(quoted(text)) is not a bundle identifier: use letters, digits, hyphens and single full stops, at most "
                + "\(BundleIdentifier.longest) bytes, as in com.example.App"
        case .invalidFileName(let text):
            "\(quoted(text)) is not the name of a file in the bundle: give the name alone, without a path"
        case .tooLong(let limit):
            "is longer than \(limit) bytes: shorten it"
        case .nulCharacter:
            "holds a NUL character: remove it"
        case .unknownBackgroundMode(let text):
            "has the entry \(quoted(text)), which is no background mode; the modes are "
                + BackgroundMode.allCases.map(\.rawValue).joined(separator: ", ")
        }
    }

    /// The text in quotation marks, cut to a readable length and free of what could upset a terminal.
    private func quoted(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(80) {
            shown += AppManifest.isControl(scalar) ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return "\"" + shown + (text.unicodeScalars.count > 80 ? "…" : "") + "\""
    }
}
