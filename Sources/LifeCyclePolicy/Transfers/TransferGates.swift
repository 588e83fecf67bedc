import LifeCycleModel

/// What the device allows transfers right now.
struct TransferGates: Hashable, Sendable, Codable {
    /// Below this charge, in percent, a battery is low.
    static let lowBattery: Int32 = 20

    private let network: Network
    private let isLow: Bool
    private let hasPower: Bool
    private let isLowPowerMode: Bool

    init(_ settings: DeviceSettings) {
        network = settings.network
        isLow = settings.power == .battery && settings.batteryLevel < Self.lowBattery
        hasPower = settings.power == .external || settings.batteryLevel >= Self.lowBattery
        isLowPowerMode = settings.lowPowerMode
    }

    /// Whether there is any network.
    var hasNetwork: Bool { network != .none }

    /// The needs that are met.
    var open: [TransferNeed] { TransferNeed.allCases.filter { refusal(of: $0) == nil } }

    /// What a transfer with this need waits for; nil where it may begin.
    func refusal(of need: TransferNeed) -> TransferWait? {
        if network == .none { return .network }
        switch need {
        case .network: return nil
        case .wifi: return network == .wifi ? nil : .wifi
        case .relaxed: return network != .wifi ? .wifi : isLow ? .battery : nil
        case .discretion:
            if network != .wifi { return .wifi }
            if isLow { return .battery }
            if isLowPowerMode { return .lowPowerMode }
            return hasPower ? nil : .battery
        }
    }
}
