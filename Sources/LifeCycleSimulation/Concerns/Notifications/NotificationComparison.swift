import LifeCycleModel
import LifeCyclePolicy

/// Compares the records, decisions, adapter work and messages of notifications with the model, and the remote
/// notifications that are still needed.
struct NotificationComparison: ConcernComparison {
    private var stored = NotificationRecords()
    private var pushes: [PushRecord] = []

    mutating func check(_ effects: [Effect], _ device: Device, _ model: ReferenceModel) -> String? {
        var said: [NotificationDecision] = []
        var pushDecisions: [PushDecision] = []
        var outputs: [NotificationOutput] = []
        var messages: [ReferenceNotifications.Message] = []
        var refusal: WakeRefusal?
        for effect in effects {
            switch effect {
            case .store(.concern(.notification(let record))): stored.apply(record)
            case .store(.concern(.push(let record))):
                pushes.removeAll { $0.app == record.app }
                pushes.append(record)
                pushes.sort { $0.app < $1.app }
            case .store(.appRemoved(let app)):
                stored.forget(app)
                pushes.removeAll { $0.app == app }
            case .decided(.concern(.notification(let decision))): said.append(decision)
            case .decided(.concern(.push(let decision))): pushDecisions.append(decision)
            case .decided(.app(_, .wakeRefused(.user, let reason))): refusal = reason
            case .concern(.notification(let output)): outputs.append(output)
            case .launch(let launch, .send(.concern(.notification(let news)))):
                messages.append(ReferenceNotifications.Message(launch: launch, news: news))
            default: break
            }
        }
        let wanted = model.notifications
        if stored != wanted.kept { return "stored are \(stored), the model has \(wanted.kept)" }
        if pushes != wanted.pushes { return "stored are \(pushes), the model has \(wanted.pushes)" }
        let pushes = device.remoteNotifications
        if pushes != wanted.came { return "what has come and is needed is \(pushes), in the model \(wanted.came)" }
        if !model.tapObstacles.isEmpty, !(refusal.map(model.tapObstacles.contains) ?? false) {
            return "the app is opened by a tap, in spite of \(model.tapObstacles)"
        }
        return Self.compare(said, wanted.said) { $0 == $1 } ?? Self.compare(
            pushDecisions, wanted.pushDecisions, Self.allows)
            ?? Self.compareInOrder(outputs, wanted.outputs, by: \.app)
            ?? Self.compareInOrder(messages, wanted.messages) { $0.launch.app }
    }

    /// Stored records remain.
    mutating func systemRestarted() {}

    /// Compares the decisions, in any order.
    private static func compare<Ours, Theirs>(
        _ ours: [Ours], _ theirs: [Theirs], _ agree: (Ours, Theirs) -> Bool
    ) -> String? {
        var left = theirs
        for decision in ours {
            guard let index = left.firstIndex(where: { agree(decision, $0) }) else {
                return "the brain says \(decision), the model \(theirs)"
            }
            left.remove(at: index)
        }
        return left.isEmpty ? nil : "the brain says \(ours), the model also \(left)"
    }

    private static func allows(_ decision: PushDecision, _ saying: ReferenceNotifications.ExpectedDecision) -> Bool {
        switch saying {
        case .exactly(let own): own == decision
        case .held(let app, let holds, let isOther):
            holds.contains { .held(app, $0, replacing: isOther) == decision }
        case .lost(let app, let losses, let isVisible):
            losses.contains { (isVisible ? .visible(app, $0) : .dropped(app, $0)) == decision }
        }
    }

    /// Compares the elements. For each app the order must be the same.
    private static func compareInOrder<Element: Equatable>(
        _ ours: [Element], _ theirs: [Element], by app: (Element) -> AppID?
    ) -> String? {
        if ours == theirs { return nil }
        for element in ours + theirs {
            let (own, other) = (ours.filter { app($0) == app(element) }, theirs.filter { app($0) == app(element) })
            if own != other { return "the brain does \(own), the model \(other)" }
        }
        return nil
    }
}

extension NotificationOutput {
    /// The app that the output is about; nil if the output is not about an app.
    fileprivate var app: AppID? {
        switch self {
        case .makeDeviceToken(let app), .confirmToken(let app), .withdraw(let app, _), .setBadge(let app, _): app
        case .examineSound(let id, _): id.app
        case .show(let shown): shown.id.app
        case .readZone: nil
        }
    }
}
