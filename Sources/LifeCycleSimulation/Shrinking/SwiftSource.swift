import LifeCycleModel
import LifeCyclePolicy

/// Values as Swift expressions.
enum SwiftSource {
    /// The expression for an event, or for a value in an event. It may contain `try #require`.
    static func expression(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.map { expression($0.value) } ?? "nil" }
        switch value {
        case let text as String: return quoted(text)
        case let identifier as BundleIdentifier: return "try #require(BundleIdentifier(\(quoted(identifier.rawValue))))"
        case let now as Moment where now.awake == now.elapsed && now.elapsed == now.wall:
            return ".zero.advanced(by: \(expression(now.awake)))"
        case is any BinaryInteger, is Bool: return "\(value)"
        default: break
        }
        let parts = mirror.children.map { (label: $0.label, source: expression($0.value)) }
        switch mirror.displayStyle {
        case .collection, .set: return "[" + parts.map(\.source).joined(separator: ", ") + "]"
        case .tuple: return "(" + arguments(parts) + ")"
        case .enum: return caseOfEnum(value, mirror)
        default:
            let isWrapper = parts.count == 1 && parts[0].label == "rawValue"
            return "\(type(of: value))(" + (isWrapper ? parts[0].source : arguments(parts)) + ")"
        }
    }

    private static func caseOfEnum(_ value: Any, _ mirror: Mirror) -> String {
        guard let payload = mirror.children.first else { return ".\(value)" }
        let isTuple = Mirror(reflecting: payload.value).displayStyle == .tuple
        let source = expression(payload.value)
        return ".\(payload.label ?? "")" + (isTuple ? source : "(\(source))")
    }

    /// A tuple's unnamed parts have the labels `.0`, `.1` and so on.
    private static func arguments(_ parts: [(label: String?, source: String)]) -> String {
        parts.map { part in
            guard let label = part.label, !label.hasPrefix(".") else { return part.source }
            return "\(label): \(part.source)"
        }.joined(separator: ", ")
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars { quoted += scalar.escaped(asASCII: false) }
        return quoted + "\""
    }
}
