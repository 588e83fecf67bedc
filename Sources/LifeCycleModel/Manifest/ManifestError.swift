/// An error in an `Info.plist`: the key, the problem, and the remedy.
public struct ManifestError: Error, Hashable, Sendable {
    /// The kinds of errors in an `Info.plist`.
    public enum Problem: Hashable, Sendable {
        /// The file is empty.
        case empty
        /// The file has more bytes than `AppManifest.largestInfoPlist`.
        case tooLarge(bytes: Int)
        /// The file has more arrays and dictionaries than `AppManifest.mostContainers`. Only a malicious file has so
        /// many.
        case tooManyContainers
        /// The file is neither an XML nor a binary property list; with the decoder's reason.
        case notAPropertyList(String)
        /// The property list's top level is not a dictionary.
        case notADictionary
        /// The key is missing.
        case missing
        /// The key's value has the wrong type; with the expected type and its article.
        case wrongType(expected: String)
        /// The value is not a bundle identifier.
        case invalidIdentifier(String)
        /// The value is not the name of a file in the bundle.
        case invalidFileName(String)
        /// The value is too long; with the limit in bytes.
        case tooLong(limit: Int)
        /// The value has a NUL, which no name on Linux can have.
        case nulCharacter
        /// `UIBackgroundModes` has an entry that is not a mode.
        case unknownBackgroundMode(String)
    }

    /// The key with the error; nil if the whole file is wrong.
    public let key: String?
    /// The problem with the key or the file.
    public let problem: Problem

    /// An error about `key`, or about the file as a whole.
    public init(key: String? = nil, _ problem: Problem) {
        self.key = key
        self.problem = problem
    }
}

extension ManifestError: CustomStringConvertible {
    /// The key, the problem, and the remedy.
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
            "has no dictionary at its top level: put the keys in one <dict>"
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

    /// The text in quotation marks, cut to a readable length, with control characters escaped.
    private func quoted(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(80) {
            shown += AppManifest.isControl(scalar) ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return "\"" + shown + (text.unicodeScalars.count > 80 ? "…" : "") + "\""
    }
}
