import LifeCycleModel
import LifeCyclePolicy

/// The body's part in VoIP pushes: the tokens.
extension World {
    fileprivate mutating func perform(_ output: VoIPOutput) {
        switch output {
        case .makeToken(let app):
            let token = makeToken()
            handle(.concern(.voip(.tokenMade(app, token))))
        case .confirmToken(let app): handle(.concern(.voip(.tokenPersisted(app))))
        }
    }

    /// Any app that has a token for VoIP pushes; nil if no app has one.
    mutating func appWithVoIPToken() -> AppID? {
        let apps = core.checked.disk.concerns.voip.filter { $0.token != nil }.map(\.app)
        return apps.isEmpty ? nil : apps[random.below(apps.count)]
    }
}

extension VoIPOutput: SimulatedOutput {
    func perform(in world: inout World) { world.perform(self) }

    func perform(in world: inout SmallWorld) {
        switch self {
        case .makeToken(let app):
            let token = DeviceToken(Array(repeating: 2, count: DeviceToken.size))
            world.handle(.concern(.voip(.tokenMade(app, token))))
        case .confirmToken(let app): world.handle(.concern(.voip(.tokenPersisted(app))))
        }
    }
}
