public import LifeCycleModel

/// A call of `roost.Control`: what people and programs ask of the system.
public enum ControlCall: Hashable, Sendable {
    /// Proves that the caller may ask for the rest; sent without wanting a reply.
    case authenticate(cookie: String)
    /// Install the bundle at an absolute path.
    case install(path: String, replacing: Bool)
    /// Remove an app and its container.
    case uninstall(BundleIdentifier)
    /// Open an app.
    case launch(BundleIdentifier)
    /// Go to the home screen.
    case home
    /// Let an event happen.
    /// An event of Bluetooth is for the managers with these restore identifiers.
    case wake(BundleIdentifier, LaunchReason, restoreIdentifiers: [String] = [])
    /// Hand an app's remote notification over, as a provider sends it.
    case push(BundleIdentifier, RemoteNotification)
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
    /// Let the device's clock be set.
    case clock
    /// Say what is set.
    case settings
    /// Change a setting; one app's, where it is named.
    case set(name: String, value: String, app: BundleIdentifier?)
    /// Do something to the app, as the user does.
    case send(BundleIdentifier, UserInput)
    /// Say which transfers there are, some at a time: an app's, where it is named, from the one after this on.
    case transfers(app: BundleIdentifier?, after: TransferID?)
    /// Do something with transfers.
    case transfer([TransferID], TransferWish)
    /// Say which notifications there are: an app's, where it is named.
    case notifications(app: BundleIdentifier?)
    /// The user taps one, or takes it away.
    case answer(BundleIdentifier, number: Int64, NotificationWish)
    /// The user lets an app show notifications, or not.
    case allowNotifications(BundleIdentifier, Bool)

