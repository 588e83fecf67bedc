public import LifeCycleModel

/// A user action on the device's location, or on an app's access to it.
public enum LocationControl: Hashable, Sendable, ControlAct {
    /// Move the device to a position. The system replaces the time of the position by its own.
    case move(LocationFix)
    /// Decide about an app's access.
    case permit(BundleIdentifier, LocationPermission)
}

extension LocationControl {
    private enum Method {
        static let move = "roost.Control.SetLocation"
        static let permit = "roost.Control.PermitLocation"
    }

    /// Nil for a method of another concern.
    init?(_ method: String, _ parameters: JSONField) throws(WireError) {
        switch method {
        case Method.move: self = .move(try LocationFix(parameters, at: .zero))
        case Method.permit: self = .permit(try parameters["app"].app(), try parameters["permission"].choice())
        default: return nil
        }
    }

    var subject: ControlSubject {
        switch self {
        case .move(let fix): .device { .location(.moved(fix.at($0))) }
        case .permit(let app, let permission): .app(app) { .location(.permitted($0, permission)) }
        }
    }

    var call: VarlinkCall {
        switch self {
        case .move(let fix):
            VarlinkCall(Method.move, fix.members(time: nil))
        case .permit(let app, let permission):
            VarlinkCall(Method.permit, ["app": app.json, "permission": .string(permission.rawValue)])
        }
    }
}

extension ControlCall {
    /// The call that a client sends for an action of the user.
    public static func location(_ act: LocationControl) -> ControlCall { .act(AnyControlAct(act)) }
}
