internal import FoundationEssentials

extension AppManifest {
    /// The largest allowed `Info.plist`, in bytes: 1 MiB.
    public static let largestInfoPlist = 1 << 20

    /// The most arrays and dictionaries in an XML `Info.plist`. FoundationEssentials reads them by recursion, so a file
    /// of nested arrays could overflow the stack of the process that reads it.
    public static let mostContainers = 1_000

    /// The longest file name on Linux, in bytes.
    static let longestFileName = 255

    /// The longest allowed display name, in bytes: it must fit on a line.
    static let longestDisplayName = 1_024

    /// Parses an XML or binary `Info.plist`. Unknown keys are ignored, as on iOS. Throws if a value is invalid.
    public init(infoPlist bytes: [UInt8]) throws(ManifestError) {
        guard !bytes.isEmpty else { throw ManifestError(.empty) }
        guard bytes.count <= Self.largestInfoPlist else { throw ManifestError(.tooLarge(bytes: bytes.count)) }
        try Self.checkForm(of: bytes)
        do {
            self = try PropertyListDecoder().decode(InfoPlist.self, from: Data(bytes)).manifest
        } catch let error as ManifestError {
            throw error
        } catch DecodingError.typeMismatch {
            throw ManifestError(.notADictionary)
        } catch DecodingError.dataCorrupted(let context) {
            let cause = (context.underlyingError as? CocoaError)?.userInfo["NSDebugDescription"] as? String
            throw ManifestError(.notAPropertyList(cause ?? context.debugDescription))
        } catch {
            throw ManifestError(.notAPropertyList("\(error)"))
        }
    }

    /// Rejects files that the decoder would misread, or that would exhaust it. The decoder takes any text for an
    /// old-style property list.
    private static func checkForm(of bytes: [UInt8]) throws(ManifestError) {
        if bytes.starts(with: "bplist0".utf8) { return }
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        guard text.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "<") else {
            throw ManifestError(.notAPropertyList("it starts neither with < nor with bplist"))
        }
        // UTF-16 and UTF-32 would hide tags from the count below. Their zero bytes reveal them.
        guard !text.contains(0) else { throw ManifestError(.notAPropertyList("it holds a zero byte")) }
        var containers = 0
        var rest = text
        while let tag = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(tag + 1)...]
            if ["array", "dict", "plist"].contains(where: { rest.starts(with: $0.utf8) }) { containers += 1 }
        }
        guard containers <= mostContainers else { throw ManifestError(.tooManyContainers) }
    }

    /// Whether a scalar is one of Unicode's control characters (general category Cc).
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }
}

/// The keys of `Info.plist` that Roost reads. Throws `ManifestError`, which the decoder passes on.
private struct InfoPlist: Decodable {
    enum CodingKeys: String, CodingKey {
        case identifier = "CFBundleIdentifier"
        case executable = "CFBundleExecutable"
        case displayName = "CFBundleDisplayName"
        case name = "CFBundleName"
        case backgroundModes = "UIBackgroundModes"
        case taskIdentifiers = "BGTaskSchedulerPermittedIdentifiers"
        case exitsOnSuspend = "UIApplicationExitsOnSuspend"
        case scenes = "UIApplicationSceneManifest"
        case principalClass = "NSPrincipalClass"
        case isAdopted = "RoostAdopted"
    }

