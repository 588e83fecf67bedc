import LifeCycleModel
import LifeCyclePolicy

/// Compares the records, decisions, refusals, adapter work and messages of kept sockets with the model. The wakes,
/// launches, calls and kills of apps are compared with all others.
struct SocketComparison: ConcernComparison {
    private var stored: [SocketRecord] = []

    /// Stored records remain.
    mutating func systemRestarted() {}

    mutating func check(_ effects: [Effect], _ device: Device, _ model: ReferenceModel) -> String? {
        var said: [SocketDecision] = []
        var messages: [ReferenceSockets.Message] = []
        var outputs: [SocketOutput] = []
        var refusals: [ReferenceSockets.Refused] = []
        for effect in effects {
            switch effect {
            case .store(.concern(.socket(.client(let record)))):
                stored.removeAll { $0.launch.app == record.launch.app }
                if !record.isEmpty { stored.append(record) }
                stored.sort { $0.launch < $1.launch }
            case .store(.appRemoved(let app)): stored.removeAll { $0.launch.app == app }
            case .decided(.concern(.socket(let decision))): said.append(decision)
            case .decided(.app(let app, .wakeRefused(.voip, let reason))):
                refusals.append(ReferenceSockets.Refused(app: app, obstacles: [reason]))
            case .launch(let launch, .send(.concern(.socket(let news)))):
                messages.append(ReferenceSockets.Message(launch: launch, news: news))
            case .concern(.socket(let output)): outputs.append(output)
            default: break
            }
        }
        let wanted = model.sockets
        if stored != wanted.records { return "sockets: stored are \(stored), the model has \(wanted.records)" }
        return Self.compare(refusals, wanted.obstacles) ?? Self.compareByApp(said, wanted.said) { $0.app }
            ?? Self.compareByApp(messages, wanted.messages) { $0.launch.app }
            ?? Self.compareByApp(outputs, wanted.outputs) { $0.launch.app }
    }

    /// Each refusal has one of the reasons that the model knows, in the same order for each app.
    private static func compare(
        _ ours: [ReferenceSockets.Refused], _ theirs: [ReferenceSockets.Refused]
    ) -> String? {
        for app in (ours + theirs).map(\.app) {
            let (given, known) = (ours.filter { $0.app == app }, theirs.filter { $0.app == app })
            let isRight = zip(given, known).allSatisfy { given, known in
                given.obstacles.allSatisfy { known.obstacles.contains($0) }
            }
            if given.count != known.count || !isRight {
                return "\(app) is refused a VoIP wake for \(given), in the model for \(known)"
            }
        }
        return nil
    }
}
