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
        return Self.compareByApp(said, model.audio.said) { $0.app }
            ?? Self.compareByApp(messages, model.audio.messages) { $0.launch.app }
    }
}
