public import LifeCycleModel

/// A call of `roost.Control`, from a client to the system.
public enum ControlCall: Hashable, Sendable {
    /// Presents the cookie that all other calls require. Sent without asking for a reply.
    case authenticate(cookie: String)
    /// Install the bundle at an absolute path.
    case install(path: String, replacing: Bool)
    /// Remove an app and its container.
    case uninstall(BundleIdentifier)
    /// Open an app.
    case launch(BundleIdentifier)
    /// Go to the home screen.
    case home
    /// Simulate an event. An event of Bluetooth goes to the managers with these restore identifiers.
    case wake(BundleIdentifier, LaunchReason, restoreIdentifiers: [String] = [])
    /// Swipe an app away.
    case quit(BundleIdentifier)
    /// List the installed apps.
    case list
    /// Return the decisions about an app.
    case why(BundleIdentifier)
    /// Stream all decisions from now on.
    case watch
    /// Restart the supervisor without touching apps.
    case restart
    /// Return the status of the system.
    case status
    /// Switch to another app in the switcher; nil for the previously used one.
    case switchTo(BundleIdentifier?)
    /// Interrupt the foreground app.
    case interrupt(Interruption)
    /// Dismiss the interruption.
    case dismiss
    /// Accept the interruption, which may open an app.
    case accept(BundleIdentifier?)
    /// Lock the screen.
    case lock
    /// Unlock the screen.
    case unlock
    /// Simulate memory pressure.
    case memory(MemoryPressure)
    /// Simulate that the clock was set.
    case clock
    /// List the settings.
    case settings
    /// Change a setting of the device, or of the app.
    case set(name: String, value: String, app: BundleIdentifier?)
    /// Send user input to the app.
    case send(BundleIdentifier, UserInput)
    /// List the notifications of `app`; of all apps if it is nil.
    case notifications(app: BundleIdentifier?)
    /// Apply a user action that belongs to a concern.
    case act(AnyControlAct)
    /// List transfers, or apply a user action to them.
    case transfer(TransferControl)

    /// Reads a call. Throws if its method or a parameter does not conform to the interface.
    public init(_ call: VarlinkCall) throws(WireError) {
        guard call.interface == VarlinkInterface.control.name else { throw .unknownInterface(String(call.interface)) }
        let parameters = call.parameters
        switch call.method {
        case Self.authenticateMethod: self = .authenticate(cookie: try Self.cookie(parameters["cookie"]))
        case "roost.Control.Install":
            let path = try parameters["path"].string()
            guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count <= WireLimits.path, !path.utf8.contains(0)
            else { throw .invalidParameter(field: "path", problem: "is not an absolute path") }
            self = .install(path: path, replacing: try parameters["replacing"].ifGiven?.bool() ?? false)
        case "roost.Control.Uninstall": self = .uninstall(try parameters["app"].app())
        case "roost.Control.Launch": self = .launch(try parameters["app"].app())
        case "roost.Control.Home": self = .home
        case "roost.Control.Wake": self = try Self.wake(parameters)
        case "roost.Control.Quit": self = .quit(try parameters["app"].app())
        case "roost.Control.List": self = .list
        case "roost.Control.Why": self = .why(try parameters["app"].app())
        case "roost.Control.Watch":
            guard call.more else {
                throw .invalidParameter(field: "more", problem: "is not set: decisions are a stream of replies")
            }
            self = .watch
        case "roost.Control.Restart": self = .restart
        case "roost.Control.Status": self = .status
        case "roost.Control.Switch": self = .switchTo(try parameters["app"].appIfGiven())
        case "roost.Control.Interrupt": self = .interrupt(try parameters["kind"].choice())
        case "roost.Control.Dismiss": self = .dismiss
        case "roost.Control.Accept": self = .accept(try parameters["app"].appIfGiven())
        case "roost.Control.Lock": self = .lock
        case "roost.Control.Unlock": self = .unlock
        case "roost.Control.Memory": self = .memory(try parameters["pressure"].choice())
        case "roost.Control.Clock": self = .clock
        case "roost.Control.Settings": self = .settings
        case "roost.Control.Notifications": self = .notifications(app: try parameters["app"].appIfGiven())
        case "roost.Control.Set":
            self = .set(
                name: try parameters["name"].string(), value: try parameters["value"].string(),
                app: try parameters["app"].appIfGiven())
        case "roost.Control.Send":
            self = .send(try parameters["app"].app(), try UserInput(parameters["input"]))
        default:
            if let act = try WireConcerns.act(call.method, parameters) {
                self = .act(AnyControlAct(act))
            } else if let call = try TransferControl(call.method, parameters) {
                self = .transfer(call)
            } else {
                throw .unknownMethod(call.method)
            }
        }
    }

