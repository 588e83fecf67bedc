import LifeCycleModel
import RoostPorts
import RoostWire

/// The last occurrences of each app, in this run and in earlier runs, for `roost why`.
final class DecisionMemory {
    private static let perApp = DecisionHistory.perApp
    private let history: DecisionHistory?
    private var couldWrite = true
    private var occurrences: [AppID: [Occurrence]] = [:]
    private var ends: [AppID: Occurrence] = [:]
    /// The occurrences during a control call; nil outside `collect(_:)`.
    private var collected: [Occurrence]?

    init(history: DecisionHistory? = nil) { self.history = history }

    /// Writes the occurrences to disk. `complain` is called with the first error of a series.
    func write(_ complain: (SystemError) -> Void) {
        let error = history?.write()
        if let error, couldWrite { complain(error) }
        couldWrite = error == nil
    }

    /// Records an occurrence. `app` is the app concerned; nil if the occurrence is about no app. Of a callback that is
    /// sent many times in a row, the first and the newest are kept.
    func remember(_ occurrence: Occurrence, about app: AppID?) {
        collected?.append(occurrence)
        guard let app else { return }
        let isRepeated = repeats(occurrence, about: app, back: 1)
        // The file has the first of a series only, so that a receiver of positions does not keep the disk busy.
        if occurrence.app != nil, !isRepeated { history?.note(occurrence.line) }
        if isRepeated, repeats(occurrence, about: app, back: 2) { occurrences[app]?.removeLast() }
        occurrences[app, default: []].append(occurrence)
        // Many occurrences are removed at a time, because each removal moves all later occurrences.
        if let count = occurrences[app]?.count, count >= 2 * Self.perApp {
            occurrences[app]?.removeFirst(count - Self.perApp)
        }
        if occurrence.isEnd { ends[app] = occurrence }
    }

    /// Whether an occurrence repeats an earlier one of the app: the one at this distance from the end of the list.
    private func repeats(_ occurrence: Occurrence, about app: AppID, back: Int) -> Bool {
        guard let list = occurrences[app], list.count >= back else { return false }
        return occurrence.repeats(list[list.count - back])
    }

    func lines(about app: AppID, _ identifier: BundleIdentifier) -> [DecisionLine] {
        let new = occurrences[app]?.suffix(Self.perApp).map(\.line) ?? []
        guard new.count < Self.perApp, let history else { return new }
        return history.earlier(about: identifier).suffix(Self.perApp - new.count) + new
    }

    /// The end of an app's last launch, as text; nil if no launch has ended.
    func lastEnd(of app: AppID, _ identifier: BundleIdentifier) -> String? {
        ends[app]?.line.text ?? history?.earlierEnds[identifier]
    }

    func forget(_ app: AppID, _ identifier: BundleIdentifier?) {
        if let identifier { history?.forget(identifier) }
        occurrences[app] = nil
        ends[app] = nil
    }

    /// The number of occurrences collected so far.
    var collectedCount: Int { collected?.count ?? 0 }

    /// The collected occurrences from `index` on; empty outside `collect(_:)`.
    func collected(from index: Int) -> ArraySlice<Occurrence> { collected?[index...] ?? [] }

    /// The occurrences while `action` runs.
    func collect(_ action: () -> Void) -> [Occurrence] {
        collected = []
        action()
        defer { collected = nil }
        return collected ?? []
    }
}
