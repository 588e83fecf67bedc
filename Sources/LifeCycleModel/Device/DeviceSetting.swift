/// A setting with its new value, as `roost settings NAME VALUE` changes it.
public enum DeviceSetting: Hashable, Sendable, Codable {
    case passcode(Bool)
    case backgroundRefresh(Bool)
    case lowPowerMode(Bool)
    case network(Network)
    case metered(Bool)
    case lowDataMode(Bool)
    case power(PowerSource)
    /// In percent.
    case batteryLevel(Int32)
    /// Nil for never.
    case autoLock(Nanoseconds?)

    /// An invalid setting, with a sentence for the user who entered it.
    public struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
        /// The reason and the allowed values, as a sentence.
        public let description: String
    }

    /// The names of all settings, with the allowed values, for help texts.
    public static let names: [(name: String, values: String)] = [
        ("passcode", "on, off"), ("backgroundRefresh", "on, off"), ("lowPowerMode", "on, off"),
        ("network", "none, wifi, cellular"), ("metered", "on, off"), ("lowDataMode", "on, off"),
        ("power", "battery, external"), ("batteryLevel", "0 to 100"),
        ("autoLock", "never, or a length of time such as 30s or 2m"),
    ]

    /// The word for the setting in `roost settings`.
    public var name: String {
        switch self {
        case .passcode: "passcode"
        case .backgroundRefresh: "backgroundRefresh"
        case .lowPowerMode: "lowPowerMode"
        case .network: "network"
        case .metered: "metered"
        case .lowDataMode: "lowDataMode"
        case .power: "power"
        case .batteryLevel: "batteryLevel"
        case .autoLock: "autoLock"
        }
    }

    /// Parses a name and a value as users write them. Throws `Invalid` if either is invalid.
    public init(name: String, value: String) throws(Invalid) {
        switch name {
        case "passcode": self = .passcode(try Self.flag(value, of: name))
        case "backgroundRefresh": self = .backgroundRefresh(try Self.flag(value, of: name))
        case "lowPowerMode": self = .lowPowerMode(try Self.flag(value, of: name))
        case "network": self = .network(try Self.choice(value, of: name))
        case "metered": self = .metered(try Self.flag(value, of: name))
        case "lowDataMode": self = .lowDataMode(try Self.flag(value, of: name))
        case "power": self = .power(try Self.choice(value, of: name))
        case "batteryLevel":
            guard let percent = Int32(value), (0...100).contains(percent) else { throw Self.wrong(value, of: name) }
            self = .batteryLevel(percent)
        case "autoLock":
            if value == "never" {
                self = .autoLock(nil)
            } else if let length = Nanoseconds(parsing: value), length > .zero {
                self = .autoLock(length)
            } else {
                throw Self.wrong(value, of: name)
            }
        default:
            throw Invalid(
                description: "there is no setting called \"\(name)\"; the settings are "
                    + Self.names.map(\.name).joined(separator: ", "))
        }
    }

    /// Parses `on` or `off`. Throws `Invalid` for any other value.
    public static func flag(_ value: String, of name: String) throws(Invalid) -> Bool {
        switch value {
        case "on": true
        case "off": false
        default: throw wrong(value, of: name)
        }
    }

    private static func choice<Choice: RawRepresentable<String>>(
        _ value: String, of name: String
    ) throws(Invalid) -> Choice {
        guard let choice = Choice(rawValue: value) else { throw wrong(value, of: name) }
        return choice
    }

    private static func wrong(_ value: String, of name: String) -> Invalid {
        let allowed = names.first { $0.name == name }?.values ?? ""
        return Invalid(description: "\(name) cannot be \"\(value)\": it can be \(allowed)")
    }
}

extension DeviceSettings {
    /// The settings with one of them changed.
    public func changed(by setting: DeviceSetting) -> DeviceSettings {
        var copy = self
        switch setting {
        case .passcode(let isSet): copy.hasPasscode = isSet
        case .backgroundRefresh(let isOn): copy.backgroundRefresh = isOn
        case .lowPowerMode(let isOn): copy.lowPowerMode = isOn
        case .network(let network): copy.network = network
        case .metered(let isOn): copy.isMetered = isOn
        case .lowDataMode(let isOn): copy.lowDataMode = isOn
        case .power(let source): copy.power = source
        case .batteryLevel(let percent): copy.batteryLevel = percent
        case .autoLock(let length): copy.autoLock = length
        }
        return copy
    }

    /// All settings with their values as users write them, in the order of `DeviceSetting.names`.
    public var lines: [(name: String, value: String)] {
        [
            ("passcode", Self.word(hasPasscode)), ("backgroundRefresh", Self.word(backgroundRefresh)),
            ("lowPowerMode", Self.word(lowPowerMode)), ("network", network.rawValue), ("metered", Self.word(isMetered)),
            ("lowDataMode", Self.word(lowDataMode)), ("power", power.rawValue),
            ("batteryLevel", String(batteryLevel)), ("autoLock", autoLock.map { "\($0)" } ?? "never"),
        ]
    }

    private static func word(_ flag: Bool) -> String { flag ? "on" : "off" }
}
