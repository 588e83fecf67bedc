import LifeCycleModel
import LifeCyclePolicy

/// Compares the records, decisions, refusals, adapter work and messages of VoIP with the model. The calls of apps and
/// their kills are compared with all others.
struct VoIPComparison: ConcernComparison {
    private var stored: [VoIPRecord] = []

    /// Stored records remain.
    mutating func systemRestarted() {}

    mutating func check(_ effects: [Effect], _ device: Device, _ model: ReferenceModel) -> String? {
        var said: [VoIPDecision] = []
        var messages: [ReferenceVoIP.Message] = []
        var outputs: [VoIPOutput] = []
        var refusal: WakeRefusal?
        for effect in effects {
            switch effect {
            case .store(.concern(.voip(.client(let record)))):
                stored.removeAll { $0.app == record.app }
                stored.append(record)
                stored.sort { $0.app < $1.app }
            case .store(.appRemoved(let app)): stored.removeAll { $0.app == app }
            case .decided(.concern(.voip(let decision))): said.append(decision)
            // Only the system itself may give this reason for a wake.
            case .decided(.app(_, .wakeRefused(.voipPush, let reason))) where reason != .notAWake: refusal = reason
            case .launch(let launch, .send(.concern(.voip(let news)))):
                messages.append(ReferenceVoIP.Message(launch: launch, news: news))
            case .concern(.voip(let output)): outputs.append(output)
            default: break
            }
        }
        let wanted = model.voip
        if stored != wanted.kept { return "VoIP records: stored are \(stored), the model has \(wanted.kept)" }
        if refusal.map({ !wanted.obstacles.contains($0) }) ?? !wanted.obstacles.isEmpty {
            return "the VoIP push is refused for \(refusal as Any), in the model for \(wanted.obstacles)"
        }
        return Self.compareByApp(said, wanted.said) { $0.app }
            ?? Self.compareByApp(messages.aboutReports, wanted.messages.aboutReports) { $0.launch.app }
            ?? Self.compareByApp(messages.aboutTransactions, wanted.messages.aboutTransactions) { $0.launch.app }
            ?? Self.compareByApp(outputs, wanted.outputs) { $0.app }
    }
}

/// The answers to reports and the answers to transactions have no order among each other.
extension [ReferenceVoIP.Message] {
    fileprivate var aboutReports: Self {
        filter { if case .reported = $0.news { true } else { false } }
    }
    fileprivate var aboutTransactions: Self {
        filter { if case .transacted = $0.news { true } else { false } }
    }
}

extension VoIPOutput {
    fileprivate var app: AppID {
        switch self {
        case .makeToken(let app), .confirmToken(let app): app
        }
    }
}
