import LifeCycleModel

extension DelegateCall {
    /// Its name in traces, reports and scenarios: its case's; a scene's begins with `scene`.
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
    /// Its name in traces, reports and scenarios: its case's.
    public var name: String { caseName(of: self) }
}

/// The case alone, without what comes with it.
private func caseName(of value: some Any) -> String { String("\(value)".prefix { $0 != "(" }) }
