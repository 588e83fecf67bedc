import Foundation
import LifeCycleModel

/// An app's `Info.plist`: a file, or a few keys written in the test.
///
/// As in Xcode, a missing bundle identifier and a missing executable name are supplied. Also replaced are
/// `$(PRODUCT_BUNDLE_IDENTIFIER)`, `$(EXECUTABLE_NAME)` and `$(PRODUCT_NAME)`.
public struct InfoPlist: Sendable, ExpressibleByDictionaryLiteral {
    private enum Source: Sendable {
        /// The keys as a property list, or the error if they are not a valid property list.
        case keys(Result<Data, InstallationError>)
        case file(String)
    }

    private let source: Source

    /// Creates an `Info.plist` with these keys.
    public init(_ keys: [String: Any]) {
        source = .keys(Result { () throws(InstallationError) in try Self.data(keys) })
    }

    /// Creates an `Info.plist` with these keys; of a repeated key, the last value counts.
    public init(dictionaryLiteral elements: (String, Any)...) {
        self.init(Dictionary(elements, uniquingKeysWith: { $1 }))
    }

    private init(file: String) { source = .file(file) }

    /// The `Info.plist` at a path. A relative path starts at the working directory of the tests, which is the package's
    /// directory.
    public static func file(_ path: String) -> InfoPlist { InfoPlist(file: path) }

    /// The system's manifest and the complete keys, for an app called `name`.
    func read(name: String) throws(InstallationError) -> (manifest: AppManifest, keys: [String: Any]) {
        let (given, place) = try given()
        var keys = given.mapValues { Self.filledIn($0, name: name) }
        let identifier = name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        if keys["CFBundleIdentifier"] == nil { keys["CFBundleIdentifier"] = "org.example." + String(identifier) }
        if keys["CFBundleExecutable"] == nil { keys["CFBundleExecutable"] = name }
        do {
            return (try AppManifest(infoPlist: [UInt8](try Self.data(keys))), keys)
        } catch {
            throw InstallationError("\(place): \(error)")
        }
    }

    /// The keys as the data of a binary property list.
    static func data(_ keys: [String: Any]) throws(InstallationError) -> Data {
        do {
            return try PropertyListSerialization.data(fromPropertyList: keys, format: .binary, options: 0)
        } catch {
            throw InstallationError(
                "it holds a value that a property list cannot hold; allowed are strings, numbers, Bools, Dates, Data, "
                    + "arrays and dictionaries: \(error.localizedDescription)")
        }
    }

    private func given() throws(InstallationError) -> (keys: [String: Any], place: String) {
        switch source {
        case .keys(let data):
            let list = try? PropertyListSerialization.propertyList(from: data.get(), format: nil)
            if case .failure(let error) = data { throw error }
            return (list as? [String: Any] ?? [:], "the keys given as Info.plist")
        case .file(let path):
            let data: Data
            do {
                data = try Data(contentsOf: URL(fileURLWithPath: path))
            } catch {
                throw InstallationError(
                    "cannot read \(path): \(error.localizedDescription) The path begins at "
                        + "\(FileManager.default.currentDirectoryPath), where the tests run")
            }
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
            guard let keys = list as? [String: Any] else {
                do {
                    _ = try AppManifest(infoPlist: [UInt8](data))
                } catch {
                    throw InstallationError("\(path): \(error)")
                }
                throw InstallationError("\(path): its top level is not a dictionary: put the keys in one <dict>")
            }
            return (keys, path)
        }
    }

    private static func filledIn(_ value: Any, name: String) -> Any {
        guard var text = value as? String else { return value }
        let variables = [
            ("PRODUCT_BUNDLE_IDENTIFIER", "org.example." + name), ("EXECUTABLE_NAME", name), ("PRODUCT_NAME", name),
        ]
        for (variable, value) in variables {
            text = text.replacingOccurrences(of: "$(\(variable))", with: value)
            text = text.replacingOccurrences(of: "${\(variable)}", with: value)
        }
        return text
    }
}

/// The reason why an app cannot be installed on a virtual device: what is wrong, where, and what to do.
public struct InstallationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason as a sentence.
    public let description: String

    init(_ description: String) { self.description = description }
}