    /// Reads a call; throws where its method, or any of its parameters, is not as the interface says.
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
        case "roost.Control.Uninstall": self = .uninstall(try Self.app(parameters["app"]))
        case "roost.Control.Launch": self = .launch(try Self.app(parameters["app"]))
        case "roost.Control.Home": self = .home
        case "roost.Control.Wake": self = try Self.wake(parameters)
        case "roost.Control.Push":
            self = .push(
                try Self.app(parameters["app"]), try RemoteNotification(json: parameters["payload"].string()))
        case "roost.Control.Quit": self = .quit(try Self.app(parameters["app"]))
        case "roost.Control.List": self = .list
        case "roost.Control.Why": self = .why(try Self.app(parameters["app"]))
        case "roost.Control.Watch":
            guard call.more else {
                throw .invalidParameter(field: "more", problem: "is not set: decisions are a stream of replies")
            }
            self = .watch
        case "roost.Control.Restart": self = .restart
        case "roost.Control.Status": self = .status
        case "roost.Control.Switch": self = .switchTo(try Self.appIfGiven(parameters["app"]))
        case "roost.Control.Interrupt": self = .interrupt(try parameters["kind"].choice())
        case "roost.Control.Dismiss": self = .dismiss
        case "roost.Control.Accept": self = .accept(try Self.appIfGiven(parameters["app"]))
        case "roost.Control.Lock": self = .lock
        case "roost.Control.Unlock": self = .unlock
        case "roost.Control.Memory": self = .memory(try parameters["pressure"].choice())
        case "roost.Control.Clock": self = .clock
        case "roost.Control.Settings": self = .settings
        case "roost.Control.Set":
            self = .set(
                name: try parameters["name"].string(), value: try parameters["value"].string(),
                app: try Self.appIfGiven(parameters["app"]))
        case "roost.Control.Send":
            self = .send(try Self.app(parameters["app"]), try UserInput(parameters["input"]))
        case "roost.Control.Transfers":
            self = .transfers(
                app: try Self.appIfGiven(parameters["app"]), after: try Self.transferIfGiven(parameters["after"]))
        case "roost.Control.Transfer":
            var ids: [TransferID] = []
            for field in try parameters["ids"].list() { ids.append(try Self.transfer(field)) }
            guard (1...Self.mostTransfers).contains(ids.count) else {
                throw .invalidParameter(
                    field: "ids", problem: "has \(ids.count) entries; there have to be 1 to \(Self.mostTransfers)")
            }
            self = .transfer(ids, try parameters["wish"].choice())
        case "roost.Control.Notifications":
            self = .notifications(app: try Self.appIfGiven(parameters["app"]))
        case "roost.Control.AnswerNotification":
            self = .answer(
                try Self.app(parameters["app"]), number: try parameters["number"].positive(),
                try parameters["wish"].choice())
        case "roost.Control.AllowNotifications":
            self = .allowNotifications(try Self.app(parameters["app"]), try parameters["allowed"].bool())
        default: throw .unknownMethod(call.method)
        }
    }

    private static let authenticateMethod = "roost.Control.Authenticate"

    /// Whether a caller has to authenticate before its call is looked at.
    public static func isForKnownCallers(_ call: VarlinkCall) -> Bool { call.method != authenticateMethod }

    private static func cookie(_ field: JSONField) throws(WireError) -> String {
        let cookie = try field.string()
        guard cookie.utf8.count <= WireLimits.token else {
            throw .invalidParameter(field: field.name, problem: "has more than \(WireLimits.token) bytes")
        }
        return cookie
    }

    private static func app(_ field: JSONField) throws(WireError) -> BundleIdentifier {
        let text = try field.string()
        guard let app = BundleIdentifier(text) else {
            throw .invalidParameter(field: field.name, problem: "\"\(text.prefix(256))\" is not a bundle identifier")
        }
        return app
    }

    private static func wake(_ parameters: JSONField) throws(WireError) -> ControlCall {
        let reason: LaunchReason = try parameters["reason"].choice()
        guard reason != .urlSession else {
            throw .invalidParameter(field: "reason", problem: "\"urlSession\" comes about by itself")
        }
        let identifiers = try parameters["restoreIdentifiers"].ifGiven?.restoreIdentifiers() ?? []
        guard identifiers.isEmpty || reason.hasRestoreIdentifiers else {
            throw .invalidParameter(
                field: "restoreIdentifiers", problem: "go with bluetoothCentral and bluetoothPeripheral only")
        }
        return .wake(try app(parameters["app"]), reason, restoreIdentifiers: identifiers)
    }

    private static func appIfGiven(_ field: JSONField) throws(WireError) -> BundleIdentifier? {
        guard let given = field.ifGiven else { return nil }
        return try app(given)
    }

    /// The most transfers that are named in one call.
    public static let mostTransfers = 1000

    private static func transfer(_ field: JSONField) throws(WireError) -> TransferID {
        let text = try field.string()
        guard let id = TransferID(text) else {
            throw .invalidParameter(field: field.name, problem: "\"\(text.prefix(256))\" is not a transfer's number")
        }
        return id
    }

    private static func transferIfGiven(_ field: JSONField) throws(WireError) -> TransferID? {
        guard let given = field.ifGiven else { return nil }
        return try transfer(given)
    }

    /// The call as it is sent.
    public var call: VarlinkCall {
        switch self {
        case .authenticate(let cookie):
            VarlinkCall(Self.authenticateMethod, ["cookie": .string(cookie)], oneway: true)
        case .install(let path, let replacing):
            VarlinkCall("roost.Control.Install", ["path": .string(path), "replacing": .bool(replacing)])
        case .uninstall(let app): VarlinkCall("roost.Control.Uninstall", ["app": Self.json(app)])
        case .launch(let app): VarlinkCall("roost.Control.Launch", ["app": Self.json(app)])
        case .home: VarlinkCall("roost.Control.Home")
        case .wake(let app, let reason, let identifiers):
            VarlinkCall(
                "roost.Control.Wake",
                [
                    "app": Self.json(app), "reason": .string(reason.rawValue),
                    "restoreIdentifiers": identifiers.isEmpty ? nil : .array(identifiers.map { .string($0) }),
                ])
        case .push(let app, let notification):
            VarlinkCall("roost.Control.Push", ["app": Self.json(app), "payload": .string(notification.payload)])
        case .quit(let app): VarlinkCall("roost.Control.Quit", ["app": Self.json(app)])
        case .list: VarlinkCall("roost.Control.List")
        case .why(let app): VarlinkCall("roost.Control.Why", ["app": Self.json(app)])
        case .watch: VarlinkCall("roost.Control.Watch", more: true)
        case .restart: VarlinkCall("roost.Control.Restart")
        case .status: VarlinkCall("roost.Control.Status")
        case .switchTo(let app): VarlinkCall("roost.Control.Switch", ["app": app.map(Self.json)])
        case .interrupt(let kind): VarlinkCall("roost.Control.Interrupt", ["kind": .string(kind.rawValue)])
        case .dismiss: VarlinkCall("roost.Control.Dismiss")
        case .accept(let app): VarlinkCall("roost.Control.Accept", ["app": app.map(Self.json)])
        case .lock: VarlinkCall("roost.Control.Lock")
        case .unlock: VarlinkCall("roost.Control.Unlock")
        case .memory(let pressure):
            VarlinkCall("roost.Control.Memory", ["pressure": .string(pressure.rawValue)])
        case .clock: VarlinkCall("roost.Control.Clock")
        case .settings: VarlinkCall("roost.Control.Settings")
        case .set(let name, let value, let app):
            VarlinkCall(
                "roost.Control.Set", ["app": app.map(Self.json), "name": .string(name), "value": .string(value)])
        case .send(let app, let input):
            VarlinkCall("roost.Control.Send", ["app": Self.json(app), "input": input.json])
        case .transfers(let app, let after):
            VarlinkCall(
                "roost.Control.Transfers", ["after": after.map { .string($0.description) }, "app": app.map(Self.json)])
        case .transfer(let ids, let wish):
            VarlinkCall(
                "roost.Control.Transfer",
                ["ids": .array(ids.map { .string($0.description) }), "wish": .string(wish.rawValue)])
        case .notifications(let app): VarlinkCall("roost.Control.Notifications", ["app": app.map(Self.json)])
        case .answer(let app, let number, let wish):
            VarlinkCall(
                "roost.Control.AnswerNotification",
                ["app": Self.json(app), "number": .integer(number), "wish": .string(wish.rawValue)])
        case .allowNotifications(let app, let isAllowed):
            VarlinkCall("roost.Control.AllowNotifications", ["allowed": .bool(isAllowed), "app": Self.json(app)])
        }
    }

    private static func json(_ app: BundleIdentifier) -> JSON { .string(app.rawValue) }

    /// The bytes to send, with the ending NUL.
    public func encoded() -> [UInt8] { call.encoded() }
}
