import LifeCycleModel
import LifeCyclePolicy

extension VoIPOutput: TestedWork {
    func perform(by body: Body) {
        func report(_ input: VoIPInput) { body.enqueue(.concern(.voip(input))) }
        switch self {
        case .makeToken(let app):
            // The token is the same in each run, but different for each app, and from the app's other token.
            let bytes = (0..<DeviceToken.size).map { UInt8(truncatingIfNeeded: Int(app.rawValue) * 31 - $0) }
            report(.tokenMade(app, DeviceToken(bytes)))
        case .confirmToken(let app): report(.tokenPersisted(app))
        }
    }
}