    let manifest: AppManifest

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let identifier = try Self.identifier(values)
        let executable = try Self.executable(values)
        let names = [
            try Self.name(.displayName, in: values), try Self.name(.name, in: values), executable,
        ]
        manifest = AppManifest(
            identifier: identifier, executable: executable, displayName: names.lazy.compactMap(\.self).first,
            backgroundModes: try Self.backgroundModes(values), taskIdentifiers: try Self.taskIdentifiers(values),
            exitsOnSuspend: try Self.value(.exitsOnSuspend, as: "a Boolean, <true/> or <false/>", in: values) ?? false,
            usesScenes: try Self.usesScenes(values), principalClass: try Self.name(.principalClass, in: values),
            isAdopted: try Self.value(.isAdopted, as: "a Boolean, <true/> or <false/>", in: values) ?? false)
    }

    private typealias Values = KeyedDecodingContainer<CodingKeys>

    private static func identifier(_ values: Values) throws(ManifestError) -> BundleIdentifier {
        let key = CodingKeys.identifier
        guard let text: String = try value(key, as: "a string", in: values) else {
            throw ManifestError(key: key.rawValue, .missing)
        }
        guard let identifier = BundleIdentifier(text) else {
            throw ManifestError(key: key.rawValue, .invalidIdentifier(text))
        }
        return identifier
    }

    private static func executable(_ values: Values) throws(ManifestError) -> String {
        let key = CodingKeys.executable
        guard let text: String = try value(key, as: "a string", in: values) else {
            throw ManifestError(key: key.rawValue, .missing)
        }
        guard !text.isEmpty, text != ".", text != "..", !text.utf8.contains(UInt8(ascii: "/")) else {
            throw ManifestError(key: key.rawValue, .invalidFileName(text))
        }
        try check(text, of: key, limit: AppManifest.longestFileName)
        return text
    }

    /// A name; nil if the key is missing or its value is empty, so that the next key counts.
    private static func name(_ key: CodingKeys, in values: Values) throws(ManifestError) -> String? {
        guard let text: String = try value(key, as: "a string", in: values), !text.isEmpty else { return nil }
        try check(text, of: key, limit: AppManifest.longestDisplayName)
        return text
    }

    private static func backgroundModes(_ values: Values) throws(ManifestError) -> [BackgroundMode] {
        let key = CodingKeys.backgroundModes
        let entries: [String] = try value(key, as: "an array of strings", in: values) ?? []
        var modes: [BackgroundMode] = []
        for entry in entries {
            guard let mode = BackgroundMode(rawValue: entry) else {
                throw ManifestError(key: key.rawValue, .unknownBackgroundMode(entry))
            }
            modes.append(mode)
        }
        return modes
    }

    private static func taskIdentifiers(_ values: Values) throws(ManifestError) -> [String]? {
        let key = CodingKeys.taskIdentifiers
        let entries: [String]? = try value(key, as: "an array of strings", in: values)
        for entry in entries ?? [] { try check(entry, of: key, limit: AppManifest.longestDisplayName) }
        return entries
    }

    /// Whether there is a scene manifest. Only its form is checked here; the app reads its contents.
    private static func usesScenes(_ values: Values) throws(ManifestError) -> Bool {
        let manifest: SceneManifest? = try value(.scenes, as: SceneManifest.expected, in: values)
        return manifest != nil
    }

    private static func check(_ text: String, of key: CodingKeys, limit: Int) throws(ManifestError) {
        guard text.utf8.count <= limit else { throw ManifestError(key: key.rawValue, .tooLong(limit: limit)) }
        guard !text.utf8.contains(0) else {
            throw ManifestError(key: key.rawValue, .nulCharacter)
        }
    }

    private static func value<Value: Decodable>(
        _ key: CodingKeys, as expected: String, in values: Values
    ) throws(ManifestError) -> Value? {
        guard values.contains(key) else { return nil }
        do {
            return try values.decode(Value.self, forKey: key)
        } catch {
            throw ManifestError(key: key.rawValue, .wrongType(expected: expected))
        }
    }
}

/// `UIApplicationSceneManifest`, with the keys that Roost reads.
private struct SceneManifest: Decodable {
    static let expected =
        "a dictionary whose UISceneConfigurations, if present, holds an array of dictionaries of strings for "
        + "each role"

    enum CodingKeys: String, CodingKey {
        case configurations = "UISceneConfigurations"
    }

    private struct Configuration: Decodable {
        enum CodingKeys: String, CodingKey {
            case name = "UISceneConfigurationName"
            case sceneClass = "UISceneClassName"
            case delegateClass = "UISceneDelegateClassName"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            for key in [CodingKeys.name, .sceneClass, .delegateClass] {
                _ = try values.decodeIfPresent(String.self, forKey: key)
            }
        }
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        _ = try values.decodeIfPresent([String: [Configuration]].self, forKey: .configurations)
    }
}
