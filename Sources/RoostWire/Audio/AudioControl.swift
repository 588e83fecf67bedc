import LifeCycleModel

/// An event outside the device's apps that affects their sound.
public enum AudioControl: Hashable, Sendable, ControlAct {
    /// Begin a phone call, or end it.
    case setCall(isOn: Bool)
}

extension AudioControl {
    private static let method = "roost.Control.SetCall"

    /// Nil for a method of another concern.
    init?(_ method: String, _ parameters: JSONField) throws(WireError) {
        guard method == Self.method else { return nil }
        self = .setCall(isOn: try parameters["isOn"].bool())
    }

    var subject: ControlSubject {
        switch self {
        case .setCall(let isOn): .device { _ in .audio(.call(isOn: isOn)) }
        }
    }

    var call: VarlinkCall {
        switch self {
        case .setCall(let isOn): VarlinkCall(Self.method, ["isOn": .bool(isOn)])
        }
    }
}

extension ControlCall {
    /// The call that a client sends for an event that affects the sound of apps.
    public static func audio(_ act: AudioControl) -> ControlCall { .act(AnyControlAct(act)) }
}
