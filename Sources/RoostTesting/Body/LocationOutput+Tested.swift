import LifeCycleModel

/// On a virtual device a test moves the device. It needs no receiver.
extension LocationOutput: TestedWork {
    func perform(by body: Body) {
        switch self {
        case .setReceiver: break
        }
    }
}
