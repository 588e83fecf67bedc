import LifeCycleModel
import RoostPorts
import RoostWire

/// What happened last to each app, for `roost why`: in this run, and before it.
final class DecisionMemory {
    private static let perApp = DecisionHistory.perApp
    private let history: DecisionHistory?
    private var couldWrite = true
    private var occurrences: [AppID: [Occurrence]] = [:]
    private var ends: [AppID: Occurrence] = [:]
    /// Collects what happens while a control call is carried out.
    private var collected: [Occurrence]?

    init(history: DecisionHistory? = nil) { self.history = history }

    /// Brings what happened to the disk; `complain` is told when that fails for the first time.
    func write(_ complain: (SystemError) -> Void) {
        let error = history?.write()
        if let error, couldWrite { complain(error) }
        couldWrite = error == nil
    }

    /// Keeps what happened; `app` is whom it is about, if anybody.
    func remember(_ occurrence: Occurrence, about app: AppID?) {
        collected?.append(occurrence)
        guard let app else { return }
        if occurrence.app != nil { history?.note(occurrence.line) }
        occurrences[app, default: []].append(occurrence)
        // Many at once, since each removal moves all that stay.
        if let count = occurrences[app]?.count, count >= 2 * Self.perApp {
            occurrences[app]?.removeFirst(count - Self.perApp)
        }
        if occurrence.isEnd { ends[app] = occurrence }
    }

    func lines(about app: AppID, _ identifier: BundleIdentifier) -> [DecisionLine] {
        let new = occurrences[app]?.suffix(Self.perApp).map(\.line) ?? []
        guard new.count < Self.perApp, let history else { return new }
        return history.earlier(about: identifier).suffix(Self.perApp - new.count) + new
    }

    /// How an app's last launch ended, in words; nil if it had none.
    func lastEnd(of app: AppID, _ identifier: BundleIdentifier) -> String? {
        ends[app]?.line.text ?? history?.earlierEnds[identifier]
    }

    func forget(_ app: AppID, _ identifier: BundleIdentifier?) {
        if let identifier { history?.forget(identifier) }
        occurrences[app] = nil
        ends[app] = nil
    }

    /// How much of what happens was collected so far.
    var collectedCount: Int { collected?.count ?? 0 }

    /// What was collected from there on.
    func collected(from index: Int) -> ArraySlice<Occurrence> { collected?[index...] ?? [] }

    /// What happens while `action` runs.
    func collect(_ action: () -> Void) -> [Occurrence] {
        collected = []
        action()
        defer { collected = nil }
        return collected ?? []
    }
}
