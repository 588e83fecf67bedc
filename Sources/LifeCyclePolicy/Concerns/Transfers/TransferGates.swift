import LifeCycleModel

/// The device's present conditions for transfers.
struct TransferGates: Hashable, Sendable, Codable {
    private var network = Network.wifi
    private var isConnected = true
    private var isMetered = false
    private var isConstrained = false
    private var isLow = false
    private var isLowPowerMode = false

    /// The conditions while there is no session.
    init() {}

    init(_ surroundings: DeviceSurroundings, policy: Policy) {
        let settings = surroundings.settings
        network = settings.network
        isConnected = surroundings.isConnected
        isMetered = settings.isMetered
        isConstrained = settings.lowDataMode
        isLow = surroundings.isBatteryLow(by: policy)
        isLowPowerMode = settings.lowPowerMode
    }

    /// The needs that are met.
    var open: [TransferNeed] { TransferNeed.allCases.filter { refusal(of: $0) == nil } }

    /// The condition that a transfer with this need waits for; nil if the transfer may begin.
    func refusal(of need: TransferNeed) -> TransferWait? {
        if network == .none { return .network }
        if !isConnected, need != .nothing { return .network }
        if need == .nothing { return nil }
        let access = need.access
        if !access.cellular, network != .wifi { return .wifi }
        if !access.expensive, isMetered { return .inexpensive }
        if !access.constrained, isConstrained { return .lowDataMode }
        switch need {
        case .relaxed: return isLow ? .battery : nil
        case .discretion: return isLow ? .battery : isLowPowerMode ? .lowPowerMode : nil
        default: return nil
        }
    }
}
