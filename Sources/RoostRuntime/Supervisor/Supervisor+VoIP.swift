import LifeCycleModel
import LifeCyclePolicy

/// The output of VoIP: tokens.
extension Supervisor {
    func perform(_ output: VoIPOutput) {
        switch output {
        case .makeToken(let app): submit(.concern(.voip(.tokenMade(app, .random()))))
        case .confirmToken(let app): submit(.concern(.voip(.tokenPersisted(app))))
        }
    }
}