    private static let authenticateMethod = "roost.Control.Authenticate"

    /// Whether the call requires an authenticated caller.
    public static func isForKnownCallers(_ call: VarlinkCall) -> Bool { call.method != authenticateMethod }

    private static func cookie(_ field: JSONField) throws(WireError) -> String {
        let cookie = try field.string()
        guard cookie.utf8.count <= WireLimits.token else {
            throw .invalidParameter(field: field.name, problem: "has more than \(WireLimits.token) bytes")
        }
        return cookie
    }

    private static func wake(_ parameters: JSONField) throws(WireError) -> ControlCall {
        let reason: LaunchReason = try parameters["reason"].choice()
        // The system refuses `user` itself, with the reason.
        guard reason.isEvent || reason == .user else {
            throw .invalidParameter(
                field: "reason", problem: "\"\(reason.rawValue)\" cannot be requested: the system causes it")
        }
        let identifiers = try parameters["restoreIdentifiers"].ifGiven?.restoreIdentifiers() ?? []
        guard identifiers.isEmpty || reason.hasRestoreIdentifiers else {
            throw .invalidParameter(
                field: "restoreIdentifiers", problem: "go with bluetoothCentral and bluetoothPeripheral only")
        }
        return .wake(try parameters["app"].app(), reason, restoreIdentifiers: identifiers)
    }

    /// The call as it is sent.
    public var call: VarlinkCall {
        switch self {
        case .authenticate(let cookie):
            VarlinkCall(Self.authenticateMethod, ["cookie": .string(cookie)], oneway: true)
        case .install(let path, let replacing):
            VarlinkCall("roost.Control.Install", ["path": .string(path), "replacing": .bool(replacing)])
        case .uninstall(let app): VarlinkCall("roost.Control.Uninstall", ["app": app.json])
        case .launch(let app): VarlinkCall("roost.Control.Launch", ["app": app.json])
        case .home: VarlinkCall("roost.Control.Home")
        case .wake(let app, let reason, let identifiers):
            VarlinkCall(
                "roost.Control.Wake",
                [
                    "app": app.json, "reason": .string(reason.rawValue),
                    "restoreIdentifiers": identifiers.isEmpty ? nil : .array(identifiers.map { .string($0) }),
                ])
        case .quit(let app): VarlinkCall("roost.Control.Quit", ["app": app.json])
        case .list: VarlinkCall("roost.Control.List")
        case .why(let app): VarlinkCall("roost.Control.Why", ["app": app.json])
        case .watch: VarlinkCall("roost.Control.Watch", more: true)
        case .restart: VarlinkCall("roost.Control.Restart")
        case .status: VarlinkCall("roost.Control.Status")
        case .switchTo(let app): VarlinkCall("roost.Control.Switch", ["app": app?.json])
        case .interrupt(let kind): VarlinkCall("roost.Control.Interrupt", ["kind": .string(kind.rawValue)])
        case .dismiss: VarlinkCall("roost.Control.Dismiss")
        case .accept(let app): VarlinkCall("roost.Control.Accept", ["app": app?.json])
        case .lock: VarlinkCall("roost.Control.Lock")
        case .unlock: VarlinkCall("roost.Control.Unlock")
        case .memory(let pressure):
            VarlinkCall("roost.Control.Memory", ["pressure": .string(pressure.rawValue)])
        case .clock: VarlinkCall("roost.Control.Clock")
        case .settings: VarlinkCall("roost.Control.Settings")
        case .set(let name, let value, let app):
            VarlinkCall(
                "roost.Control.Set", ["app": app?.json, "name": .string(name), "value": .string(value)])
        case .send(let app, let input):
            VarlinkCall("roost.Control.Send", ["app": app.json, "input": input.json])
        case .notifications(let app): VarlinkCall("roost.Control.Notifications", ["app": app?.json])
        case .act(let any): any.act.call
        case .transfer(let call): call.call
        }
    }

    /// The bytes to send, with the terminating NUL.
    public func encoded() -> [UInt8] { call.encoded() }
}

extension JSONField {
    func app() throws(WireError) -> BundleIdentifier {
        let text = try string()
        guard let app = BundleIdentifier(text) else {
            throw .invalidParameter(field: name, problem: "\"\(text.prefix(256))\" is not a bundle identifier")
        }
        return app
    }

    func appIfGiven() throws(WireError) -> BundleIdentifier? { try ifGiven?.app() }
}

extension BundleIdentifier {
    var json: JSON { .string(rawValue) }
}
