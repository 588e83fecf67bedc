extension DelegateCall {
    /// Its name in traces, reports and scenarios: its case's; a scene's begins with `scene`.
    public var name: String {
        guard case .scene(let call) = self else { return caseName(of: self) }
        let name = caseName(of: call)
        return "scene" + name.prefix(1).uppercased() + name.dropFirst()
    }
}

extension LifeCycleNotification {
    /// Its name in traces, reports and scenarios: its case's.
    public var name: String { caseName(of: self) }
}

/// The case alone, without what comes with it.
private func caseName(of value: some Any) -> String { String("\(value)".prefix { $0 != "(" }) }
