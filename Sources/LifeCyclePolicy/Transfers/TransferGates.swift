import LifeCycleModel

/// What the device allows transfers right now.
struct TransferGates: Hashable, Sendable, Codable {
    /// Below this charge, in percent, a battery is low.
    static let lowBattery: Int32 = 20

    private var network = Network.none
    private var isMetered = false
    private var isConstrained = false
    private var isLow = false
    private var hasPower = false
    private var isLowPowerMode = false
    /// Whether there is a link to other machines, as far as anything has told.
    var isConnected = true

    init(_ settings: DeviceSettings) { set(settings) }

    mutating func set(_ settings: DeviceSettings) {
        network = settings.network
        isMetered = settings.isMetered
        isConstrained = settings.lowDataMode
        isLow = settings.power == .battery && settings.batteryLevel < Self.lowBattery
        hasPower = settings.power == .external || settings.batteryLevel >= Self.lowBattery
        isLowPowerMode = settings.lowPowerMode
    }

    /// The needs that are met.
    var open: [TransferNeed] { TransferNeed.allCases.filter { refusal(of: $0) == nil } }

    /// What a transfer with this need waits for; nil where it may begin.
    func refusal(of need: TransferNeed) -> TransferWait? {
        if network == .none { return .network }
        if !isConnected, need != .nothing { return .network }
        if need == .nothing { return nil }
        let access = need.access
        if !access.cellular, network != .wifi { return .wifi }
        if !access.expensive, isMetered { return .inexpensive }
        if !access.constrained, isConstrained { return .lowDataMode }
        switch need {
        case .nothing, .network, .unconstrained, .wifi, .unconstrainedWiFi, .inexpensive, .inexpensiveUnconstrained:
            return nil
        case .relaxed: return isLow ? .battery : nil
        case .discretion:
            if isLow { return .battery }
            if isLowPowerMode { return .lowPowerMode }
            return hasPower ? nil : .battery
        }
    }
}
