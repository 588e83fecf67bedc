import LifeCycleModel
import RoostWire

/// What happened last to each app, for `roost why`.
final class DecisionMemory {
    private static let perApp = 200
    private var occurrences: [AppID: [Occurrence]] = [:]
    private var ends: [AppID: Occurrence] = [:]
    /// Collects what happens while a control call is carried out.
    private var collected: [Occurrence]?

    /// Keeps what happened; `app` is whom it is about, if anybody.
    func remember(_ occurrence: Occurrence, about app: AppID?) {
        collected?.append(occurrence)
        guard let app else { return }
        occurrences[app, default: []].append(occurrence)
        // Many at once, since each removal moves all that stay.
        if let count = occurrences[app]?.count, count >= 2 * Self.perApp {
            occurrences[app]?.removeFirst(count - Self.perApp)
        }
        if occurrence.isEnd { ends[app] = occurrence }
    }

    func lines(about app: AppID) -> [DecisionLine] { occurrences[app]?.suffix(Self.perApp).map(\.line) ?? [] }

    /// How an app's last launch ended, in words; nil if it had none.
    func lastEnd(of app: AppID) -> String? { ends[app]?.line.text }

    func forget(_ app: AppID) {
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
