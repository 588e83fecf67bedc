import LifeCycleModel

extension DelegateCall {
    /// The call's name in traces, reports and scenarios: the name of its case. A scene's call begins with `scene`.
    public var name: String {
        switch self {
        case .concern(let call, _): return call.name
        case .scene(let call):
            let name = caseName(of: call)
            return "scene" + name.prefix(1).uppercased() + name.dropFirst()
        default: return caseName(of: self)
        }
    }
}

extension LifeCycleNotification {
    /// The notification's name in traces, reports and scenarios: the name of its case.
    public var name: String { caseName(of: self) }
}

/// The name of a case without its associated values.
private func caseName(of value: some Any) -> String { String("\(value)".prefix { $0 != "(" }) }
