import LifeCycleModel
import LifeCyclePolicy

/// Compares the decisions about sound, and the messages about it, with the model. The calls of apps are compared with
/// all other callbacks.
struct AudioComparison: ConcernComparison {
    mutating func systemRestarted() {}

    mutating func check(_ effects: [Effect], _ device: Device, _ model: ReferenceModel) -> String? {
        var said: [AudioDecision] = []
        var messages: [ReferenceAudio.Message] = []
        for effect in effects {
            switch effect {
            case .decided(.concern(.audio(let decision))): said.append(decision)
            case .launch(let launch, .send(.concern(.audio(let news)))):
                messages.append(ReferenceAudio.Message(launch: launch, news: news))
            default: break
            }
        }
        return Self.compare(said, model.audio.said) { $0.app }
            ?? Self.compare(messages, model.audio.messages) { $0.launch.app }
    }

    /// The order counts within an app only.
    private static func compare<Word: Equatable>(
        _ ours: [Word], _ theirs: [Word], _ app: (Word) -> AppID
    ) -> String? {
        for changed in (ours + theirs).map(app) {
            guard ours.filter({ app($0) == changed }) == theirs.filter({ app($0) == changed }) else {
                return "the brain says \(ours), the model \(theirs)"
            }
        }
        return nil
    }
}
