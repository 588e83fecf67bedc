public import LifeCycleModel

/// A call of `roost.Control`: what people and programs ask of the system.
public enum ControlCall: Hashable, Sendable {
    /// Install the bundle at an absolute path.
    case install(path: String, replacing: Bool)
    /// Remove an app and its container.
    case uninstall(BundleIdentifier)
    /// Open an app.
    case launch(BundleIdentifier)
    /// Go to the home screen.
    case home
    /// Let an event happen.
    case wake(BundleIdentifier, LaunchReason)
    /// Swipe an app away.
    case quit(BundleIdentifier)
    /// Say what is installed.
    case list
    /// Say what was decided about an app.
    case why(BundleIdentifier)
    /// Say every decision from now on.
    case watch
    /// Hand over to a successor, leaving apps as they are.
    case restart
    /// Say how the system is.
    case status
    /// Go to another app by the switcher; nil for the one used before.
    case switchTo(BundleIdentifier?)
    /// Let something interrupt the app in front.
    case interrupt(Interruption)
    /// The user ignores the interruption.
    case dismiss
    /// The user takes it up, and perhaps goes to an app by it.
    case accept(BundleIdentifier?)
    /// Lock the screen.
    case lock
    /// Unlock the screen.
    case unlock
    /// Let memory be low.
    case memory(MemoryPressure)
    /// Say what is set.
    case settings
    /// Change a setting; one app's, where it is named.
    case set(name: String, value: String, app: BundleIdentifier?)
    /// Do something to the app, as the user does.
    case send(BundleIdentifier, UserInput)

    /// Reads a call; throws where its method, or any of its parameters, is not as the interface says.
    public init(_ call: VarlinkCall) throws(WireError) {
        guard call.interface == VarlinkInterface.control.name else { throw .unknownInterface(call.interface) }
        switch call.method {
        case "roost.Control.Install":
            let parameters = try call.parameters(as: Install.self)
            guard parameters.path.utf8.first == UInt8(ascii: "/"), parameters.path.utf8.count <= WireLimits.path,
                !parameters.path.utf8.contains(0)
            else { throw .invalidParameter(field: "path", problem: "is not an absolute path") }
            self = .install(path: parameters.path, replacing: parameters.replacing ?? false)
        case "roost.Control.Uninstall": self = .uninstall(try call.parameters(as: App.self).app)
        case "roost.Control.Launch": self = .launch(try call.parameters(as: App.self).app)
        case "roost.Control.Home": self = .home
        case "roost.Control.Wake":
            let parameters = try call.parameters(as: Wake.self)
            self = .wake(parameters.app, parameters.reason)
        case "roost.Control.Quit": self = .quit(try call.parameters(as: App.self).app)
        case "roost.Control.List": self = .list
        case "roost.Control.Why": self = .why(try call.parameters(as: App.self).app)
        case "roost.Control.Watch":
            guard call.more else {
                throw .invalidParameter(field: "more", problem: "is not set: decisions are a stream of replies")
            }
            self = .watch
        case "roost.Control.Restart": self = .restart
        case "roost.Control.Status": self = .status
        case "roost.Control.Switch": self = .switchTo(try call.parameters(as: MaybeApp.self).app)
        case "roost.Control.Interrupt": self = .interrupt(try call.parameters(as: Interrupt.self).kind)
        case "roost.Control.Dismiss": self = .dismiss
        case "roost.Control.Accept": self = .accept(try call.parameters(as: MaybeApp.self).app)
        case "roost.Control.Lock": self = .lock
        case "roost.Control.Unlock": self = .unlock
        case "roost.Control.Memory": self = .memory(try call.parameters(as: Memory.self).pressure)
        case "roost.Control.Settings": self = .settings
        case "roost.Control.Set":
            let parameters = try call.parameters(as: Set.self)
            self = .set(name: parameters.name, value: parameters.value, app: parameters.app)
        case "roost.Control.Send":
            let parameters = try call.parameters(as: Send.self)
            self = .send(parameters.app, try parameters.input.input(field: "input"))
        default: throw .unknownMethod(call.method)
        }
    }

    /// The call as it is sent.
    public var call: VarlinkCall {
        switch self {
        case .install(let path, let replacing):
            VarlinkCall(method: "roost.Control.Install", parameters: Install(path: path, replacing: replacing))
        case .uninstall(let app): VarlinkCall(method: "roost.Control.Uninstall", parameters: App(app: app))
        case .launch(let app): VarlinkCall(method: "roost.Control.Launch", parameters: App(app: app))
        case .home: VarlinkCall(method: "roost.Control.Home", parameters: Nothing())
        case .wake(let app, let reason):
            VarlinkCall(method: "roost.Control.Wake", parameters: Wake(app: app, reason: reason))
        case .quit(let app): VarlinkCall(method: "roost.Control.Quit", parameters: App(app: app))
        case .list: VarlinkCall(method: "roost.Control.List", parameters: Nothing())
        case .why(let app): VarlinkCall(method: "roost.Control.Why", parameters: App(app: app))
        case .watch: VarlinkCall(method: "roost.Control.Watch", parameters: Nothing(), more: true)
        case .restart: VarlinkCall(method: "roost.Control.Restart", parameters: Nothing())
        case .status: VarlinkCall(method: "roost.Control.Status", parameters: Nothing())
        case .switchTo(let app): VarlinkCall(method: "roost.Control.Switch", parameters: MaybeApp(app: app))
        case .interrupt(let kind): VarlinkCall(method: "roost.Control.Interrupt", parameters: Interrupt(kind: kind))
        case .dismiss: VarlinkCall(method: "roost.Control.Dismiss", parameters: Nothing())
        case .accept(let app): VarlinkCall(method: "roost.Control.Accept", parameters: MaybeApp(app: app))
        case .lock: VarlinkCall(method: "roost.Control.Lock", parameters: Nothing())
        case .unlock: VarlinkCall(method: "roost.Control.Unlock", parameters: Nothing())
        case .memory(let pressure):
            VarlinkCall(method: "roost.Control.Memory", parameters: Memory(pressure: pressure))
        case .settings: VarlinkCall(method: "roost.Control.Settings", parameters: Nothing())
        case .set(let name, let value, let app):
            VarlinkCall(method: "roost.Control.Set", parameters: Set(name: name, value: value, app: app))
        case .send(let app, let input):
            VarlinkCall(method: "roost.Control.Send", parameters: Send(app: app, input: InputPayload(input)))
        }
    }

    /// The bytes to send, with the ending NUL.
    public func encoded() -> [UInt8] { call.encoded() }

    private struct Install: Codable {
        let path: String
        let replacing: Bool?
    }
    private struct App: Codable { let app: BundleIdentifier }
    private struct MaybeApp: Codable { let app: BundleIdentifier? }
    private struct Interrupt: Codable { let kind: Interruption }
    private struct Memory: Codable { let pressure: MemoryPressure }
    private struct Set: Codable {
        let name: String
        let value: String
        let app: BundleIdentifier?
    }
    private struct Send: Codable {
        let app: BundleIdentifier
        let input: InputPayload
    }
    private struct Wake: Codable {
        let app: BundleIdentifier
        let reason: LaunchReason
    }
}
