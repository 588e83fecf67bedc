import LifeCycleModel
import LifeCyclePolicy
internal import RoostWire

/// Journal lines for the most frequent events, the begin and end of a background task. The lines are formatted by hand
/// in a tenth of an encoder's time. The encoder would take most of a request's time.
///
/// The bytes are the same as from `LineEncoder`.
struct FrequentTurn {
    private var text: [UInt8] = []

    /// The line of a turn; nil if its event or an effect is not one of the frequent kinds.
    static func line(at time: Moment, event: Event, effects: [Effect]) -> [UInt8]? {
        guard case .app(let launch, .requested(let request)) = event else { return nil }
        var turn = FrequentTurn()
        turn.text.reserveCapacity(512)
        turn.add("{\"turn\":{\"at\":{\"awake\":", time.awake.rawValue)
        turn.add(",\"elapsed\":", time.elapsed.rawValue)
        turn.add(",\"wall\":", time.wall.rawValue)
        turn.add("},\"event\":{\"app\":{\"_0\":")
        turn.add(launch)
        switch request {
        case .beginTask(let task):
            turn.add(",\"_1\":{\"requested\":{\"_0\":{\"beginTask\":{\"_0\":")
            turn.add(task)
        case .endTask(let id):
            turn.add(",\"_1\":{\"requested\":{\"_0\":{\"endTask\":{\"_0\":{\"rawValue\":", id.rawValue, "}")
        case .acknowledge, .setIdleTimerDisabled, .eventHandled, .concern: return nil
        }
        turn.add("}}}}}},\"effects\":[")
        for (index, effect) in effects.enumerated() {
            if index > 0 { turn.add(",") }
            guard case .decided(let decision) = effect, turn.add(decision) else { return nil }
        }
        turn.add("]}}\n")
        return turn.text
    }

    /// Appends a decision. False if the decision is not one of the frequent kinds.
    private mutating func add(_ decision: Decision) -> Bool {
        guard case .launch(let launch, let decision) = decision else { return false }
        add("{\"decided\":{\"_0\":{\"launch\":{\"_0\":")
        add(launch)
        switch decision {
        case .taskGranted(let task):
            add(",\"_1\":{\"taskGranted\":{\"_0\":")
            add(task)
        case .taskEnded(let id, let open):
            add(",\"_1\":{\"taskEnded\":{\"_0\":{\"rawValue\":", id.rawValue)
            add("},\"open\":", Int64(open))
        default: return false
        }
        add("}}}}}}")
        return true
    }

    private mutating func add(_ launch: LaunchID) {
        add("{\"app\":{\"rawValue\":", Int64(launch.app.rawValue))
        add("},\"number\":", Int64(launch.number), "}")
    }

    private mutating func add(_ task: BackgroundTask) {
        add("{\"id\":{\"rawValue\":", task.id.rawValue)
        add("},\"name\":")
        JSONText.append(task.name, to: &text)
        add("}")
    }

    private mutating func add(_ before: StaticString, _ number: Int64, _ after: StaticString = "") {
        add(before)
        JSONText.append(number, to: &text)
        add(after)
    }

    private mutating func add(_ words: StaticString) {
        text += UnsafeBufferPointer(start: words.utf8Start, count: words.utf8CodeUnitCount)
    }
}
